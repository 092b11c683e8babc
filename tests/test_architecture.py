"""The rooms of docs/architecture.md: the list names what exists, and no room imports from one below."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import ludus

SOURCES = Path(ludus.__file__).parent
PAGE = SOURCES.parents[1] / "docs" / "architecture.md"


def listed() -> list[str]:
    """The paths of the annotated tree, in its order; a folder ends with a slash."""
    tree = PAGE.read_text().split("src/ludus/\n", 1)[1].split("```", 1)[0]
    found, folder = [], ""
    for line in tree.splitlines():
        indent, name, words = re.fullmatch(r"( +)(\S+) +(\S.*)", line).groups()  # type: ignore[union-attr]
        assert words, line
        if len(indent) == 2:
            folder = name if name.endswith("/") else ""
            found.append(name)
        else:
            found.append(folder + name)
    return found


def rooms() -> list[str]:
    """The rooms from the top of the list to its end."""
    return [path.removesuffix("/").removesuffix(".py") for path in listed() if "/" not in path.removesuffix("/")]


def room_of(module: str) -> str:
    """The room of a module such as ludus.games.game."""
    return module.split(".")[1]


def modules() -> dict[str, Path]:
    names = {file: file.relative_to(SOURCES).with_suffix("").parts for file in SOURCES.rglob("*.py")}
    return {".".join(("ludus", *parts)).removesuffix(".__init__"): file for file, parts in names.items()}


def imports(file: Path) -> Iterator[str]:
    """The modules of Ludus that a file imports; the package itself, which all share, is left out."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("ludus."))
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            if node.module == "ludus":
                yield from (f"ludus.{alias.name}" for alias in node.names)
            elif node.module and node.module.startswith("ludus."):
                yield node.module


def test_list_names_every_module_and_no_other() -> None:
    files = {str(file.relative_to(SOURCES)) for file in modules().values() if file.name != "__init__.py"}
    folders = {f"{file.parent.relative_to(SOURCES)}/" for file in SOURCES.rglob("*/__init__.py")}
    assert set(listed()) == files | folders
    assert len(listed()) == len(set(listed()))


def test_no_room_imports_from_one_below() -> None:
    order = {room: place for place, room in enumerate(rooms())}
    wrong = []
    for module, file in modules().items():
        if module in ("ludus", "ludus.__main__"):
            continue
        for imported in imports(file):
            if order.get(room_of(imported), -1) > order.get(room_of(module), -1):
                wrong.append(f"{module} imports {imported}")
    assert not wrong
