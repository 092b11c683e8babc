"""Counts of wins, ties and losses by ordered pair."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludus.core.errors import InvalidError
from ludus.stats.ratings.scale import Floats, Ints, sums


class Meetings(NamedTuple):
    """One row for each ordered pair that met: the number of games, and the points of `first`."""

    first: Ints
    second: Ints
    games: Floats
    points: Floats


def meetings(
    agents: int,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    wins: npt.ArrayLike,
    ties: npt.ArrayLike,
    losses: npt.ArrayLike,
) -> Meetings:
    """Add up counts, which are those of `first` and may repeat a pair; a tie is half a point."""
    one, other = (np.asarray(column, np.int64).ravel() for column in (first, second))
    won, tied, lost = (np.asarray(column, np.float64).ravel() for column in (wins, ties, losses))
    lengths = {len(column) for column in (one, other, won, tied, lost)}
    if len(lengths) > 1:
        raise InvalidError("The columns differ in length: first, second, wins, ties and losses belong together.")
    if len(one) and not 0 <= min(one.min(), other.min()) <= max(one.max(), other.max()) < agents:
        raise InvalidError(f"A pair has an agent that does not exist: the {agents} agents are numbered from 0.")
    if len(won) and min(won.min(), tied.min(), lost.min()) < 0:
        raise InvalidError("A pair has a negative count: wins, ties and losses are numbers of games.")
    pairs, place = np.unique(one * agents + other, return_inverse=True)
    games = sums(place, won + tied + lost, len(pairs))
    points = sums(place, won + tied / 2, len(pairs))
    played = games > 0
    return Meetings(pairs[played] // max(agents, 1), pairs[played] % max(agents, 1), games[played], points[played])
