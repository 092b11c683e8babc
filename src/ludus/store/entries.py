"""Entries of the store: tournaments, episodes and their names.

An episode is TOURNAMENT/MATCH.EPISODE, or TOURNAMENT/REPETITION.MATCH.EPISODE; all count from 1.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from ludus.core.errors import InvalidError
from ludus.episode.codec import moment, unpack
from ludus.episode.record import Key, Record
from ludus.store.origin import content_of
from ludus.tournaments.tournament import Tournament

if TYPE_CHECKING:
    from sqlalchemy import Row

_EPISODE = re.compile(r".+/\d+\.\d+(\.\d+)?")


class Entry(NamedTuple):
    """A tournament in the store; `changed` has a sentence for each version that has changed since it began."""

    id: int
    tournament: Tournament
    changed: list[str]
    new: bool  # just created


class Summary(NamedTuple):
    """A tournament in a list, with the number of its stored episodes."""

    id: int
    name: str
    game: str
    format: str
    agents: int
    created: datetime
    finished: datetime | None
    episodes: int
    identity: str

    @classmethod
    def from_row(cls, row: "Row[Any]") -> "Summary":
        """Create a summary from a row of the tournaments with the number of episodes."""
        content = content_of(row.content)
        finished = None if row.finished is None else moment(row.finished)
        return cls(
            row.id,
            row.name,
            content.game,
            content.format,
            len(content.agents),
            moment(row.created),
            finished,
            row.episodes,
            row.identity,
        )


class Stamp(NamedTuple):
    """The state of a tournament, so that equal stamps mean equal results: what it is, and how far it was played."""

    name: str
    size: int  # of its content
    finished: int | None
    sittings: int
    ended: int  # sittings
    episodes: int


class Sitting(NamedTuple):
    """A period in which a tournament was played; without an end if it was interrupted or is running."""

    started: datetime
    ended: datetime | None
    workers: int
    cores: int
    timed: bool
    ludus: str

    @classmethod
    def from_row(cls, row: "Row[Any]") -> "Sitting":
        """Create one from a row of the sittings."""
        ended = None if row.ended is None else moment(row.ended)
        return cls(moment(row.started), ended, row.workers, row.cores, row.timed, row.ludus)


class Whole(NamedTuple):
    """An episode with its record, and facts that are not in the record."""

    key: Key
    wall: int
    course: int
    record: Record


def stored_record(packed: bytes, tournament: Tournament, seats: Sequence[int]) -> Record:
    """The record of a stored episode; `seats[i]` is the number of the agent at seat i."""
    agents = [tournament.agents[number] for number in seats]
    return unpack(packed, tournament.game, tournament.limits, [(agent.spec, agent.name) for agent in agents])


def names_episode(text: str) -> bool:
    """True if a text could be the name of an episode."""
    return _EPISODE.fullmatch(text) is not None


def episode_name(tournament: int | str, key: Key, repetitions: int) -> str:
    """The name of an episode."""
    numbers = key if repetitions > 1 else key[1:]
    return f"{tournament}/{'.'.join(str(number + 1) for number in numbers)}"


def episode_key(name: str, place: str, repetitions: int) -> Key:
    """The key of an episode from the last part of its name."""
    numbers = [int(part) - 1 for part in place.split(".") if part.isdecimal() and len(part) < 20]
    if len(numbers) == 2:  # of the first repetition, also if more were added later
        numbers.insert(0, 0)
    if len(numbers) != 3 or not all(0 <= number < 2**31 for number in numbers):
        form = "MATCH.EPISODE" if repetitions == 1 else "REPETITION.MATCH.EPISODE"
        raise InvalidError(f"'{name}' is not the name of an episode: write TOURNAMENT/{form}, counted from 1.")
    return Key(*numbers)
