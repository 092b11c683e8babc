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
from ludus.core.text import did_you_mean
from ludus.tournaments.field import entrant_from
from ludus.tournaments.tournament import Entrant

_RUN_BY = {"": "", ".sh": "", ".exe": "", **RUNNERS}
"""Programs that run a file, by the ending of its name; empty if the file runs by itself."""


def bot_in(folder: Path, name: str) -> Entrant:
    """The bot with that name in a tournament folder."""
    if "/" in name or not (folder / name).is_dir():
        near = did_you_mean(name, bots_in(folder))
        place = "the current folder" if folder == Path() else folder
        raise NotFoundError(f"There is no bot '{name}' in {place}{near}: each bot needs a folder with its own name.")
    command = _command(folder / name, name)
    if command is None:
        endings = ", ".join(filter(None, _RUN_BY))
        raise InvalidError(
            f"{folder / name} has no program named {name} or bot (without an ending, or with {endings})."
        )
    return Entrant(name, agent_from(f"stdio:{command}").spec())


def named_in(folder: Path, name: str) -> Entrant:
    """The bot with that name in a tournament folder or, if there is none, the agent with that name."""
    is_agent = name not in bots_in(folder) and (name in agent_names("agent") or any(mark in name for mark in ":@/"))
    return entrant_from(name) if is_agent else bot_in(folder, name)


def bots_in(folder: Path) -> list[str]:
    """Names of the bots in a tournament folder."""
    with file_errors(folder, "read"):
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    return [name for name in names if _command(folder / name, name) is not None]


def _command(place: Path, name: str) -> str | None:
    for program_name, (ending, runner) in itertools.product((name, "bot"), _RUN_BY.items()):
        program = (place / f"{program_name}{ending}").absolute()
        if program.is_file() and (runner or os.access(program, os.X_OK)):
            return f"{runner} {shlex.quote(str(program))}".strip()
    return None
