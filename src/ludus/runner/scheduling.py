"""Which episodes are played next: those that are not stored, some of one match at a time."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ludus.formats.base import Match

_WINDOW = 256
"""Matches that are looked at together: memory stays the same however many there are."""
_LAYER = 64
"""Episodes of a match that are played before its neighbours have their turn: pairs with seats swapped stay together."""

Stored = Callable[[int, int], dict[int, np.ndarray]]
"""The numbers of the stored episodes of matches from the first to before the last, by match."""


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
        exclusive: frozenset[int] = frozenset(),
    ) -> None:
        self._works = self._missing(matches, first, episodes, stored)
        self._open: deque[Work] = deque()
        self._exclusive = exclusive
        self._busy: set[int] = set()

    def take(self, most: int) -> Work | None:
        """At most so many episodes that can be played now; None if there are none."""
        for place, work in enumerate(self._candidates()):
            if self._busy.isdisjoint(work.seats):
                del self._open[place]
                if len(work.numbers) > most:
                    self._open.insert(place, work._replace(numbers=work.numbers[most:]))
                self._busy.update(self._exclusive.intersection(work.seats))
                return work._replace(numbers=work.numbers[:most])
        return None

    def done(self, seats: Iterable[int]) -> None:
        """The part that these agents played is done."""
        self._busy.difference_update(seats)

    def again(self, work: Work) -> None:
        """Part of what was taken is to be played after all, first of all."""
        self._open.appendleft(work)

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
            found = stored(first + low, first + low + len(window))
            lacking = {number: np.ones(episodes, np.bool_) for number in found}
            for number, there in found.items():
                lacking[number][there] = False
            for layer in range(0, episodes, _LAYER):
                wanted = range(layer, min(layer + _LAYER, episodes))
                for number, match in enumerate(window, first + low):
                    numbers: Sequence[int] = wanted
                    if number in lacking:
                        numbers = (layer + np.flatnonzero(lacking[number][layer : layer + _LAYER])).tolist()
                    if numbers:
                        yield Work(number, match.seats, numbers)
