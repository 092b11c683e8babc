"""The episodes to play next: those that are not stored, some of one match at a time."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ludus.tournaments.formats import Match

_WINDOW = 256
"""Matches that are looked at together: memory stays the same however many there are."""
_LAYER = 64
"""Episodes of a match that may be dealt before its neighbours are: however many there are, those with the same opening
and seats swapped stay together."""

Stored = Callable[[range, range], dict[int, np.ndarray]]
"""For these matches, which of these episodes are stored: their numbers by match."""


class Work(NamedTuple):
    """Episodes of one match that are to be played."""

    match: int
    seats: tuple[int, ...]
    numbers: Sequence[int]


class Schedule:
    """The episodes of a round that are not stored yet, dealt in parts.

    Some episodes of a match go together, and matches take turns, so that whoever stops has played each of them about as
    often; except that an exclusive agent never gets a second part before its first is done.
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
        self._coming = self._missing(matches, first, episodes, stored)
        self._layers: deque[deque[Work]] = deque()
        self._exclusive = exclusive
        self._busy: set[str] = set()

    def take(self, most: Callable[[tuple[int, ...]], int]) -> Work | None:
        """Episodes that can be played now; `most` says how many of these agents may go together, 0 for not now."""
        for layer, work in self._candidates():
            exclusive, count = self._exclusives(work.seats), most(work.seats)
            if count and self._busy.isdisjoint(exclusive):
                layer.remove(work)
                if len(work.numbers) > count:
                    layer.append(work._replace(numbers=work.numbers[count:]))
                elif not layer:
                    self._layers.remove(layer)
                self._busy.update(exclusive)
                return work._replace(numbers=work.numbers[:count])
        return None

    def done(self, seats: Iterable[int]) -> None:
        """The part that these agents played is done."""
        self._busy.difference_update(self._exclusives(seats))

    def again(self, work: Work) -> None:
        """Part of what was taken is to be played after all, first of all."""
        self._layers.appendleft(deque([work]))

    def _exclusives(self, seats: Iterable[int]) -> set[str]:
        return {self._exclusive[agent] for agent in seats if agent in self._exclusive}

    def _candidates(self) -> Iterator[tuple[deque[Work], Work]]:
        """The work that is left, each in its turn and with its layer; no more than a window of it."""
        seen = 0
        for layer in self._left():
            for work in layer:
                yield layer, work
                seen += 1
                if seen > _WINDOW:
                    return

    def _left(self) -> Iterator[deque[Work]]:
        yield from self._layers
        for layer in self._coming:
            self._layers.append(layer)
            yield layer

    @staticmethod
    def _missing(matches: Sequence[Match], first: int, episodes: int, stored: Stored) -> Iterator[deque[Work]]:
        for low in range(0, len(matches), _WINDOW):
            window = matches[low : low + _WINDOW]
            numbered = range(first + low, first + low + len(window))
            for layer in range(0, episodes, _LAYER):
                wanted = range(layer, min(layer + _LAYER, episodes))
                found = stored(numbered, wanted)
                works: deque[Work] = deque()
                for number, match in zip(numbered, window, strict=True):
                    numbers: Sequence[int] = wanted
                    if number in found:
                        numbers = np.setdiff1d(wanted, found[number]).tolist()
                    if numbers:
                        works.append(Work(number, match.seats, numbers))
                if works:
                    yield works
