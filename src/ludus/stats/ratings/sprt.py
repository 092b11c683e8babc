"""The sequential test: pairs of games are added until it is clear which of two differences in Elo points is nearer.

A generalised sequential probability ratio test after Van den Bergh's notes for fishtest: the ratio is that of the two
likeliest distributions of results, one with the score of elo0 and one with that of elo1. Results are pairs of games in
five bins, or single games in three.
"""

import math
from collections.abc import Sequence
from typing import Literal

from ludus.core.errors import InvalidError
from ludus.stats.ratings.comparison import NORMALISED_POINTS, Comparison, compared, compared_at_bound
from ludus.stats.ratings.scale import expected_score

Model = Literal["logistic", "normalised"]
Verdict = Literal["H0", "H1"]

PAIRS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Scores of the five kinds of pairs: LL, LD, WL or DD, WD, WW."""
GAMES = (0.0, 0.5, 1.0)
"""Scores of a lost, tied and won game."""
LEAST_PAIRS = 7
"""Pairs before which no test stops: fewer do not show how much results vary."""
EMPTY = 0.001
"""The count used for an empty bin."""

MOST: dict[Model, int] = {"logistic": 2000, "normalised": 200}
"""Largest difference that can be tested: from 2000 points on, scores are 1 within a hundred-thousandth; from about 230
normalised points on, the search for the likeliest distribution may leave the possible ones.
"""


class Sprt:
    """A test in progress: H0 is that A is elo0 points better than B, H1 that it is elo1.

    `alpha` is the probability of accepting H1 if H0 is true, `beta` that of accepting H0 if H1 is true. The first bound
    that the ratio crosses decides for good. A `trinomial` test counts the games of a pair one by one.
    """

    def __init__(
        self,
        elo0: float,
        elo1: float,
        alpha: float = 0.05,
        beta: float = 0.05,
        model: Model = "logistic",
        *,
        trinomial: bool = False,
    ) -> None:
        most = MOST[model]
        for name, elo in (("elo0", elo0), ("elo1", elo1)):
            if not abs(elo) <= most:  # also rejects NaN
                raise InvalidError(
                    f"{name} = {elo:g} is outside the range of the {model} model: -{most} to {most} points."
                )
        if not elo0 < elo1:
            raise InvalidError(f"The test needs elo0 below elo1, not {elo0:g} and {elo1:g}.")
        self.elo0, self.elo1, self.model = elo0, elo1, model
        self.lower, self.upper = bounds(alpha, beta)
        self.bins = [0] * len(GAMES if trinomial else PAIRS)
        self.path: list[float] = []
        self.verdict: Verdict | None = None

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio: above 0 speaks for H1."""
        return self.path[-1] if self.path else 0.0

    @property
    def trinomial(self) -> bool:
        """True if single games are counted, and not pairs."""
        return len(self.bins) == len(GAMES)

    @property
    def estimate(self) -> Comparison:
        """The difference between A and B, corrected for stopping if the test has stopped."""
        if self.verdict is None:
            return compared(self.bins)
        return compared_at_bound(self.bins, self._means, lower=self.lower, upper=self.upper, above=self.verdict == "H1")

    def add(self, first: int, second: int) -> None:
        """Add a pair by A's results in its two games: 0 is lost, 1 tied, 2 won. A test that is decided ignores it."""
        if self.verdict is not None:
            return
        for bin in (first, second) if self.trinomial else (first + second,):
            self.bins[bin] += 1
        self.path.append(llr(self.bins, self.elo0, self.elo1, self.model))
        if len(self.path) >= LEAST_PAIRS:
            self.verdict = "H1" if self.llr >= self.upper else "H0" if self.llr <= self.lower else None

    def _means(self, deviation: float) -> tuple[float, float]:
        """The mean scores of elo0 and elo1; of the normalised model, for results with this deviation."""
        if self.model == "logistic":
            return expected_score(self.elo0), expected_score(self.elo1)
        low, high = (0.5 + _t_value(elo, len(self.bins)) * deviation for elo in (self.elo0, self.elo1))
        return low, high


def bounds(alpha: float = 0.05, beta: float = 0.05) -> tuple[float, float]:
    """The log-likelihood ratios at which H0 and H1 are accepted."""
    for name, chance in (("alpha", alpha), ("beta", beta)):
        if not 0 < chance < 0.5:
            raise InvalidError(f"{name} must be an error probability between 0 and 0.5, not {chance:g}.")
    return math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)


def llr(bins: Sequence[float], elo0: float, elo1: float, model: Model = "logistic") -> float:
    """The logarithm of the likelihood ratio of elo1 to elo0, given the counts of pairs in five bins, or games in three.

    In the normalised model elo0 and elo1 are differences relative to the deviation of a game, so that the length of a
    test does not depend on the share of draws.
    """
    if len(bins) not in (len(GAMES), len(PAIRS)):
        raise InvalidError(
            f"Pairs of games fall into five bins from LL to WW, single games into three, not {len(bins)}."
        )
    if not any(bins):
        return 0.0
    counts = [count or EMPTY for count in bins]
    total = sum(counts)
    seen = [count / total for count in counts]
    likeliest = _with_mean if model == "logistic" else _with_t_value
    under0, under1 = likeliest(seen, elo0), likeliest(seen, elo1)
    return sum(count * math.log(p1 / p0) for count, p0, p1 in zip(counts, under0, under1, strict=True))


def _with_mean(seen: Sequence[float], elo: float) -> list[float]:
    """The likeliest distribution whose mean is the score of `elo`."""
    target = expected_score(elo)
    return _balanced(seen, [score - target for score in _scores(seen)])


def _with_t_value(seen: Sequence[float], elo: float) -> list[float]:
    """The likeliest distribution whose (mean − ½)/deviation is that of `elo`.

    The constraint is repeatedly linearised at the latest distribution.
    """
    t_value, scores = _t_value(elo, len(seen)), _scores(seen)
    found = [1 / len(scores)] * len(scores)
    for _ in range(100):
        mean = sum(p * score for p, score in zip(found, scores, strict=True))
        variance = sum(p * (score - mean) ** 2 for p, score in zip(found, scores, strict=True))
        reach = t_value * math.sqrt(variance) / 2
        before = found
        found = _balanced(seen, [score - 0.5 - reach * (1 + (score - mean) ** 2 / variance) for score in scores])
        if max(abs(p - q) for p, q in zip(found, before, strict=True)) < 1e-9:
            break
    return found


def _scores(bins: Sequence[float]) -> Sequence[float]:
    return GAMES if len(bins) == len(GAMES) else PAIRS


def _t_value(elo: float, bins: int) -> float:
    """(mean − ½)/deviation of a result at this many normalised points; a pair is the mean of two games."""
    return elo / NORMALISED_POINTS * (1 if bins == len(GAMES) else math.sqrt(2))


def _balanced(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """The likeliest distribution under which these values have the mean 0, given the observed shares.

    It is p = seen/(1 + x · value) for the one x that balances the values: Newton's method between two poles, with
    bisection for steps that leave the interval.
    """
    left, right = low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    while True:
        balance = slope = 0.0
        for share, value in zip(seen, values, strict=True):
            pull = value / (1 + x * value)
            balance += share * pull
            slope += share * pull * pull
        low, high = (x, high) if balance > 0 else (low, x)
        following = min(max(x + balance / slope, (x + left) / 2), (x + right) / 2)  # at a pole no step leads away
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= 1e-15 * (1 + abs(x)):
            return [share / (1 + x * value) for share, value in zip(seen, values, strict=True)]
        x = following
