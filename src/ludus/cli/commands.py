"""Every command by name; only the one that is asked for is imported.

Other packages bring commands by entry points of the group `ludus.commands`, NAME = MODULE:FUNCTION or MODULE:GROUP.
"""

import ast
import importlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludus.core.entry_points import Entry, entries
from ludus.core.errors import InvalidError, LudusError
from ludus.core.notes import Notes, notes
from ludus.core.registry import sources

if TYPE_CHECKING:
    import typer

_PANELS: dict[str, dict[str, tuple[str, str]]] = {
    "Play": {
        "play": ("play", "play"),
        "run": ("run", "run_tournament"),
        "compare": ("compare", "compare"),
        "sweep": ("sweep", "sweep"),
        "scenario": ("scenario", "app"),
        "study": ("study", "app"),
    },
    "View": {
        "results": ("results", "results"),
        "stats": ("stats", "stats"),
        "ladder": ("ladder", "ladder"),
        "replay": ("replay", "replay"),
        "list": ("list", "app"),
    },
    "Build": {
        "new": ("new", "app"),
        "check": ("check", "app"),
        "agents": ("agents", "app"),
    },
    "Manage": {
        "store": ("store", "app"),
    },
    "Connect": {
        "host": ("host", "app"),
        "join": ("join", "app"),
        "bot": ("bot", "app"),
    },
}
"""The module and the function, or the group of commands, of each command, as `ludus --help` arranges them."""

_SITE = "View"
"""The panel of the site, which comes by an entry point like a plugin, because nothing imports it."""
_PLUGINS = "Plugins"

_REPLACED = {
    "agents forget": "ludus agents delete",
    "bench": "make bench",
    "bot gomocup": "ludus bot agent gomocup",
    "bot stdio": "ludus bot agent stdio",
    "bot uci": "ludus bot agent uci",
    "chart": "ludus results ID --chart NAME",
    "delete": "ludus store delete",
    "export": "ludus store export",
    "formats": "ludus list formats",
    "games": "ludus list games",
    "import": "ludus store import",
    "match": "ludus bot match",
    "picture": "ludus replay EPISODE -o FILE.png",
    "report": "ludus results ID --html FILE",
    "select": "ludus results ID --best N -o FILE",
    "video": "ludus replay EPISODE -o FILE.mp4",
}
"""Commands of earlier versions, with those that do their work now."""


def add_commands(app: "typer.Typer", arguments: Sequence[str]) -> None:
    """Add the command that is asked for, or else all of them by name and summary.

    Databases and charts are slow to import, and a list of commands needs none of them.
    """
    asked, *rest = [word for word in arguments if word != "--"] or [""]
    commands = known_commands()
    old = " ".join([asked, *rest[:1]]) if asked in commands else asked
    if old in _REPLACED:
        raise InvalidError(f"'ludus {old}' is now '{_REPLACED[old]}'.")
    if asked in commands:
        _add(app, commands[asked][1])
        return
    with notes() as kept:
        for name, (panel, command) in commands.items():
            app.command(name, help=_summary(command, kept), rich_help_panel=panel)(_listed)


def known_commands() -> dict[str, tuple[str, Entry]]:
    """Each command with its panel; a command of another package cannot replace one of Ludus."""
    own = {
        name: (panel, Entry(name, f"ludus.cli.{module}:{attribute}"))
        for panel, commands in _PANELS.items()
        for name, (module, attribute) in commands.items()
    }
    others = {
        entry.name: (_SITE if entry.module.startswith("ludus.web.") else _PLUGINS, entry)
        for entry in sorted(entries("ludus.commands"))
        if entry.name not in own
    }
    return own | others


def _add(app: "typer.Typer", entry: Entry) -> None:
    import typer  # completion reads the names of commands only

    try:
        module = importlib.import_module(entry.module)
        command: typer.Typer | Callable[..., Any] = getattr(module, entry.attribute)
    except Exception as error:
        if entry.module.startswith(f"{__package__}."):
            raise
        raise LudusError(
            f"'ludus {entry.name}' cannot be used: {entry.value} cannot be imported: {type(error).__name__}: {error}."
        ) from error
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=entry.name)
    else:
        example = getattr(module, f"{entry.name.upper()}_EXAMPLE", None) or getattr(module, "EXAMPLE", None)
        app.command(entry.name, epilog=example)(command)


def _listed() -> None:
    """Stand for a command in the list."""


def _summary(entry: Entry, kept: Notes) -> str | None:
    """The summary of a command, read from the source of its module."""
    for module, file in sources(entry.module):
        if module == entry.module:
            about = file.stat()
            stamp = [about.st_mtime_ns, about.st_size]
            return kept.of(f"{entry.attribute} in {file}", stamp, partial(_help, file, entry.attribute))
    return None


def _help(file: Path, attribute: str) -> str | None:
    """The docstring of a function, or the help of a group of commands."""
    try:
        body = ast.parse(file.read_bytes()).body
    except (SyntaxError, ValueError):  # reported when the command is used
        return None
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == attribute:
            return ast.get_docstring(node)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == attribute:
            keywords = node.value.keywords if isinstance(node.value, ast.Call) else []
            helps = [k.value.value for k in keywords if k.arg == "help" and isinstance(k.value, ast.Constant)]
            return next(map(str, helps), None)
    return None
