"""The rules of docs/architecture.md: layers, front doors, names, sizes, and a tree that is generated."""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

import ludus
from ludus.core.registry import classes
from ludus.core.user_file import import_file
from ludus.games.game import Game
from support.places import ROOT

SOURCES = Path(ludus.__file__).parent

tree = import_file(str(ROOT / "docs" / "tree.py"))
LAYERS = [set(layer) for layer in tree.layers()]
"""Folders and modules of the package, from the foundations to the entry points, as docs/architecture.md lists them."""
INSIDE = {
    ("kernel", "core"),
    ("agents", "games"),
    ("bots", "episode"),
    ("net", "episode"),
    ("net", "bots"),
    ("store", "tournaments"),
    ("stats", "tournaments"),
    ("stats", "store"),
    ("run", "tournaments"),
    ("run", "store"),
    ("run", "stats"),
    ("cli", "api"),
    ("web", "cli"),
    ("__main__", "cli"),
}
"""Within a layer: the first may import from the second."""
OPEN = {"core", "kernel", "episode"}
"""Foundations, and what an episode is made of: every module of these is for everybody."""
FRONT_DOORS = {
    "games": "game notation text_board",
    "agents": "agent layers random",
    "bots": "bot bot_player dialogue process.process_io serve.driven_match serve.loop serve.services",
    "net": "client clock_sync contest crowd gate joined_game listener remote server sighting",
    "tournaments": (
        "arrangement bot_folder config determinism field file formats game_names plan run_options tournament"
    ),
    "store": "entries export names portable records server_games timing",
    "stats": (
        "careers clock evidence format_results history intervals ladder participants rank_shifts results"
        " search_costs selection studies tally win_rates ratings.comparison ratings.sprt"
    ),
    "run": (
        "compare live_feed live_reader live_run refining runner series sorting stopping study_plans sweep sweep_results"
        " scenarios.cutting"
        " scenarios.scenario scenarios.scenario_run scenarios.success_rates scenarios.suites"
    ),
    "views": (
        "clock_study column columns facts folder_files move_columns result_tables rounds run_columns series_columns"
        " short_names table_files terminal verdicts video boards.bitmap boards.canvas boards.colours boards.painter"
        " boards.painters boards.picture boards.seen_layers boards.svg boards.text_cells boards.timeline"
        " charts.chart_list charts.rate_charts charts.run_charts charts.theme charts.vega episodes.browser_files"
        " episodes.drawn_layers episodes.episode_data episodes.episode_file episodes.measures episodes.reel"
        " episodes.variation page.fragment page.head page.html_tables page.page page.parts page.sections"
        " page.study_page page.templates study_views tournament_files"
    ),
    "check": "bot_check game_check steps",
    "cli": "gate options screen",
}
"""The modules of a folder that other folders import, beside its `__init__.py`; all others are its own affair."""
BARE = {"core", "kernel", "games", "agents", "bots", "run"}
"""Folders whose `__init__.py` imports nothing, so that a worker or a simple command loads only what it uses."""
FREE_NAMES = {"games", "contests", "cli", "web"}
"""Folders whose modules may share a name with others."""
POOR_NAMES = {"base", "utils", "helpers", "common"}
SHARED_CLASSES = {
    "Workspace",  # what a search writes to: one for each search, never imported
    "Tree",  # the same for Monte Carlo agents
    "Entry",  # of a package, and in the store
    "Episode",  # as a worker returns it, and in Python
    "Comparison",  # here and below, the API wraps the class that it is called after
    "Results",
    "Study",
    "Evidence",  # of strength, and of a mistake of a bot
    "Format",  # of a tournament, and of a video
    "Frames",  # of data, and of a picture
    "Head",  # of a column, and of an exported file
    "Kind",  # of values, and of a chart
    "Openings",  # as a tournament says, and as they are drawn
    "Position",
    "Result",  # of a match, and of a scenario
    "Scene",  # of a replay, and drawn
    "Table",  # where a game is hosted, and on the page
    "Tally",  # of a series, and of a suite of scenarios
    "Trial",  # of a bot, and of a scenario
}
"""Names of classes that several modules may use: where one is read, the other is not."""
MOST_LINES = 400


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name, without `ludus` itself."""
    found = {}
    for file in SOURCES.rglob("*.py"):
        parts = file.relative_to(SOURCES).with_suffix("").parts
        found[".".join(("ludus", *parts)).removesuffix(".__init__")] = file
    del found["ludus"]
    return found


@cache
def imports(module: str) -> frozenset[str]:
    """The modules of Ludus that a module imports, in functions too, but not for type checking alone."""
    return imports_in(ast.parse(modules()[module].read_text(encoding="utf-8")))


def imports_in(source: ast.Module) -> frozenset[str]:
    """The modules of Ludus that a source imports; `ludus` is the package itself."""
    found: set[str] = set()
    pending: list[ast.AST] = [source]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            pending += node.orelse
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"'{ast.unparse(node)}' is relative"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in modules() else str(node.module))
        pending += ast.iter_child_nodes(node)
    return frozenset(found & {"ludus", *modules()})


def folder(module: str) -> str:
    """The top folder of a module, or the module itself if it lies in none."""
    return module.split(".")[1]


def within(module: str) -> str:
    """The name of a module within its top folder; empty for the folder itself."""
    return ".".join(module.split(".")[2:])


def crossings() -> Iterator[tuple[str, str]]:
    """Each import from one top folder to another."""
    for module in modules():
        for imported in imports(module):
            if imported != "ludus" and folder(module) != folder(imported):
                yield module, imported


def subject(module: str) -> str:
    """The folder of the package in which a module lies; of a contest, the contest."""
    return ".".join(module.split(".")[1 : 3 if folder(module) == "contests" else 2])


@cache
def players_and_agents() -> dict[str, set[str]]:
    """The folders that define a player or an agent of that name, by the name of the class."""
    classes = {
        node: module
        for module, file in modules().items()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    found: dict[str, set[str]] = {}
    pending = {"Player", "Agent"}
    while pending:
        for name in pending:
            found[name] = {subject(module) for node, module in classes.items() if node.name == name}
        pending = {node.name for node in classes if last_names(node.bases) & found.keys()} - found.keys()
    return found


def last_names(nodes: Iterable[ast.AST]) -> set[str]:
    """The names in some expressions, of `module.Name` the last part."""
    inner = [each for node in nodes for each in ast.walk(node)]
    names = {each.id for each in inner if isinstance(each, ast.Name)}
    return names | {each.attr for each in inner if isinstance(each, ast.Attribute)}


def types_asked_for(tree: ast.AST) -> Iterator[tuple[int, set[str]]]:
    """The lines that ask what type something has, with the names of the types."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_names([node.func]) & {"isinstance", "issubclass"}:
            yield node.lineno, last_names(node.args[1:])
        elif isinstance(node, ast.Compare) and any(
            isinstance(inner, ast.Call) and last_names([inner.func]) == {"type"} for inner in ast.walk(node)
        ):
            yield node.lineno, last_names([node])
        elif isinstance(node, ast.MatchClass):
            yield node.lineno, last_names([node.cls])


def test_every_folder_has_a_layer() -> None:
    assert {folder(module) for module in modules()} == set().union(*LAYERS)


@pytest.mark.parametrize("name", tree.PAGES)
def test_trees_in_docs_are_those_of_the_docstrings(name: str) -> None:
    page = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert tree.with_tree(page, tree.PAGES[name]) == page, "run python docs/tree.py"


def test_modules_import_from_their_own_layer_or_a_lower_one() -> None:
    layer = {name: number for number, names in enumerate(LAYERS) for name in names}
    wrong = []
    for module, imported in crossings():
        here, there = folder(module), folder(imported)
        if layer[here] < layer[there] or (layer[here] == layer[there] and (here, there) not in INSIDE):
            wrong.append(f"{module} imports {imported}")
    assert not wrong


def test_nobody_imports_contests_or_the_site() -> None:
    assert not [f"{module} imports {other}" for module, other in crossings() if folder(other) in ("contests", "web")]


def test_no_contest_imports_another() -> None:
    wrong = [
        f"{module} imports {other}"
        for module in modules()
        for other in imports(module) - {"ludus"}
        if folder(module) == folder(other) == "contests" and module.split(".")[2:3] != other.split(".")[2:3]
    ]
    assert not wrong


def test_no_imports_run_in_a_circle() -> None:
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> list[str]:
        if module in path:
            return [" → ".join((*path[path.index(module) :], module))]
        if module in done:
            return []
        others = sorted(imports(module) - {"ludus"})
        found = [circle for other in others for circle in visit(other, (*path, module))]
        done.add(module)
        return found

    assert not [circle for module in sorted(modules()) for circle in visit(module, ())]


def test_no_module_imports_the_package_itself() -> None:
    """The package imports the API on demand, so every such import could run in a circle."""
    assert not [module for module in modules() if "ludus" in imports(module)]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import ludus", {"ludus"}),
        ("import ludus as whole", {"ludus"}),
        ("from ludus import Game", {"ludus"}),
        ("def late():\n    from ludus import play", {"ludus"}),
        ("from ludus import core", {"ludus.core"}),
        ("from ludus.core import errors", {"ludus.core.errors"}),
        ("from ludus.core.errors import LudusError", {"ludus.core.errors"}),
        ("if TYPE_CHECKING:\n    import ludus\nelse:\n    import ludus.net", {"ludus.net"}),
    ],
)
def test_every_form_of_import_is_seen(code: str, found: set[str]) -> None:
    assert imports_in(ast.parse(code)) == found


def test_folders_import_from_each_others_front_doors() -> None:
    wrong = [
        f"{module} imports {other}"
        for module, other in crossings()
        if folder(other) not in OPEN
        and within(other)
        and within(other) not in FRONT_DOORS.get(folder(other), "").split()
    ]
    assert not wrong


@pytest.mark.skipif(not list(SOURCES.glob("contests/*/__init__.py")), reason="contests use some of them")
def test_every_front_door_is_used_by_another_folder() -> None:
    used = {(folder(other), within(other)) for _, other in crossings()}
    doors = {(name, door) for name, listed in FRONT_DOORS.items() for door in listed.split()}
    assert not doors - used


@pytest.mark.parametrize("name", sorted(BARE))
def test_package_file_imports_nothing(name: str) -> None:
    assert not imports(f"ludus.{name}")


def test_only_games_and_contests_import_a_game() -> None:
    general = {"ludus.games", "ludus.games.game", "ludus.games.notation", "ludus.games.text_board"}
    wrong = [
        f"{module} imports {other}"
        for module, other in crossings()
        if folder(other) == "games" and other not in general and folder(module) != "contests"
    ]
    assert not wrong


PROTOCOLS_OF_ONE_GAME = {
    "ludus.bots.protocols.gomocup": "gomoku",
    "ludus.bots.protocols.uci": "chess",
    "ludus.bots.serve.gomocup_service": "gomoku",
    "ludus.bots.serve.uci_service": "chess",
}
"""Protocols made by others for one game, which have to name it."""


def test_only_games_contests_and_protocols_of_one_game_name_a_game() -> None:
    names = set(classes(Game))
    found = {}
    for module, file in modules().items():
        if folder(module) not in ("games", "contests"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and node.value in names:
                    found[module] = node.value
    assert found == PROTOCOLS_OF_ONE_GAME


def test_kinds_of_players_and_agents_are_told_apart_by_dispatch() -> None:
    kinds = players_and_agents()
    wrong = []
    for module, file in modules().items():
        if folder(module) in ("api", "cli"):
            continue
        for line, names in types_asked_for(ast.parse(file.read_text(encoding="utf-8"))):
            foreign = [name for name in names & kinds.keys() if subject(module) not in kinds[name]]
            wrong += [f"{module}, line {line}: {name}" for name in foreign]
    assert not wrong


@pytest.mark.parametrize(
    "code",
    [
        "isinstance(agent, Bot)",
        "issubclass(kind, int | bot.Bot)",
        "isinstance(agent, (int, Bot))",
        "type(agent) is Bot",
        "type(agent) in (Bot, int)",
        "match agent:\n    case Bot(): pass",
    ],
)
def test_every_way_to_ask_for_a_type_is_seen(code: str) -> None:
    (found,) = types_asked_for(ast.parse(code))
    assert "Bot" in found[1]


def test_modules_have_names_of_their_own() -> None:
    counted = [module for module in modules() if folder(module) not in FREE_NAMES and "__" not in module]
    files = [module.rsplit(".", 1)[-1] for module in counted if modules()[module].name != "__init__.py"]
    assert not [name for name, count in Counter(files).items() if count > 1]
    assert not POOR_NAMES & set(files)


def test_classes_have_names_of_their_own() -> None:
    counts = Counter(
        node.name
        for module, file in modules().items()
        if folder(module) not in FREE_NAMES
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, count in counts.items() if count > 1} == SHARED_CLASSES


def test_modules_are_short() -> None:
    lengths = {module: len(file.read_text(encoding="utf-8").splitlines()) for module, file in modules().items()}
    assert not {module: length for module, length in lengths.items() if length > MOST_LINES}
