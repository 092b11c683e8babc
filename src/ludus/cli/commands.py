"""Every command by name, and the command line with as few of them imported as will do."""

import ast
import importlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer

_PANELS: dict[str, dict[str, tuple[str, str]]] = {
    "What there is": {
        "games": ("games", "games"),
        "agents": ("agents", "app"),
        "formats": ("formats", "formats"),
    },
    "Playing and looking": {
        "play": ("play", "play"),
        "replay": ("replay", "replay"),
        "picture": ("picture", "picture"),
        "video": ("video", "video"),
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
    "Ludus itself": {
        "bench": ("bench", "bench"),
    },
}
"""The module and the function, or the group of commands, that each command is, as `ludus --help` arranges them."""

_COMMANDS = {name: place for panel in _PANELS.values() for name, place in panel.items()}


def add_commands(app: typer.Typer, arguments: Sequence[str]) -> None:
    """Add the command that is asked for, or else all of them by their names and what they do.

    Databases and charts take their time to import, and a list of commands needs none of them.
    """
    asked = next((word for word in arguments if word != "--"), "")
    if asked in _COMMANDS:
        _add(app, asked)
        return
    for panel, commands in _PANELS.items():
        for name, (module, attribute) in commands.items():
            app.command(name, help=_summary(module, attribute), rich_help_panel=panel)(_listed)


def _add(app: typer.Typer, name: str) -> None:
    place, attribute = _COMMANDS[name]
    module = importlib.import_module(f"ludus.cli.{place}")
    command: typer.Typer | Callable[..., Any] = getattr(module, attribute)
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name)
    else:
        example = getattr(module, f"{name.upper()}_EXAMPLE", None) or module.EXAMPLE
        app.command(name, epilog=example)(command)


def _listed() -> None:
    """Stands for a command in a list."""


def _summary(module: str, attribute: str) -> str | None:
    """What a command does, read from its source: the docstring of a function, the help of a group."""
    source = Path(__file__).with_name(f"{module}.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == attribute:
            return ast.get_docstring(node)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == attribute:
            call = node.value
            assert isinstance(call, ast.Call)
            return next(ast.literal_eval(keyword.value) for keyword in call.keywords if keyword.arg == "help")
    return None
