"""Glicko-2 after Glickman's paper of 2013, period by period.

If all agents start equal, the rating after one period is a linear function of the points: the strength of opponents
does not enter. With ratings carried over from earlier periods it does.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
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
TAU = 0.5
"""The freedom of volatility to change; usually 0.3 to 1.2."""


def after_period(
    players: Sequence[Glicko],
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    wins: npt.ArrayLike,
    ties: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    tau: float = TAU,
) -> list[Glicko]:
    """Rate all players after one rating period; counts are those of `first`."""
    met = meetings(len(players), first, second, wins, ties, losses)
    points = np.concatenate([met.points, met.games - met.points])
    games = np.tile(met.games, 2)
    one, other = np.concatenate([met.first, met.second]), np.concatenate([met.second, met.first])
    rating, deviation = (np.array([player[at] for player in players]) / _POINTS for at in (0, 1))
    weight = 1 / np.sqrt(1 + 3 * (deviation[other] / math.pi) ** 2)
    expected = 1 / (1 + np.exp(-weight * (rating[one] - rating[other])))
    information = sums(one, weight**2 * expected * (1 - expected) * games, len(players))
    surprise = sums(one, weight * (points - games * expected), len(players))
    return [moved(*each, tau) for each in zip(players, information.tolist(), surprise.tolist(), strict=True)]


def moved(player: Glicko, information: float, surprise: float, tau: float = TAU) -> Glicko:
    """The player after games with this information (1/v of the paper) and this surprise (Δ/v)."""
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
