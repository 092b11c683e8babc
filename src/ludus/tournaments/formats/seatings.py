"""Balanced seatings for any number of seats, by base blocks that are developed modulo the number of agents."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from ludus.core.spec import param
from ludus.tournaments.formats.format import Format, Match, Rounds
from ludus.tournaments.formats.lots import Lots

Numbers = NDArray[np.int64]

_STARTS, _CLIMBS, _NEIGHBOURS = 64, 8, 1024
_MEETING = 3
"""How much more even meetings count than who sits where in them."""


class Seatings(Format):
    """Everybody meets everybody, and has each seat equally often.

    In each round of as many matches as there are agents, everybody has each seat once. The rounds are chosen so that
    all pairs meet about equally often, and from all pairs of seats. If the matches are no multiple of the agents, the
    last round is cut short, and nobody has a seat more than once more often than another.
    """

    name = "seatings"
    matches: int | None = param(None, "number of matches; none: as many as in a double round robin", low=1)

    def unsuited(self, agents: int, seats: int) -> str | None:
        if seats < 2:
            return "is for games of two players or more, and the game has one: take the format solo"
        if agents < seats:
            return f"needs an agent for each of the {seats} seats, and there are only {agents}"
        if self.matches is not None and self.matches < (enough := _enough(agents, seats)):
            return f"needs {enough} matches for all {agents} agents to meet at {seats} seats: take at least so many"
        return None

    @property
    def rotates_seats(self) -> bool:
        return True

    def most_matches(self, agents: int, seats: int) -> int:
        return agents * (agents - 1) if self.matches is None else self.matches

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        places = Lots(seed, self.name).shuffled(range(agents))
        matches = islice(_matches(agents, seats), self.most_matches(agents, seats))
        yield [Match(match.round, tuple(places[place] for place in match.seats)) for match in matches]


def _matches(agents: int, seats: int) -> Iterator[Match]:
    """Ever more matches: each round is a base block and its translations, in an order that lets all play alike."""
    for turn, block in enumerate(_base_blocks(agents, seats)):
        for shift in _spread(block, agents):
            yield Match(turn, tuple(int(place) for place in (block + shift) % agents))


@lru_cache
def _enough(agents: int, seats: int) -> int:
    """After how many matches everybody has met everybody."""
    missing = {(i, j) for j in range(agents) for i in range(j)}
    number = 0
    matches = _matches(agents, seats)
    while missing:
        number += 1
        seated = next(matches).seats
        missing.difference_update((i, j) for i in seated for j in seated)
    return number


def _spread(block: Numbers, agents: int) -> list[int]:
    """The translations of a block in an order in which, wherever it stops, all have played about equally often."""
    played = np.zeros(agents, np.int64)
    seated = (block + np.arange(agents)[:, None]) % agents
    left = np.ones(agents, bool)
    order = []
    for _ in range(agents):
        burden = np.where(left, played[seated].sum(axis=1), np.iinfo(np.int64).max)
        shift = int(burden.argmin())
        left[shift] = False
        played[seated[shift]] += 1
        order.append(shift)
    return order


def _base_blocks(agents: int, seats: int) -> Iterator[Numbers]:
    """Ever more base blocks, each the best that a search finds after those before it.

    A block holds the agent of each seat in one match. Its translations modulo the number of agents give everybody each
    seat once, and let agents meet as often as their difference occurs in it.
    """
    lots = Lots("base blocks", agents, seats)
    balance = _Balance(agents, seats)
    while True:
        starts = np.array([lots.shuffled(range(agents), seats) for _ in range(_STARTS)], np.int64)
        likely = starts[np.argsort(balance.costs(starts), kind="stable")[:_CLIMBS]]
        found = [_climb(block, balance, lots) for block in likely]
        block = found[int(np.argmin(balance.costs(np.array(found))))]
        balance.add(block)
        yield block


def _climb(block: Numbers, balance: "_Balance", lots: Lots) -> Numbers:
    """The best block that is reached by changing one agent at a time."""
    cost = balance.costs(block[None])[0]
    while True:
        near = _neighbours(block, balance.agents, lots)
        costs = balance.costs(near)
        best = int(costs.argmin())
        if costs[best] >= cost:
            return block
        block, cost = near[best], costs[best]


def _neighbours(block: Numbers, agents: int, lots: Lots) -> Numbers:
    """Blocks that differ in one seat, or in two that changed places; only some of them in a large field."""
    seats = len(block)
    count = min(agents, max(1, _NEIGHBOURS // seats))
    values = np.tile((lots.below(agents) + np.arange(count)) % agents, seats)
    places = np.repeat(np.arange(seats), count)
    near = np.where(block == values[:, None], block[places][:, None], block)
    near[np.arange(len(places)), places] = values
    return near


class _Balance:
    """How often agents with a given difference meet, on all seats and on each pair of seats."""

    def __init__(self, agents: int, seats: int) -> None:
        self.agents = agents
        self._one, self._other = np.nonzero(~np.eye(seats, dtype=bool))
        self._met = np.zeros(agents, np.int64)
        self._met_at = np.zeros((seats, seats, agents), np.int64)

    def costs(self, blocks: Numbers) -> Numbers:
        """By how much each block raises the sums of squares, which are least when all counts are equal."""
        differences = (blocks[:, self._other] - blocks[:, self._one]) % self.agents
        cells = differences + self.agents * np.arange(len(blocks))[:, None]
        added = np.bincount(cells.ravel(), minlength=len(blocks) * self.agents).reshape(len(blocks), self.agents)
        meetings = ((2 * self._met + added) * added).sum(axis=1)
        return _MEETING * meetings + 2 * self._met_at[self._one, self._other, differences].sum(axis=1)

    def add(self, block: Numbers) -> None:
        """Count a block that was chosen."""
        differences = (block[self._other] - block[self._one]) % self.agents
        np.add.at(self._met, differences, 1)
        self._met_at[self._one, self._other, differences] += 1
