"""Completion in the shell: names of games, agents, formats, tournaments and episodes.

Commands give these functions to Typer as `autocompletion`. A shell asks at every press of the tab key, so nothing here
loads Typer, a database library or a compiler.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

from ludus.core.paths import data_folder
from ludus.core.registry import find, names
from ludus.core.source_notes import noted
from ludus.store.names import episode_names, tournament_names

Offer = str | tuple[str, str]
"""A word, or a word with its help."""


class Line(NamedTuple):
    """The values on the command line so far, by the name of their option or argument, as `typer.Context` has them."""

    params: dict[str, str]


def complete_game(incomplete: str) -> list[Offer]:
    """Names of games, and after a colon their parameters."""
    return _parameters("game", incomplete) or _starting(incomplete, names("game"))


def complete_agent(incomplete: str) -> list[Offer]:
    """Names of agents with their parameters, of protocols of bots, and of saved agents."""
    known = [*names("agent"), *names("protocol"), *_saved()]
    return _parameters("agent", incomplete) or _starting(incomplete, known)


def complete_format(incomplete: str) -> list[Offer]:
    """Names of formats, and after a colon their parameters."""
    return _parameters("format", incomplete) or _starting(incomplete, names("format"))


def complete_tournament(ctx: Line, incomplete: str) -> list[Offer]:
    """Numbers and names of stored tournaments."""
    return _starting(incomplete, _tournaments(ctx))


def complete_episode(ctx: Line, incomplete: str) -> list[Offer]:
    """Stored episodes: tournaments first, and the episodes of one after its slash, or if no other has such a name."""
    tournament, slash, _ = incomplete.rpartition("/")
    found = [tournament] if slash else [name for name in _tournaments(ctx) if name.startswith(incomplete)]
    if len(found) != 1:
        return [f"{name}/" for name in found]
    return _starting(incomplete, (f"{found[0]}/{place}" for place in episode_names(found[0], _store(ctx))))


def _store(ctx: Line) -> str:
    """The store that is typed, as the shell is going to read it; empty: the default one."""
    return os.path.expanduser(os.path.expandvars(ctx.params.get("store") or ""))


def _tournaments(ctx: Line) -> list[str]:
    found = tournament_names(_store(ctx))
    return [*map(str, found), *found.values()]


def _saved() -> list[str]:
    return sorted(f"@{file.stem}" for file in (data_folder() / "agents").glob("*.toml"))


def _starting(incomplete: str, known: Iterable[str]) -> list[Offer]:
    return [name for name in known if name.startswith(incomplete)]


def _parameters(noun: str, incomplete: str) -> list[Offer]:
    """The specs that an incomplete one can go on to, by one more parameter or its value."""
    name, colon, rest = incomplete.partition(":")
    if not colon or name not in names(noun):
        return []
    earlier, comma, last = rest.rpartition(",")
    key, equals, _ = last.partition("=")
    start, given = f"{name}:{earlier}{comma}", [part.partition("=")[0] for part in earlier.split(",")]
    declared = noted(f"parameters of {noun} {name}", lambda: _declared(noun, name))
    if equals:
        return [f"{start}{key}={value}" for known, _, _, values in declared if known == key for value in values]
    found = [row for row in declared if row[0] not in given and row[0].startswith(key)]
    offers: list[Offer] = [(f"{start}{known}=", help) for known, help, _, _ in found]
    if len(found) == 1 and (default := found[0][2]):  # a shell would add a space to the only word
        offers.append((f"{start}{found[0][0]}={default}", "default"))
    return offers


def _declared(noun: str, name: str) -> list[tuple[str, str, str, list[str]]]:
    """Each parameter of a game, an agent or a format: its name, help, default and possible values if they are few."""
    from ludus.core.spec import Configurable

    return [
        (p.name, p.help, "" if p.required else p.write(p.default), ["yes", "no"] if p.kind is bool else [*p.choices])
        for p in find(Configurable, name, noun).parameters()
    ]
