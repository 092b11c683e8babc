"""The Elo scale, the normal distribution, sums by group: the base of all ratings and tests."""

import math

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

POINTS_PER_NAT = 400 / math.log(10)
"""The Elo difference that multiplies the odds of winning by e."""
TWO_SIDED_95 = 1.959963984540054
"""Half the width of a 95 % interval in standard deviations."""


def expected_score(points: float) -> float:
    """The expected score of a player that is this many Elo points stronger."""
    return 1 / (1 + 10 ** (-points / 400))


def elo_of(score: float) -> float:
    """The Elo difference that corresponds to this expected score, which must be between 0 and 1."""
    return 400 * math.log10(score / (1 - score))


def normal_chance(deviations: float) -> float:
    """The probability that a normal variable is at most this many standard deviations above its mean."""
    return math.erfc(-deviations / math.sqrt(2)) / 2


def logistic(x: Floats) -> Floats:
    """The probability with these odds in nats, without overflow."""
    return (1 + np.tanh(x / 2)) / 2


def sums(groups: Ints, values: Floats, size: int) -> Floats:
    """The sum of the values of each group; groups are numbers below `size`."""
    return np.bincount(groups, values, size).astype(np.float64, copy=False)
