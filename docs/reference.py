"""Write docs/commands.md and the table of keys in docs/tournament-files.md from their declarations in the package.

python docs/reference.py
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from ludus.cli import app_for
from ludus.core.kinds import Kind
from ludus.episode.limits import LIMITS, UNLIMITED, Limit
from ludus.tournaments.file import KEYS
from ludus.tournaments.run_options import AS_USUAL, RUN_OPTIONS

DOCS = Path(__file__).parent
BEGIN, END = "<!-- keys: python docs/reference.py -->\n", "<!-- end of the keys -->\n"
COLUMNS = 96

# --- Commands -------------------------------------------------------------------------------------------------------


def commands_page() -> str:
    """Every command with its help, as a page."""
    parts = [
        "# Commands\n",
        "Every command with its options, as `--help` prints them. `python docs/reference.py` writes this page.\n",
    ]
    for name in _subcommands(_command([])):
        for words, command in _tree([name], _subcommands(_command([name]))[name]):
            context = command.context_class(
                command, info_name=" ".join(["ludus", *words]), terminal_width=COLUMNS, max_content_width=COLUMNS
            )
            lines = (line.rstrip() for line in command.get_help(context).splitlines())
            parts.append(f"{'#' * (len(words) + 1)} ludus {' '.join(words)}\n")
            parts.append("```text\n" + "\n".join(lines).strip() + "\n```\n")
    return "\n".join(parts)


def _command(words: list[str]) -> Any:
    app = app_for(words)
    app.rich_markup_mode = None  # plain text, without boxes
    return typer.main.get_command(app)


def _tree(words: list[str], command: Any) -> Iterator[tuple[list[str], Any]]:
    """A command and all commands below it."""
    command.rich_markup_mode = None
    yield words, command
    for name, below in _subcommands(command).items():
        yield from _tree([*words, name], below)


def _subcommands(command: Any) -> dict[str, Any]:
    found: dict[str, Any] = getattr(command, "commands", {})
    return {name: below for name, below in found.items() if not below.hidden}


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
        value = (
            kind.expects.partition(" from ")[0] if isinstance(kind, Kind) else "a list" if kind is list else "a table"
        )
        lines.append(f"| `{key}` | {value} | {default} | {meaning} |")
    return "\n".join(lines) + "\n"


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
    return {DOCS / "commands.md": commands_page(), files: with_keys(files.read_text(encoding="utf-8"))}


if __name__ == "__main__":
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")
