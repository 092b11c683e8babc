"""Help pages: usage, text, arguments and options in two columns, without frames and types."""

import inspect
import textwrap
from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple

import typer
from rich.text import Text
from typer.core import TyperArgument, TyperGroup, TyperOption

from ludus.cli.screen import output

_WIDEST = 100  # columns; longer lines are hard to read
_NAMES = 26  # columns for the names of options; longer ones have their help on the next line


class Row(NamedTuple):
    """A line of help: the names of an option, an argument or a command, and what it does."""

    names: str
    help: str


def show_help(*, obj: Any, ctx: Any, markup_mode: object) -> None:
    """Print the help page of a command; Typer calls this in place of its own renderer."""
    width = min(output().width, _WIDEST)
    output().print(Text.assemble(("Usage: ", "bold"), _usage(obj, ctx)), soft_wrap=True)
    for paragraph in inspect.cleandoc(obj.help or "").split("\n\n"):
        _print("")
        _print(textwrap.fill(" ".join(paragraph.split()), width))
    _print_sections(_commands(obj, ctx), width)
    _print_sections(_parameters(obj, ctx), width)
    if obj.epilog:
        _print("")
        _print(obj.epilog, "dim")


def _usage(command: Any, context: typer.Context) -> str:
    words = [context.command_path]
    for parameter in command.get_params(context):
        if isinstance(parameter, TyperArgument):
            name = parameter.metavar or parameter.display_name_raw.upper()
            name += " …" if parameter.nargs == -1 and not name.endswith("…") else ""
            words.append(name if parameter.required else f"[{name}]")
    return " ".join([*words, "COMMAND …" if isinstance(command, TyperGroup) else "[OPTIONS]"])


def _commands(command: Any, context: typer.Context) -> dict[str, list[Row]]:
    """The commands of a group by their headings."""
    sections: dict[str, list[Row]] = {}
    if isinstance(command, TyperGroup):
        for name in command.list_commands(context):
            found: Any = command.get_command(context, name)
            summary = " ".join(inspect.cleandoc(found.help or "").partition("\n\n")[0].split())
            sections.setdefault(found.rich_help_panel or "Commands", []).append(Row(name, summary))
    return sections


def _parameters(command: Any, context: typer.Context) -> dict[str, list[Row]]:
    """Arguments and options by their headings."""
    sections: dict[str, list[Row]] = {"Arguments": [], "Options": []}
    for parameter in command.get_params(context):
        if isinstance(parameter, TyperArgument):
            name = parameter.metavar or parameter.display_name_raw.upper()
            sections["Arguments"].append(Row(name, _help(parameter)))
        elif not parameter.hidden:
            sections.setdefault(parameter.rich_help_panel or "Options", []).append(
                Row(_names(parameter, context), _help(parameter))
            )
    return {heading: rows for heading, rows in sections.items() if rows}


def _names(option: TyperOption, context: typer.Context) -> str:
    """The names of an option, the short one first, and its value."""
    names = ", ".join([*sorted(option.opts, key=len), *option.secondary_opts])
    return names if option.is_flag or option.count else f"{names} {_value(option, context)}"


def _value(option: TyperOption, context: typer.Context) -> str:
    """The placeholder of an option's value: its choices, or a word."""
    choices = option.display_type(context).strip("<>")
    return option.metavar or (choices if "|" in choices else (option.name or "").upper())


def _help(parameter: Any) -> str:
    """The help of a parameter with its default, and the environment variable that sets it."""
    notes = []
    shown, default = parameter.show_default, parameter.default
    if isinstance(shown, str):
        notes.append(f"default: {shown}")
    elif shown and not (default is None or isinstance(default, bool | list) or callable(default)):
        notes.append(f"default: {default.value if isinstance(default, Enum) else default}")
    if parameter.required and not isinstance(parameter, TyperArgument):
        notes.append("required")
    if parameter.envvar:
        notes.append(f"environment: {parameter.envvar}")
    return " ".join(filter(None, [parameter.help, f"({', '.join(notes)})" if notes else ""]))


def _print_sections(sections: dict[str, list[Row]], width: int) -> None:
    rows = [row for section in sections.values() for row in section]
    column = min(_NAMES, max((len(row.names) for row in rows), default=0)) + 4
    for heading, section in sections.items():
        _print("")
        _print(heading, "bold")
        for row in section:
            _print_row(row, column, width)


def _print_row(row: Row, column: int, width: int) -> None:
    lines: Sequence[str] = textwrap.wrap(row.help, max(width - column, _NAMES)) or [""]
    first = f"  {row.names}".ljust(column)
    if len(row.names) + 4 > column:
        _print(first, "cyan")
        first = " " * column
    output().print(Text.assemble((first, "cyan"), lines[0]), soft_wrap=True)
    for line in lines[1:]:
        _print(" " * column + line)


def _print(text: str, style: str = "") -> None:
    output().print(Text(text, style), soft_wrap=True)
