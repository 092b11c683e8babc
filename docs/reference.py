"""Write docs/commands.md, docs/api.md and the keys in docs/tournament-files.md from their declarations in the package.

python docs/reference.py
"""

import contextlib
import inspect
import io
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main
from typer.core import TyperGroup

import ludus
from ludus.cli import screen
from ludus.cli.app import app_for
from ludus.cli.help import show_help
from ludus.core.kinds import Kind
from ludus.episode.limits import LIMITS, UNLIMITED, Limit
from ludus.tournaments.file import KEYS
from ludus.tournaments.run_options import AS_USUAL, RUN_OPTIONS

DOCS = Path(__file__).parent
BEGIN, END = "<!-- keys: python docs/reference.py -->\n", "<!-- end of the keys -->\n"
COLUMNS = 88  # as many as fit on a page of the site

# --- Commands -------------------------------------------------------------------------------------------------------


def commands_page() -> str:
    """Every command with its help, as a page."""
    os.environ["COLUMNS"] = str(COLUMNS)
    screen.output.cache_clear()
    parts = [
        "# Commands\n",
        "Every command with its options, as `--help` prints them. `python docs/reference.py` writes this page.\n",
    ]
    for name in _below(_context([])):
        for context in _tree(_below(_context([name]))[name]):
            parts.append(f"{'#' * len(context.command_path.split())} {context.command_path}\n")
            parts.append(f"```text\n{_help(context)}\n```\n")
    screen.output.cache_clear()
    return "\n".join(parts)


def _context(words: list[str]) -> typer.Context:
    command = typer.main.get_command(app_for(words))
    return typer.Context(command, info_name="ludus", **command.context_settings)


def _tree(context: typer.Context) -> Iterator[typer.Context]:
    """A command and all commands below it."""
    yield context
    for below in _below(context).values():
        yield from _tree(below)


def _below(context: typer.Context) -> dict[str, typer.Context]:
    """The commands of a group."""
    group = context.command
    if not isinstance(group, TyperGroup):
        return {}
    found = {name: group.get_command(context, name) for name in group.list_commands(context)}
    return {
        name: typer.Context(command, parent=context, info_name=name)
        for name, command in found.items()
        if command is not None and not command.hidden
    }


def _help(context: typer.Context) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        show_help(obj=context.command, ctx=context, markup_mode=None)
    return "\n".join(line.rstrip() for line in printed.getvalue().strip().splitlines())


# --- Names of the Python API -----------------------------------------------------------------------------------------


def api_page() -> str:
    """The public names of `ludus` in groups, each with the first line of its docstring, as a page."""
    names = {name: getattr(ludus, name) for name in ludus.__all__ if not name.startswith("_")}
    errors = {name for name, found in names.items() if inspect.isclass(found) and issubclass(found, Exception)}
    classes = {name for name, found in names.items() if inspect.isclass(found)} - errors
    functions = {name for name, found in names.items() if inspect.isfunction(found)}
    groups = {
        "Functions": functions,
        "Classes": classes,
        "Errors": errors,
        "Types": names.keys() - functions - classes - errors,
    }
    parts = [
        "# Python reference\n",
        "The public names of `ludus`, on the site with their signatures. [Python](python.md) is the guide.\n",
    ]
    for heading, group in groups.items():
        parts.append(f"## {heading}\n\n| Name | Meaning |\n| --- | --- |")
        parts.append("\n".join(f"| `ludus.{name}` | {_first_line(names[name])} |" for name in sorted(group)) + "\n")
    return "\n".join(parts)


def _first_line(found: Any) -> str:
    if found is ludus.Duration:
        return "A time in nanoseconds, written with a unit, such as `250ms` or `1.5s`."
    return (inspect.getdoc(found) or "").partition("\n\n")[0].replace("\n", " ").replace("|", "\\|")


# --- Keys of tournament files ----------------------------------------------------------------------------------------

_WORDS = {
    "game": ("required", "The game."),
    "agents": ("required", "The agents, see below."),
    "format": ("by the number of players", "Who plays whom, such as `swiss:rounds=5`."),
    "episodes": ("1", "Episodes per match."),
    "repetitions": ("1", "Play the whole tournament this many times, with different seeds."),
    "limits": ("none", "The table of limits."),
}


def with_keys(page: str) -> str:
    """A page with its tables of keys made anew."""
    head, rest = page.split(BEGIN)
    tail = rest.split(END)[1]
    return f"{head}{BEGIN}\n{keys()}\n{END}{tail}"


def keys() -> str:
    """The tables of keys: of the file, and below `[limits]`."""
    top = _table((key, kind, *_top(key)) for key, kind in KEYS.items())
    limits = _table((limit.key, limit.kind, _limit_default(name), _limit_help(limit)) for name, limit in LIMITS.items())
    return f"{top}\nBelow `[limits]`:\n\n{limits}"


def _table(rows: Iterator[tuple[str, Kind | type, str, str]]) -> str:
    lines = ["| Key | Value | Default | Meaning |", "| --- | --- | --- | --- |"]
    for key, kind, default, meaning in rows:
        lines.append(f"| `{key}` | {_value(kind)} | {default} | {meaning} |")
    return "\n".join(lines) + "\n"


def _value(kind: Kind | type) -> str:
    """The kind of a value in words, without its range."""
    if isinstance(kind, Kind):
        return re.split(" from | of at least ", kind.expects)[0]
    return "a list" if kind is list else "a table"


def _top(key: str) -> tuple[str, str]:
    if key in _WORDS:
        return _WORDS[key]
    option = RUN_OPTIONS[key]
    default = getattr(AS_USUAL, key)
    return ("none" if default is None else option.kind.write(default)), option.help


def _limit_help(limit: Limit) -> str:
    help = limit.help.replace("; a number alone is milliseconds", "")  # only on the command line
    return f"{help} Bots only." if limit.only_bots else help


def _limit_default(name: str) -> str:
    limit, default = LIMITS[name], getattr(UNLIMITED, name)
    if default is not None:
        return limit.kind.write(default) if default else "0"
    return f"none; bots {limit.kind.write(limit.bots)}" if limit.bots else "none"


def pages() -> dict[Path, str]:
    """The pages as they should be, by their files."""
    files = DOCS / "tournament-files.md"
    return {
        DOCS / "commands.md": commands_page(),
        DOCS / "api.md": api_page(),
        files: with_keys(files.read_text(encoding="utf-8")),
    }


if __name__ == "__main__":
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")
