"""Places of players as arrays: the base of all standings, and of the table after `ludus play`.

Place r of k is worth (k − r)/(k − 1) points, shared on ties. Agents are numbers. A tally is a number of episodes of one
seating with the same result.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.int64]


class Placings(NamedTuple):
    """Tallies as arrays [tally, seat]: the agent, and the numbers of players ahead and level (itself included)."""

    agents: Numbers
    ahead: Numbers
    level: Numbers
    episodes: Numbers  # [tally]
    fresh: Numbers  # [tally]

    @property
    def seats(self) -> int:
        """Number of players of an episode."""
        return self.agents.shape[1]


class Counts(NamedTuple):
    """Arrays [agent, seat]: a win is the first place alone, a tie a shared first place; points are sums.

    `places` [agent, seat, place] counts shared places as the best of them.
    """

    episodes: Numbers
    wins: Numbers
    ties: Numbers
    losses: Numbers
    points: NDArray[np.float64]
    places: Numbers


def placings(agents: ArrayLike, scores: ArrayLike, episodes: ArrayLike, fresh: ArrayLike) -> Placings:
    """Compute the places from scores [tally, seat]."""
    found = np.asarray(scores, np.float64)
    ahead = (found[:, None, :] > found[:, :, None]).sum(2)
    level = (found[:, None, :] == found[:, :, None]).sum(2)
    return Placings(np.asarray(agents), ahead, level, np.asarray(episodes), np.asarray(fresh))


def counts(placings: Placings, agents: int) -> Counts:
    """Add up the results of each agent from each seat."""
    seats = placings.seats
    cells = placings.agents * seats + np.arange(seats)
    episodes = np.broadcast_to(placings.episodes[:, None], cells.shape)

    def summed(values: NDArray[np.generic]) -> NDArray[np.float64]:
        added = np.bincount(cells.ravel(), values.ravel(), agents * seats).astype(np.float64, copy=False)
        return added.reshape(agents, seats)

    def counted(happened: NDArray[np.bool_]) -> Numbers:
        return summed(episodes * happened).astype(np.int64)

    top, alone = placings.ahead == 0, placings.level == 1
    points = (seats - placings.ahead - (placings.level + 1) / 2) / max(seats - 1, 1)
    return Counts(
        counted(np.ones_like(top)),
        counted(top & alone),
        counted(top & ~alone),
        counted(~top),
        summed(points * episodes),
        np.stack([counted(placings.ahead == place) for place in range(seats)], axis=-1),
    )
