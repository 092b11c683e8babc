"""Intervals of 95 % for shares, and for means of few values."""

import math
from functools import cache

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from ludus.stats.ratings.scale import TWO_SIDED_95, Floats

_MANY = 1000  # degrees of freedom from which it is the normal distribution, to a thousandth


def wilson(wins: ArrayLike, episodes: ArrayLike) -> tuple[Floats, Floats]:
    """Wilson's 95 % interval of the probability behind this many wins in this many episodes; 0 to 1 without episodes.

    It holds for sums of scores between 0 and 1 too, and is then rather too wide.
    """
    won, played = np.asarray(wins, np.float64), np.asarray(episodes, np.float64)
    z = TWO_SIDED_95
    share = np.divide(won, played, out=np.full(played.shape, 0.5), where=played > 0)
    middle = won + z * z / 2
    reach = z * np.sqrt(played * share * (1 - share) + z * z / 4)
    low, high = (middle - reach) / (played + z * z), (middle + reach) / (played + z * z)
    # Correct rounding errors next to 0 and 1 if all were lost or won.
    return np.where(won > 0, np.maximum(low, 0.0), 0.0), np.where(won < played, np.minimum(high, 1.0), 1.0)


def half_widths(deviations: pl.Series, counts: pl.Series) -> pl.Series:
    """Half of the 95 % intervals of means of `counts` values with these deviations; none for a single value."""
    factors = [None if count is None or count < 2 else _two_sided_95(count - 1) for count in counts]
    return pl.Series(factors, dtype=pl.Float64) * deviations / counts.sqrt()


@cache
def _two_sided_95(freedom: int) -> float:
    if freedom > _MANY:
        return TWO_SIDED_95
    low, high = TWO_SIDED_95, 13.0
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (middle, high) if student_chance(middle, freedom) < 0.975 else (low, middle)
    return low


def student_chance(deviations: float, freedom: int) -> float:
    """The probability that a variable of Student's t is at most this many deviations above 0; `freedom` is whole."""
    angle = math.atan(deviations / math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for power in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cosine**2 * (power - 1) / power
    inside = math.sin(angle) * total
    return 0.5 + (angle + inside) / math.pi if odd else 0.5 + inside / 2
