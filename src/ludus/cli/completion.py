"""Completion in the shell: names of games, agents, formats, tournaments and episodes.

A shell asks at every press of the tab key, so nothing here loads a database library or a compiler.
"""

import os
import shlex
from collections.abc import Iterator

import typer

from ludus.core.paths import data_folder
from ludus.core.registry import names
from ludus.store.names import episode_names, tournament_names


def complete_game(incomplete: str) -> list[str]:
    """Names of games."""
    return _starting(incomplete, names("game"))


def complete_agent(incomplete: str) -> list[str]:
    """Names of agents, of protocols of bots, and of saved agents."""
    return _starting(incomplete, [*names("agent"), *names("protocol"), *_saved()])


def complete_format(incomplete: str) -> list[str]:
    """Names of formats."""
    return _starting(incomplete, names("format"))


def complete_tournament(context: typer.Context, incomplete: str) -> list[str]:
    """Numbers and names of stored tournaments."""
    found = tournament_names(context.params.get("store"))
    return _starting(incomplete, [*map(str, found), *found.values()])


def complete_episode(context: typer.Context, incomplete: str) -> list[str]:
    """Stored episodes: tournaments first, and the episodes of one after its slash."""
    store = context.params.get("store")
    tournament, slash, _ = incomplete.rpartition("/")
    if slash:
        return _starting(incomplete, [f"{tournament}/{place}" for place in episode_names(tournament, store)])
    return [f"{name}/" for name in complete_tournament(context, incomplete)]


def _saved() -> list[str]:
    folder = data_folder() / "agents"
    return sorted(f"@{file.stem}" for file in folder.glob("*.toml"))


def _starting(incomplete: str, known: list[str]) -> list[str]:
    return [*_escaped(name for name in known if name.startswith(incomplete))]


def _escaped(found: Iterator[str]) -> Iterator[str]:
    """Quote names with blanks for Bash; other shells quote by themselves."""
    is_bash = os.environ.get("_LUDUS_COMPLETE", "").endswith("bash")
    return (shlex.quote(name) if is_bash and " " in name else name for name in found)
