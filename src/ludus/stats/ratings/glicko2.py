"""Glicko-2 after Glickman's paper of 2013; a whole tournament is one rating period.

All agents start equal, so within one period the rating is a linear function of the points: the strength of opponents
does not enter.
"""

import math
from typing import NamedTuple

import numpy.typing as npt

from ludus.stats.ratings.pair_counts import meetings
from ludus.stats.ratings.scale import sums

_POINTS = 173.7178  # the paper's own rounding of 400/ln 10


class Glicko(NamedTuple):
    """A rating, its standard deviation, and the volatility of the player's results."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


START = Glicko()


def tournament(
    agents: int,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    wins: npt.ArrayLike,
    ties: npt.ArrayLike,
    losses: npt.ArrayLike,
) -> list[Glicko]:
    """Rate all agents after one period in which all start equal; counts are those of `first`."""
    met = meetings(agents, first, second, wins, ties, losses)
    games = sums(met.first, met.games, agents) + sums(met.second, met.games, agents)
    points = sums(met.first, met.points, agents) + sums(met.second, met.games - met.points, agents)
    # Weight of a result against a starter: less than 1, because no rating is known.
    weight = 1 / math.sqrt(1 + 3 * (START.deviation / _POINTS / math.pi) ** 2)
    after = {
        (n, s): moved(START, weight**2 * n / 4, weight * (s - n / 2))
        for n, s in set(zip(games.tolist(), points.tolist(), strict=True))
    }
    return [after[key] for key in zip(games.tolist(), points.tolist(), strict=True)]


def moved(player: Glicko, information: float, surprise: float, tau: float = 0.5) -> Glicko:
    """The player after games with this information (1/v of the paper) and this surprise (Δ/v).

    `tau` limits the change of volatility, usually 0.3 to 1.2.
    """
    deviation = player.deviation / _POINTS
    if information == 0:
        return player._replace(deviation=math.hypot(deviation, player.volatility) * _POINTS)
    volatility = _volatility(player.volatility, deviation, 1 / information, surprise / information, tau)
    variance = 1 / (1 / (deviation**2 + volatility**2) + information)
    return Glicko(player.rating + variance * surprise * _POINTS, math.sqrt(variance) * _POINTS, volatility)


def _volatility(old: float, deviation: float, variance: float, improvement: float, tau: float) -> float:
    """Step 5 of the paper: the root of its f, found by the Illinois variant of false position."""
    start = math.log(old**2)

    def f(x: float) -> float:
        total = deviation**2 + variance + math.exp(x)
        return math.exp(x) * (improvement**2 - total) / (2 * total**2) - (x - start) / tau**2

    low = start
    if improvement**2 > deviation**2 + variance:
        high = math.log(improvement**2 - deviation**2 - variance)
    else:
        high = start - tau
        while f(high) < 0:
            high -= tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > 1e-9:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)
