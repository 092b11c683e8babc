"""Which episodes are played next: those that are not stored, some of one match at a time."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ludus.formats.base import Match

_WINDOW = 256
"""Matches that are looked at together: memory stays the same however many there are."""
_LAYER = 64
"""Episodes of a match that are played before its neighbours have their turn: pairs with seats swapped stay together."""

Stored = Callable[[range, range], dict[int, np.ndarray]]
"""For these matches, which of these episodes are stored: their numbers by match."""


class Work(NamedTuple):
    """Episodes of one match that are to be played."""

    match: int
    seats: tuple[int, ...]
    numbers: Sequence[int]


class Schedule:
    """The episodes of a round that are not stored yet, dealt in parts.

    Some episodes of a match go together, and matches come in their order, except that an exclusive agent never gets a
    second part before its first is done.
    """

    def __init__(
        self,
        matches: Sequence[Match],
        first: int,
        episodes: int,
        stored: Stored,
        exclusive: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        """`exclusive` has the agents that must not play twice at once, with what they are: equal ones are the same."""
        self._works = self._missing(matches, first, episodes, stored)
        self._open: deque[Work] = deque()
        self._exclusive = exclusive
        self._busy: set[str] = set()

    def take(self, most: Callable[[tuple[int, ...]], int]) -> Work | None:
        """Episodes that can be played now; `most` says how many of these agents may go together, 0 for not now."""
        for place, work in enumerate(self._candidates()):
            exclusive, count = self._exclusives(work.seats), most(work.seats)
            if count and self._busy.isdisjoint(exclusive):
                del self._open[place]
                if len(work.numbers) > count:
                    self._open.insert(place, work._replace(numbers=work.numbers[count:]))
                self._busy.update(exclusive)
                return work._replace(numbers=work.numbers[:count])
        return None

    def done(self, seats: Iterable[int]) -> None:
        """The part that these agents played is done."""
        self._busy.difference_update(self._exclusives(seats))

    def again(self, work: Work) -> None:
        """Part of what was taken is to be played after all, first of all."""
        self._open.appendleft(work)

    def _exclusives(self, seats: Iterable[int]) -> set[str]:
        return {self._exclusive[agent] for agent in seats if agent in self._exclusive}

    def _candidates(self) -> Iterator[Work]:
        place = 0
        while True:
            while place >= len(self._open):
                work = next(self._works, None)
                if work is None:
                    return
                self._open.append(work)
            yield self._open[place]
            place += 1
            if place > _WINDOW:
                return

    @staticmethod
    def _missing(matches: Sequence[Match], first: int, episodes: int, stored: Stored) -> Iterator[Work]:
        for low in range(0, len(matches), _WINDOW):
            window = matches[low : low + _WINDOW]
            numbered = range(first + low, first + low + len(window))
            for layer in range(0, episodes, _LAYER):
                wanted = range(layer, min(layer + _LAYER, episodes))
                found = stored(numbered, wanted)
                for number, match in zip(numbered, window, strict=True):
                    numbers: Sequence[int] = wanted
                    if number in found:
                        numbers = np.setdiff1d(wanted, found[number]).tolist()
                    if numbers:
                        yield Work(number, match.seats, numbers)
