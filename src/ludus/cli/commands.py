"""Every command by name, and the command line with as few of them imported as will do.

Other packages bring commands by entry points of the group `ludus.commands`, NAME = MODULE:FUNCTION or MODULE:GROUP.
"""

import ast
import importlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import typer

from ludus.core.entry_points import Entry, entries
from ludus.core.errors import LudusError
from ludus.core.notes import Notes, notes
from ludus.core.registry import sources

_PANELS: dict[str, dict[str, tuple[str, str]]] = {
    "What there is": {
        "games": ("games", "games"),
        "agents": ("agents", "app"),
        "formats": ("formats", "formats"),
    },
    "Playing and looking": {
        "play": ("play", "play"),
        "replay": ("replay", "replay"),
    },
    "Tournaments": {
        "run": ("run", "run_tournament"),
        "results": ("results", "results"),
        "report": ("report", "report"),
        "chart": ("chart", "chart"),
        "select": ("select", "select"),
        "export": ("export", "export"),
        "import": ("export", "import_"),
        "delete": ("export", "delete"),
    },
    "Studies": {
        "compare": ("compare", "compare"),
        "stats": ("stats", "stats"),
        "sweep": ("sweep", "sweep"),
        "scenario": ("scenario", "app"),
    },
    "Over the network": {
        "host": ("host", "app"),
        "join": ("join", "app"),
    },
    "Bots and games of your own": {
        "new": ("new", "app"),
        "check": ("check", "app"),
        "bot": ("bot", "bot"),
        "match": ("match", "match"),
    },
    "Ludus itself": {},
}
"""The module and the function, or the group of commands, that each command is, as `ludus --help` arranges them."""

_PLUGINS = "Of other packages"


def add_commands(app: typer.Typer, arguments: Sequence[str]) -> None:
    """Add the command that is asked for, or else all of them by their names and what they do.

    Databases and charts take their time to import, and a list of commands needs none of them.
    """
    asked = next((word for word in arguments if word != "--"), "")
    commands = _commands()
    if asked in commands:
        _add(app, commands[asked][1])
        return
    with notes() as kept:
        for name, (panel, command) in commands.items():
            app.command(name, help=_summary(command, kept), rich_help_panel=panel)(_listed)


def _commands() -> dict[str, tuple[str, Entry]]:
    """Each command with its panel; none of another package replaces one of Ludus."""
    own = {
        name: (panel, Entry(name, f"ludus.cli.{module}:{attribute}"))
        for panel, commands in _PANELS.items()
        for name, (module, attribute) in commands.items()
    }
    others = {entry.name: (_PLUGINS, entry) for entry in sorted(entries("ludus.commands")) if entry.name not in own}
    return own | others


def _add(app: typer.Typer, entry: Entry) -> None:
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
    """Stands for a command in a list."""


def _summary(entry: Entry, kept: Notes) -> str | None:
    """What a command does, as the source of its module tells; nothing if there is none."""
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
    except (SyntaxError, ValueError):  # told when the command is asked for
        return None
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name == attribute:
            return ast.get_docstring(node)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == attribute:
            keywords = node.value.keywords if isinstance(node.value, ast.Call) else []
            helps = [k.value.value for k in keywords if k.arg == "help" and isinstance(k.value, ast.Constant)]
            return next(map(str, helps), None)
    return None
