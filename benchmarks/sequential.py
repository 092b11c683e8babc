"""Coverage of the intervals after sequential tests, and bias of the estimates, by simulation; prints a table.

Example: python benchmarks/sequential.py --runs 200
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludus.stats.ratings.comparison import NORMALISED_POINTS, compared
from ludus.stats.ratings.scale import elo_of, expected_score
from ludus.stats.ratings.sprt import LEAST_PAIRS, Model, Sprt, llr

_CHUNK = 400
_CLOSE = 2.0
"""The approximate ratio from which the exact one is worked out; it stops at ±2.94."""
_EARLY = 40
"""The number of pairs below which the approximation is not trusted."""


class Setting(NamedTuple):
    """A test of 0 against `elo1`, and the truth: both in points of the model; `drawn` is the share of single games."""

    elo1: float
    truth: float
    drawn: float
    trinomial: bool = False
    model: Model = "logistic"
    most: int = 10**6


class Coverage(NamedTuple):
    """Of the plain and the corrected estimates: the coverage of the 95 % intervals, and the median in Elo points."""

    plain: float
    corrected: float
    plain_median: float
    corrected_median: float
    pairs: float
    undecided: float


def settings() -> Iterator[Setting]:
    """The settings of the table."""
    for drawn, sizes in ((0.0, (10, 20, 50, 100)), (0.4, (20, 50, 100))):  # few draws and small tests take longest
        for elo1 in sizes:
            for truth in (-300, 0, elo1 / 2, elo1, 2 * elo1, 400):
                yield Setting(elo1, truth, drawn)
        for elo1 in (30, 100):
            for truth in (0, elo1 / 2, elo1, 400):
                yield Setting(elo1, truth, drawn, trinomial=True)
        for trinomial in (False, True):
            for truth in (0, 40):
                yield Setting(40, truth, drawn, trinomial, "normalised")
        for truth in (0, 15, 30):
            yield Setting(30, truth, drawn, most=250)


def games(setting: Setting) -> npt.NDArray[np.float64]:
    """The probabilities of losing, tying and winning a game."""
    mean = expected_score(setting.truth)
    for _ in range(50 * (setting.model == "normalised")):
        drawn = _possible(mean, setting.drawn)
        deviation = math.sqrt(mean - drawn / 4 - mean**2)
        mean = 0.5 + setting.truth / NORMALISED_POINTS * deviation
    drawn = _possible(mean, setting.drawn)
    return np.array([1 - mean - drawn / 2, drawn, mean - drawn / 2])


def _possible(mean: float, drawn: float) -> float:
    return min(drawn, 1.8 * min(mean, 1 - mean))


def run(setting: Setting, chances: npt.NDArray[np.float64], rng: np.random.Generator) -> Sprt:
    """One test to its end."""
    test = Sprt(0, setting.elo1, model=setting.model, trinomial=setting.trinomial)
    scores = np.linspace(0, 1, len(test.bins))
    bins = np.zeros(len(scores), np.int64)
    pairs = 0
    while True:
        results = rng.choice(3, (_CHUNK, 2), p=chances)
        added = results if setting.trinomial else results.sum(axis=1, keepdims=True)
        path = bins + np.cumsum(np.eye(len(scores), dtype=np.int64)[added].sum(axis=1), axis=0)
        counts = np.arange(pairs + 1, pairs + _CHUNK + 1)
        for place in np.flatnonzero((_rough(test, path, scores) > _CLOSE) | (counts < _EARLY)):
            if not LEAST_PAIRS <= counts[place] <= setting.most:
                continue
            test.bins = path[place].tolist()
            ratio = llr(test.bins, 0, setting.elo1, setting.model)
            if not test.lower < ratio < test.upper:
                test.verdict = "H1" if ratio > 0 else "H0"
                return test
        if counts[-1] >= setting.most:
            test.bins = path[setting.most - pairs - 1].tolist()
            return test
        bins, pairs = path[-1], pairs + _CHUNK


def _rough(test: Sprt, path: npt.NDArray[np.int64], scores: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The distance of the ratio from 0, roughly, after each pair: as of normal scores."""
    total = path.sum(axis=1)
    mean = path @ scores / total
    deviation = np.sqrt(np.maximum(path @ scores**2 / total - mean**2, 1e-3))
    games = (len(scores) - 1) / 2
    mean1 = expected_score(test.elo1)
    if test.model == "normalised":
        mean1 = 0.5 + test.elo1 / NORMALISED_POINTS * math.sqrt(games) * deviation
    return np.abs(total * (mean1 - 0.5) * (mean - (0.5 + mean1) / 2) / deviation**2)


def coverage(setting: Setting, runs: int, rng: np.random.Generator) -> Coverage:
    """Simulate a setting."""
    chances = games(setting)
    truth = elo_of(float(chances @ [0, 0.5, 1]))
    tests = [run(setting, chances, rng) for _ in range(runs)]
    plain, corrected = [compared(test.bins) for test in tests], [test.estimate for test in tests]
    size = [sum(test.bins) / (2 if setting.trinomial else 1) for test in tests]
    return Coverage(
        float(np.mean([found.low <= truth <= found.high for found in plain])),
        float(np.mean([found.low <= truth <= found.high for found in corrected])),
        float(np.median([found.elo for found in plain])),
        float(np.median([found.elo for found in corrected])),
        float(np.mean(size)),
        float(np.mean([test.verdict is None for test in tests])),
    )


def rows(runs: int, seed: int) -> Iterator[Sequence[str]]:
    """The rows of the table."""
    yield "test", "elo1", "draws", "truth", "pairs", "plain", "corrected", "median, plain", "median, corrected"
    yield ("---",) * 9
    for setting in settings():
        found = coverage(setting, runs, np.random.default_rng(seed))
        kind = f"{'single games' if setting.trinomial else 'pairs'}, {setting.model}"
        if setting.most < 10**6:
            kind += f", {setting.most} pairs at most ({100 * found.undecided:.0f} % undecided)"
        yield (
            kind,
            f"{setting.elo1:g}",
            f"{100 * setting.drawn:.0f} %",
            f"{setting.truth:+g}".replace("-", "−"),
            f"{found.pairs:,.0f}",
            f"{100 * found.plain:.1f} %",
            f"{100 * found.corrected:.1f} %",
            f"{found.plain_median:+.0f}".replace("-", "−"),
            f"{found.corrected_median:+.0f}".replace("-", "−"),
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="tests in each setting")
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    for row in rows(arguments.runs, arguments.seed):
        print("|", " | ".join(row), "|", flush=True)
