"""Balanced seatings for any number of seats, by base blocks that are developed modulo the number of agents."""

from collections.abc import Iterator, Sequence
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
"""Weight of even pairings compared with even seats within them."""


class Seatings(Format):
    """All agents meet each other, and have each seat equally often.

    In each round of as many matches as there are agents, every agent has each seat once. The rounds are chosen so that
    all pairs meet about equally often, and from all pairs of seats. If the number of matches is not a multiple of the
    number of agents, the last round is shortened, and how often agents have a seat differs by at most one.
    """

    name = "seatings"
    matches: int | None = param(None, "number of matches; by default as many as in a double round robin", low=1)

    def unsuited(self, agents: int, seats: int) -> str | None:
        if seats < 2:
            return "is for games of two players or more, but the game has one: use the format solo"
        if agents < seats:
            return f"needs an agent for each of the {seats} seats, but there are only {agents}"
        if self.matches is not None and self.matches < (enough := _enough(agents, seats)):
            return f"needs {enough} matches for all {agents} agents to meet at {seats} seats: use at least that many"
        return None

    @property
    def rotates_seats(self) -> bool:
        return True

    @property
    def can_grow(self) -> bool:
        return self.matches is None

    def most_matches(self, agents: int, seats: int) -> int:
        return agents * (agents - 1) if self.matches is None else self.matches

    def schedule(self, agents: int, seats: int, seed: int) -> Rounds:
        places = Lots(seed, self.name).shuffled(range(agents))
        matches = islice(_matches(agents, seats), self.most_matches(agents, seats))
        yield [Match(match.round, tuple(places[place] for place in match.seats)) for match in matches]

    def joining(self, agents: int, seats: int, before: Sequence[Match]) -> list[Match]:
        """Meetings with each of the others, as often and from as many seats as these met on average."""
        new, turn = agents - 1, before[-1].round + 1
        found = []
        for first in range(new):
            field = (new, *((first + place) % new for place in range(seats - 1)))
            found += [Match(turn + first, seating) for seating in rotations(field)]
        return found


def rotations(field: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The seatings of these agents in which each of them has each seat once."""
    return [field[len(field) - shift :] + field[: len(field) - shift] for shift in range(len(field))]


def _matches(agents: int, seats: int) -> Iterator[Match]:
    """Ever more matches: each round is a base block and its translations, ordered so that all play equally often."""
    for turn, block in enumerate(_base_blocks(agents, seats)):
        for shift in _spread(block, agents):
            yield Match(turn, tuple(int(place) for place in (block + shift) % agents))


@lru_cache
def _enough(agents: int, seats: int) -> int:
    """Number of matches after which all agents have met."""
    missing = {(i, j) for j in range(agents) for i in range(j)}
    number = 0
    matches = _matches(agents, seats)
    while missing:
        number += 1
        seated = next(matches).seats
        missing.difference_update((i, j) for i in seated for j in seated)
    return number


def _spread(block: Numbers, agents: int) -> list[int]:
    """The translations of a block in an order in which, after any match, all have played about equally often."""
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

    A block holds the agent of each seat in one match. Its translations modulo the number of agents give every agent
    each seat once, and let agents meet as often as their difference occurs in it.
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
    """The best block that can be reached by changing one agent at a time."""
    cost = balance.costs(block[None])[0]
    while True:
        near = _neighbours(block, balance.agents, lots)
        costs = balance.costs(near)
        best = int(costs.argmin())
        if costs[best] >= cost:
            return block
        block, cost = near[best], costs[best]


def _neighbours(block: Numbers, agents: int, lots: Lots) -> Numbers:
    """Blocks that differ in one seat, or in two swapped ones; only some of them in a large field."""
    seats = len(block)
    count = min(agents, max(1, _NEIGHBOURS // seats))
    values = np.tile((lots.below(agents) + np.arange(count)) % agents, seats)
    places = np.repeat(np.arange(seats), count)
    near = np.where(block == values[:, None], block[places][:, None], block)
    near[np.arange(len(places)), places] = values
    return near


class _Balance:
    """Counts of meetings of agents with a given difference, on all seats and on each pair of seats."""

    def __init__(self, agents: int, seats: int) -> None:
        self.agents = agents
        self._one, self._other = np.nonzero(~np.eye(seats, dtype=bool))
        self._met = np.zeros(agents, np.int64)
        self._met_at = np.zeros((seats, seats, agents), np.int64)

    def costs(self, blocks: Numbers) -> Numbers:
        """The increase of the sums of squares by each block; they are least when all counts are equal."""
        differences = (blocks[:, self._other] - blocks[:, self._one]) % self.agents
        cells = differences + self.agents * np.arange(len(blocks))[:, None]
        added = np.bincount(cells.ravel(), minlength=len(blocks) * self.agents).reshape(len(blocks), self.agents)
        meetings = ((2 * self._met + added) * added).sum(axis=1)
        return _MEETING * meetings + 2 * self._met_at[self._one, self._other, differences].sum(axis=1)

    def add(self, block: Numbers) -> None:
        """Count a chosen block."""
        differences = (block[self._other] - block[self._one]) % self.agents
        np.add.at(self._met, differences, 1)
        self._met_at[self._one, self._other, differences] += 1
