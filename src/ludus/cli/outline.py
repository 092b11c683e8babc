"""Outlines of commands: what can follow on the command line, noted so that completion imports no command."""

import contextlib
from collections.abc import Mapping
from typing import Any, NamedTuple

from ludus.cli.commands import known_commands
from ludus.core.source_notes import noted


class Parameter(NamedTuple):
    """An option or an argument."""

    name: str
    flags: list[str]  # such as --games and -n; an argument has none
    values: int  # that follow a flag, or that an argument takes; −1: any number
    help: str
    words: list[str]  # the values that can be given, where they are few
    completer: str  # MODULE:FUNCTION; empty: none


class Outline(NamedTuple):
    """A command, or a group with its commands by name."""

    help: str
    parameters: list[Parameter]
    commands: Mapping[str, "Outline"]


def outline(command: str) -> Outline:
    """The outline of `ludus` with one command in full; of all commands by name and summary if none is named."""
    return _read(noted(f"outline of {command or 'ludus'}", lambda: _made(command)))


def note_all() -> None:
    """Note the outlines of all commands, so that not even the first completions are slow."""
    with contextlib.suppress(KeyboardInterrupt):
        for command in ("", *known_commands()):
            with contextlib.suppress(Exception, SystemExit):  # of a plugin that cannot be imported
                outline(command)


def _read(note: Any) -> Outline:
    help, parameters, commands = note
    return Outline(help, [Parameter(*row) for row in parameters], {name: _read(row) for name, row in commands.items()})


# --- Made from the command itself -------------------------------------------------------------------------------------


def _made(name: str) -> Outline:
    from typer.main import get_command

    from ludus.cli.app import app_for

    root: Any = get_command(app_for([name]))
    return _of(root, root.make_context("ludus", [], resilient_parsing=True))


def _of(command: Any, context: Any) -> Outline:
    """The outline of a command of Typer's; the context says how help is asked for."""
    from typer.core import TyperGroup

    completers = _completers(command.callback)
    parameters = [_parameter(parameter, completers) for parameter in command.get_params(context)]
    commands = {}
    for name in command.list_commands(context) if isinstance(command, TyperGroup) else ():
        inner: Any = command.get_command(context, name)
        if not inner.hidden:
            commands[name] = _of(inner, inner.make_context(name, [], parent=context, resilient_parsing=True))
    summary = (command.help or "").split("\n\n")[0]
    return Outline(" ".join(summary.split()), [found for found in parameters if found], commands)


def _completers(callback: Any) -> dict[str, str]:
    """The function that completes each parameter, as MODULE:FUNCTION."""
    from typer.utils import get_params_from_function

    if callback is None:
        return {}
    found = {}
    for name, declared in get_params_from_function(callback).items():
        if (completer := getattr(declared.default, "autocompletion", None)) and "<" not in completer.__qualname__:
            found[name] = f"{completer.__module__}:{completer.__qualname__}"
    return found


def _parameter(parameter: Any, completers: Mapping[str, str]) -> Parameter | None:
    from typer.core import TyperArgument

    if parameter.hidden:
        return None
    is_argument = isinstance(parameter, TyperArgument)
    is_flag = not is_argument and (parameter.is_flag or parameter.count)
    flags = [] if is_argument else [*parameter.opts, *parameter.secondary_opts]
    metavar = parameter.metavar or ""
    choices = [str(getattr(value, "value", value)) for value in parameter.type_descriptor.choices or ()]
    if not choices and "|" in metavar and metavar.islower():  # as `choice` writes its values
        choices = metavar.split("|")
    return Parameter(
        name=parameter.name,
        flags=flags,
        values=0 if is_flag else parameter.nargs,
        help=" ".join((parameter.help or "").split()),
        words=choices,
        completer=completers.get(parameter.name, ""),
    )
