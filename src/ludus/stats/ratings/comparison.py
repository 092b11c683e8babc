"""A against B: the difference in Elo points with its error, and the chance that it is above 0."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ludus.stats.ratings.scale import TWO_SIDED_95, elo_of, normal_chance


class Comparison(NamedTuple):
    """Elo points of A above B, the 95 % interval, half its width, and the chance that A is better than B."""

    elo: float
    low: float
    high: float
    error: float
    chance: float


def compared(bins: Sequence[float]) -> Comparison:
    """Compare by the counts of A's scores 0, … 1, in equal steps: five bins for pairs of games (LL, LD, WL/DD, WD, WW).

    Pairs have one opening and swapped seats. Single games have three bins (L, D, W), which lose the information in
    pairs.
    """
    steps = len(bins) - 1
    total = sum(bins)
    if not total:
        bins, total = [1.0 if bin == steps / 2 else 0.0 for bin in range(steps + 1)], 1.0
    mean = sum(bin / steps * count for bin, count in enumerate(bins)) / total
    variance = sum((bin / steps - mean) ** 2 * count for bin, count in enumerate(bins)) / total
    # Unseen results may have a probability of up to 1 − 0.025 ** (1/total): few equal results prove little.
    unseen = (1 - 0.025 ** (1 / total)) * max(mean, 1 - mean) / TWO_SIDED_95
    error = max(math.sqrt(variance / total), unseen)
    least = 1 / (2 * steps * total)  # half the smallest step of a mean, so that a perfect score stays finite

    def elo(score: float) -> float:
        return elo_of(min(max(score, least), 1 - least))

    low, high = elo(mean - TWO_SIDED_95 * error), elo(mean + TWO_SIDED_95 * error)
    return Comparison(elo(mean), low, high, (high - low) / 2, normal_chance((mean - 0.5) / error))
