"""Tournament folders: a folder for each bot, whose program is named like it or called `bot`."""

import itertools
import os
import shlex
from pathlib import Path

from ludus.agents.agent import agent_from
from ludus.core.errors import InvalidError, NotFoundError
from ludus.core.paths import file_errors
from ludus.core.registry import names as agent_names
from ludus.core.spec import RUNNERS
from ludus.core.text import did_you_mean, refuse_foul
from ludus.tournaments.field import entrant_from
from ludus.tournaments.tournament import Entrant

_RUN_BY = {"": "", ".sh": "", ".exe": "", **RUNNERS}
"""Programs that run a file, by the ending of its name; empty if the file runs by itself."""
_SOURCES = (".c", ".cpp", ".java", ".rs")
"""Endings of files that run once they are compiled."""


def bot_in(folder: Path, name: str) -> Entrant:
    """The bot with that name in a tournament folder."""
    if "/" in name or not (folder / name).is_dir():
        near = did_you_mean(name, bots_in(folder))
        place = "the current folder" if folder == Path() else folder
        raise NotFoundError(f"There is no bot '{name}' in {place}{near}: each bot needs a folder with its own name.")
    command = _command(folder / name, name)
    if command is None:
        raise InvalidError(f"{folder / name} {_lacking(folder / name, name)}.")
    refuse_foul(name)
    return Entrant(name, agent_from(f"stdio:{command}").spec())


def named_in(folder: Path, name: str) -> Entrant:
    """The bot with that name in a tournament folder or, if there is none, the agent with that name."""
    is_agent = name not in bots_in(folder) and (name in agent_names("agent") or any(mark in name for mark in ":@/"))
    return entrant_from(name) if is_agent else bot_in(folder, name)


def bots_in(folder: Path) -> list[str]:
    """Names of the bots in a tournament folder."""
    return [name for name in _folders_in(folder) if _command(folder / name, name) is not None]


def skipped_in(folder: Path) -> list[str]:
    """A sentence on each folder in a tournament folder without a bot, with the reason."""
    return [
        f"{folder / name} is left out, because it {_lacking(folder / name, name)}."
        for name in _folders_in(folder)
        if _command(folder / name, name) is None
    ]


def _folders_in(folder: Path) -> list[str]:
    """Names of the folders in a folder, without hidden ones and those of Python."""
    with file_errors(folder, "read"):
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    return [name for name in names if not name.startswith((".", "__"))]


def _command(place: Path, name: str) -> str | None:
    for program_name, (ending, runner) in itertools.product(_names(name), _RUN_BY.items()):
        program = (place / f"{program_name}{ending}").absolute()
        if program.is_file() and (runner or os.access(program, os.X_OK)):
            return f"{runner} {shlex.quote(str(program))}".strip()
    return None


def _names(folder: str) -> tuple[str, ...]:
    """The names that the program in a folder may have; that of a Java class begins with a capital."""
    return folder, "bot", "Bot"


def _lacking(place: Path, name: str) -> str:
    """The reason why a folder has no program, after its name."""
    for program_name in _names(name):
        for ending, runner in _RUN_BY.items():
            if not runner and (place / f"{program_name}{ending}").is_file():
                return f"has {program_name}{ending}, which is not executable: run 'chmod +x' on it"
        for ending in _SOURCES:
            if (place / f"{program_name}{ending}").is_file():
                return f"has {program_name}{ending}, which is not compiled yet"
    endings = ", ".join(filter(None, _RUN_BY))
    return f"has no program named {name} or bot (without an ending, or with {endings})"
