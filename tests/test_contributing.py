"""The ten tasks of CONTRIBUTING.md: each is carried out on a copy of Ludus, in the files that the page names.

At night all of them are carried out on a copy of the project, and its tests pass.
"""

import fnmatch
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ludus
from support.copied_project import CopiedProject
from support.places import ROOT

pytestmark = pytest.mark.slow
CLOSE = ["tests/test_compatibility.py", "tests/cli/test_results.py", "tests/episode", "tests/docs/test_reference.py"]
"""Tests of what the tasks add to, the slow ones among them."""

SOURCES = Path(ludus.__file__).parent
OLD_STORE = ROOT / "tests" / "fixtures" / "0.1.0" / "store.db.gz"
STARTER = f"python3 {ROOT / 'bots' / 'python' / 'bot.py'}"


class Copy:
    """A copy of the package, in this folder, that a task changes."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._folder = home / "ludus"

    def add(self, name: str, text: str) -> None:
        """Write a new module."""
        assert not (self._folder / name).exists()
        (self._folder / name).write_text(text)

    def insert(self, name: str, before: str, text: str) -> None:
        """Insert lines before the only line that begins so."""
        file = self._folder / name
        source = file.read_text()
        assert source.count(f"\n{before}") == 1, f"{name} has '{before}' {source.count(before)} times"
        file.write_text(source.replace(f"\n{before}", f"\n{text}{before}"))

    def ludus(self, *words: str) -> str:
        """The output of a command of the copy."""
        return self.python("-m", "ludus", *words)

    def python(self, *words: str) -> str:
        """The output of a Python program that imports the copy."""
        environment = os.environ | {"PYTHONPATH": str(self.home), "LUDUS_STORE": str(self.home / "store.db")}
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.home,
            env=environment | {"COLUMNS": "200"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def with_old_store(self) -> None:
        """Give it the tournaments of the fixture."""
        (self.home / "store.db").write_bytes(gzip.decompress(OLD_STORE.read_bytes()))

    def changed(self) -> set[str]:
        """The files that differ from those of Ludus."""
        names = {str(file.relative_to(self._folder)) for file in self._folder.rglob("*.py")}
        return {
            name
            for name in names
            if not (SOURCES / name).exists() or (SOURCES / name).read_bytes() != (self._folder / name).read_bytes()
        }


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    shutil.copytree(SOURCES, tmp_path / "ludus", ignore=shutil.ignore_patterns("__pycache__"))
    return Copy(tmp_path)


def assert_touches_only_what_the_page_says(copy: Copy, task: str) -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| ([^|]+) \| (`[^|]+) \|$", page, re.MULTILINE))
    patterns = [pattern.replace("NAME", "*") for pattern in re.findall(r"`([^`]+)`", rows[task])]
    assert all((ROOT / pattern).exists() for pattern in patterns if pattern.startswith("docs/"))
    changed = copy.changed()
    assert changed
    assert all(any(fnmatch.fnmatch(name, pattern) for pattern in patterns) for name in changed), changed


def add_a_game(copy: Copy) -> None:
    source = (ROOT / "docs" / "examples" / "breakthrough.py").read_text()
    inside = "from ludus.core.spec import param\nfrom ludus.games.game import Game\n"
    copy.add("games/breakthrough.py", source.replace("from ludus import Game, param\n", inside))


def test_add_a_game(copy: Copy) -> None:
    add_a_game(copy)
    assert "breakthrough" in copy.ludus("list", "games")
    assert json.loads(copy.ludus("play", "breakthrough:size=5", "random", "random", "--json"))["ending"] == "rules"
    assert_touches_only_what_the_page_says(copy, "add a game")


def add_an_agent(copy: Copy) -> None:
    source = (ROOT / "docs" / "examples" / "greedy.py").read_text()
    inside = "from ludus.agents.agent import Agent, Choice, Clock, View\nfrom ludus.core.spec import param\n"
    inside += "from ludus.games.game import Game\n"
    copy.add("agents/greedy.py", source.replace("from ludus import Agent, Choice, Clock, Game, View, param\n", inside))


def test_add_an_agent(copy: Copy) -> None:
    add_an_agent(copy)
    record = json.loads(copy.ludus("play", "tic-tac-toe", "greedy", "random", "--json"))
    assert record["seats"][0]["agent"] == "greedy"
    assert_touches_only_what_the_page_says(copy, "add an agent")


def add_a_rating(copy: Copy) -> None:
    copy.insert("stats/two_players.py", '        "glicko": pl.Series(', '        "half": elos["fide"] / 2,\n')
    copy.insert(
        "views/columns.py",
        '    Column("uscf", "USCF",',
        '    Column("half", "half of FIDE", write=rounded, aside=True),\n',
    )


def test_add_a_rating(copy: Copy) -> None:
    copy.with_old_store()
    add_a_rating(copy)
    standings = json.loads(copy.ludus("results", "hexes", "--json"))["standings"]
    assert all(row["half"] == row["fide"] / 2 for row in standings)
    assert "half of FIDE" in copy.ludus("results", "hexes")
    assert_touches_only_what_the_page_says(copy, "add a rating")


def add_a_chart(copy: Copy) -> None:
    method = (
        '    @_kind("Ratings again", "two players or more")\n'
        "    def again(self) -> Drawn:\n"
        '        """The same once more."""\n'
        "        return rating_charts.ratings(self._results.standings())\n\n"
    )
    copy.insert("views/charts/chart_list.py", '    @_kind("Scores", "one player")', method)
    section = 'yield Section("Again", "", [self._figure("again")])'
    copy.insert(
        "views/page/sections.py",
        '        if "course" in self.charts.suitable():',
        f'        if "again" in self.charts.suitable():\n            {section}\n',
    )


def test_add_a_chart(copy: Copy) -> None:
    copy.with_old_store()
    add_a_chart(copy)
    copy.ludus("results", "hexes", "--chart", "again", "-o", "again.svg")
    copy.ludus("results", "hexes", "--html", "report.html")
    assert_touches_only_what_the_page_says(copy, "add a chart")


SEEDS = """
import os
import ludus

agents, store = ["random", "mc:iterations=2"], os.environ["LUDUS_STORE"]
few = {"seed": 3, "least_seed": 7, "workers": 0}
played = [ludus.play("nim", agents, seed=seed, least_seed=7).records[0].seed for seed in (3, 7, 8)]
print(played[0] == played[1] != played[2])
ludus.tournament("nim", agents, episodes=1, store=store, **few)
ludus.compare("nim", *agents, most=2, store=store, **few)
ludus.sweep("nim", agents[1], {"iterations": [1, 2]}, against=["random"], episodes=1, store=store, **few)
print(*(ludus.load(id, store=store).summary.id for id in (1, 2, 3)))
print(*("least_seed: Least seed." in f.__doc__ for f in (ludus.play, ludus.tournament, ludus.compare, ludus.sweep)))
"""


def add_an_option(copy: Copy) -> None:
    copy.insert(
        "tournaments/run_options.py",
        "    def __post_init__",
        '    least_seed: Annotated[int | None, RunOption(whole(0, MOST_SEED), "Least seed.")] = None\n\n',
    )
    copy.insert(
        "tournaments/run_options.py",
        "        for name, option in RUN_OPTIONS",
        "        if self.least_seed is not None and (self.seed or 0) < self.least_seed:\n"
        '            msgspec.structs.force_setattr(self, "seed", self.least_seed)\n',
    )
    copy.insert("api/keywords.py", "    opening_plies: int", "    least_seed: int\n")


def test_add_an_option_to_run_compare_sweep_and_play(copy: Copy) -> None:
    add_an_option(copy)
    assert copy.python("-c", SEEDS).splitlines() == ["True", "1 2 3", "True True True True"]
    agents = ("random", "mc:iterations=2")
    named = ("--agent", agents[0], "--agent", agents[1])
    few = ("--seed", "3", "--least-seed", "9", "--workers", "0")
    copy.ludus("run", "--game", "nim", *named, "--episodes", "1", *few)
    copy.ludus("compare", *agents, "--game", "nim", "--most", "2", *few)
    copy.ludus("sweep", "nim", agents[1], "--param", "iterations=1,2", "--against", "random", *few)
    stored = [json.loads(copy.ludus("list", "tournaments", str(id), "--json")) for id in range(1, 7)]
    assert [row["tournament"]["seed"] for row in stored] == [7, 7, 7, 9, 9, 9]
    low, high = (
        json.loads(copy.ludus("play", "nim", *agents, "--seed", seed, "--least-seed", "9", "--json"))["seed"]
        for seed in ("3", "9")
    )
    assert low == high
    for command in ("run", "compare", "sweep", "play"):
        assert re.search(r"--least-seed N +Least seed\.", copy.ludus(command, "--help"))
    assert_touches_only_what_the_page_says(copy, "add an option to `run`, `compare`, `sweep` and `play`")


def test_every_task_of_the_page_is_carried_out() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tasks = re.findall(r"^\| ((?:add|change) [^|]+) \| `[^|]+ \|$", page, re.MULTILINE)
    own = Path(__file__).read_text(encoding="utf-8")
    assert len(tasks) == 10
    assert tasks == [task for task in tasks if f'says(copy, "{task}")' in own]


FIELD = """
import sys
from ludus.episode.codec import pack, unpack
from ludus.episode.record import Record

record = Record.from_json(sys.argv[1])
record.steps[0][0].threads = 3
seats = [(seat.agent, seat.name) for seat in record.seats]
packed = unpack(pack(record), record.game, record.limits, seats)
print(packed.steps[0][0].threads, Record.from_json(record.to_json()).steps[0][0].threads)
"""


def add_a_field(copy: Copy) -> None:
    copy.insert("episode/record.py", "    def numbers(self)", "    threads: int = 0\n\n")


def test_add_a_field_to_a_record(copy: Copy) -> None:
    add_a_field(copy)
    record = copy.ludus("play", "tic-tac-toe", "random", "random", "--json")
    assert copy.python("-c", FIELD, record) == "3 3\n"
    assert_touches_only_what_the_page_says(copy, "add a field to a record")


LOUD = '''"""A protocol like `stdio`."""

from ludus.bots.protocols.stdio import Stdio


class Loud(Stdio):
    """Loud."""

    name = "loud"
'''


def add_a_protocol(copy: Copy) -> None:
    copy.add("bots/protocols/loud.py", LOUD)


def test_add_a_protocol(copy: Copy) -> None:
    add_a_protocol(copy)
    record = json.loads(copy.ludus("play", "connect-four", f"loud:{STARTER}", "random", "--json"))
    assert record["ending"] == "rules"
    assert_touches_only_what_the_page_says(copy, "add a protocol")


def add_a_limit(copy: Copy) -> None:
    copy.insert(
        "episode/limits.py",
        "    plies: Annotated[",
        '    naps: Annotated[int | None, Limit(COUNT, "Naps.", ("nap", "naps"), "--naps", "naps")] = None\n',
    )
    copy.insert("api/keywords.py", "    disk: Size", "    naps: int\n")


def test_add_a_limit(copy: Copy) -> None:
    add_a_limit(copy)
    record = json.loads(copy.ludus("play", "tic-tac-toe", "random", "random", "--naps", "3", "--json"))
    assert record["limits"]["naps"] == 3
    played = "import ludus; print(ludus.play('tic-tac-toe', ['random', 'random'], naps=4).records[0].limits.naps)"
    assert copy.python("-c", played) == "4\n"
    assert_touches_only_what_the_page_says(copy, "add a limit")


HELLO = '''"""`ludus hello`: a greeting."""

EXAMPLE = "Example: ludus hello"


def hello() -> None:
    """Say hello."""
    print("Hello!")
'''


def add_a_command(copy: Copy) -> None:
    copy.add("cli/hello.py", HELLO)
    copy.insert("cli/commands.py", '        "replay": (', '        "hello": ("hello", "hello"),\n')


def test_add_a_command(copy: Copy) -> None:
    add_a_command(copy)
    assert "Say hello." in copy.ludus("--help")
    assert copy.ludus("hello") == "Hello!\n"
    assert_touches_only_what_the_page_says(copy, "add a command")


def test_change_when_a_move_is_late(copy: Copy) -> None:
    slow = "import sys, time\nfor line in sys.stdin:\n    if line.split()[:1] in (['START'], ['TURN']):\n"
    slow += "        time.sleep(0.4)\n    print('OK' if line.startswith('INFO') else '1', flush=True)\n"
    (copy.home / "slow.py").write_text(slow)
    game = ["play", "nim:piles=1", f"stdio:python3 {copy.home / 'slow.py'}", "random", "--move-time", "100ms", "--json"]
    assert json.loads(copy.ludus(*game))["ending"] == "late"
    copy.insert("episode/verdict.py", "    return granted + limits.grace", "    return granted + 10**9\n")
    assert json.loads(copy.ludus(*game))["ending"] != "late"
    assert_touches_only_what_the_page_says(copy, "change when a move is late")


@pytest.mark.nightly
def test_the_tests_pass_after_every_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = CopiedProject(tmp_path)
    copy = Copy(tmp_path / "src")
    for task in (
        add_a_game,
        add_an_agent,
        add_a_rating,
        add_a_chart,
        add_an_option,
        add_a_field,
        add_a_protocol,
        add_a_limit,
        add_a_command,
    ):
        task(copy)
    for name, before, text in (
        ("record.md", "`disk`", "`naps`, "),
        ("protocol.md", "| `seed` |", "| `naps` | naps |\n"),
    ):
        page = tmp_path / "docs" / name
        page.write_text(page.read_text().replace(before, text + before))
    for program in ("docs/tree.py", "docs/reference.py"):
        project.run(program).check_returncode()
    with monkeypatch.context() as environment:
        environment.setenv("LUDUS_GOLDEN", "write")
        project.test("tests/games/test_all_games.py", "-k", "golden and breakthrough")
    for words in (["-m", "not slow and not nightly"], ["-m", "not nightly", *CLOSE]):
        done = project.test(*words)
        assert done.returncode == 0, done.stdout
