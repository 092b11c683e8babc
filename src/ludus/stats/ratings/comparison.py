"""A against B: the difference in Elo points with its error, and the chance that it is above 0."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ludus.stats.ratings.first_passage import drift, passage
from ludus.stats.ratings.scale import POINTS_PER_NAT, TWO_SIDED_95, elo_of, normal_chance

NORMALISED_POINTS = 2 * POINTS_PER_NAT
"""Normalised Elo points for each unit of (mean − ½)/deviation of a single game: near 0, Elo points at deviation ½."""
_TAIL = 0.025
_NEAREST = 0.5
"""The way to a bound, at least, as a part of what it is for normal scores: less for very skew ones makes no sense."""


class Comparison(NamedTuple):
    """Elo points of A above B, the 95 % interval, half its width, and the chance that A is better than B.

    Then the same difference in normalised Elo points with half the width of its interval, and whether all of these are
    corrected for a test that stopped at a bound.
    """

    elo: float
    low: float
    high: float
    error: float
    chance: float
    normalised: float
    normalised_error: float
    corrected: bool


class _Scores(NamedTuple):
    """The mean score of the results, their deviation, their number, and the steps between 0 and 1 that a score has."""

    mean: float
    deviation: float
    total: float
    steps: int

    def compared(self, means: Sequence[float], chance: float, *, corrected: bool) -> Comparison:
        """The comparison by the lower end of the mean, the mean, and the upper end."""
        least = 1 / (2 * self.steps * self.total)  # half the smallest step of a mean: a perfect score stays finite
        low, elo, high = (elo_of(min(max(mean, least), 1 - least)) for mean in means)
        games = self.steps / 2  # in each result
        points = NORMALISED_POINTS / math.sqrt(games) / self.deviation
        margin = points * (means[2] - means[0]) / 2
        return Comparison(elo, low, high, (high - low) / 2, chance, points * (means[1] - 0.5), margin, corrected)


def compared(bins: Sequence[float]) -> Comparison:
    """Compare by the counts of A's scores 0, … 1, in equal steps: five bins for pairs of games (LL, LD, WL/DD, WD, WW).

    Pairs have one opening and swapped seats. Single games have three bins (L, D, W), which lose the information in
    pairs.
    """
    seen = _scores(bins)
    error = seen.deviation / math.sqrt(seen.total)
    means = [seen.mean + side * TWO_SIDED_95 * error for side in (-1, 0, 1)]
    return seen.compared(means, normal_chance((seen.mean - 0.5) / error), corrected=False)


def compared_at_bound(
    bins: Sequence[float],
    hypotheses: Callable[[float], tuple[float, float]],
    *,
    lower: float,
    upper: float,
    above: bool,
) -> Comparison:
    """Compare after a sequential test that stopped at a bound, `above` the upper one.

    A test stops when luck runs high, so the plain estimate lies too far out, and its interval is too narrow. Scores are
    therefore seen as a Brownian motion that started between two bounds and reached one of them after this many results.
    The interval holds each mean score under which passing that bound so early, or so late, has a chance of 2.5 %; the
    estimate is the mean score at 50 %.

    `hypotheses` gives the two mean scores of the test for a deviation, `lower` and `upper` are its bounds.
    """
    seen = _scores(bins)
    mean, deviation, total, steps = seen
    smoothed = _scores([count + 0.5 for count in bins])
    # Few results show less spread than there is, and a test stops early where they show little.
    pairs = total * steps / 4
    deviation = max(deviation, smoothed.deviation) * math.sqrt(pairs / (pairs - 2))
    mean0, mean1 = hypotheses(deviation)
    middle, side = (mean0 + mean1) / 2, 1 if above else -1
    # Where it ended, in deviations of a result: this includes what it went beyond the bound.
    above_way, below_way = (abs(bound) * deviation / (mean1 - mean0) for bound in (upper, lower))
    own, other = (above_way, below_way) if above else (below_way, above_way)
    passed = max(side * (mean - middle) * total / deviation, _NEAREST * own)
    ends = sorted(side * drift(passed, other, total, p) for p in (_TAIL, 0.5, 1 - _TAIL))
    chance = passage(passed, other, total, side * (0.5 - middle) / deviation)
    means = [middle + end * deviation for end in ends]
    return _Scores(mean, deviation, total, steps).compared(means, 1 - chance if above else chance, corrected=True)


def _scores(bins: Sequence[float]) -> _Scores:
    """The mean and deviation of these results; without any, those after one tie."""
    steps = len(bins) - 1
    total = sum(bins)
    if not total:
        bins, total = [1.0 if bin == steps / 2 else 0.0 for bin in range(steps + 1)], 1.0
    mean = sum(bin / steps * count for bin, count in enumerate(bins)) / total
    variance = sum((bin / steps - mean) ** 2 * count for bin, count in enumerate(bins)) / total
    # Unseen results may have a probability of up to 1 − 0.025 ** (1/total): few equal results prove little.
    unseen = (1 - _TAIL ** (1 / total)) * max(mean, 1 - mean) / TWO_SIDED_95
    return _Scores(mean, max(math.sqrt(variance), unseen * math.sqrt(total)), total, steps)
