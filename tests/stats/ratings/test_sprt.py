import itertools
import math
import random

import numpy as np
import pytest
from scipy.optimize import minimize  # type: ignore[import-untyped]

from ludus.core.errors import LudusError
from ludus.stats.ratings.comparison import compared
from ludus.stats.ratings.scale import expected_score
from ludus.stats.ratings.sprt import GAMES, LEAST_PAIRS, PAIRS, Model, Sprt, bounds, llr


def add(test: Sprt, bin: int) -> None:
    """Add a pair of one of the five kinds."""
    test.add(bin // 2, bin - bin // 2)


def test_42000_pairs_of_the_logistic_model() -> None:
    assert llr([223, 9863, 21279, 10037, 246], 0.5, 2.5) == pytest.approx(-3.0741, abs=5e-5)


def test_70000_pairs_of_the_normalised_model() -> None:
    assert llr([365, 16618, 36229, 16974, 390], 0, 2, "normalised") == pytest.approx(2.2504, abs=5e-5)


def test_bounds_of_five_percent() -> None:
    assert bounds() == pytest.approx((-2.94444, 2.94444), abs=5e-6)
    assert bounds(0.01, 0.1) == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


@pytest.mark.parametrize(("bin", "verdict"), [(0, "H0"), (4, "H1")])
def test_verdict_falls_at_the_bounds(bin: int, verdict: str) -> None:
    test = Sprt(-20, 20)
    while test.verdict is None:
        add(test, bin)
    assert test.verdict == verdict
    assert test.lower < test.path[-2] < test.upper
    assert not test.lower < test.path[-1] < test.upper


@pytest.mark.parametrize("model", ["logistic", "normalised"])
def test_an_empty_bin_counts_a_thousandth(model: Model) -> None:
    assert llr([0, 3, 9, 5, 0], 0, 20, model) == pytest.approx(llr([0.001, 3, 9, 5, 0.001], 0, 20, model))


@pytest.mark.parametrize("model", ["logistic", "normalised"])
@pytest.mark.parametrize(
    "bins", [[0, 0, 0, 0, 1], [10**6, 0, 0, 0, 0], [0, 0, 10**6, 0, 0], [1, 0, 0, 0, 1], [0, 0, 10**6]]
)
def test_lopsided_results_have_a_finite_ratio(model: Model, bins: list[int]) -> None:
    assert math.isfinite(llr(bins, -200, 200, model))


@pytest.mark.parametrize("model", ["logistic", "normalised"])
def test_ratio_changes_little_from_pair_to_pair(model: Model) -> None:
    rng = random.Random(6)
    for _ in range(60):
        test = Sprt(0, 50, model=model)
        kinds = [rng.choice([0, 1, 1, 5, 40]) + 0.001 for _ in range(5)]
        for _ in range(100):
            add(test, rng.choices(range(5), kinds)[0])
        assert max(abs(after - before) for before, after in itertools.pairwise(test.path)) < 2.5, test.bins


LOPSIDED = [1, 2, 227, 14, 1]  # where Newton's first step meets a pole


@pytest.mark.parametrize("model", ["logistic", "normalised"])
@pytest.mark.parametrize("bins", [[34, 54, 63, 64, 75], [3, 50, 5, 60, 2], LOPSIDED, [96, 111, 136], [5, 2, 60]])
def test_general_optimiser_finds_the_same_ratio(model: Model, bins: list[int]) -> None:
    counts, scores = np.array(bins), np.array(PAIRS if len(bins) == 5 else GAMES)
    games = 2 if len(bins) == 5 else 1

    def highest_likelihood(elo: float) -> float:
        def off(p: np.ndarray) -> float:
            mean = p @ scores
            if model == "logistic":
                return mean - expected_score(elo)
            return mean - 0.5 - elo / 800 * math.log(10) * math.sqrt(games * (p @ (scores - mean) ** 2))

        found = minimize(
            lambda p: -(counts @ np.log(p)) / counts.sum(),
            counts / counts.sum(),
            bounds=[(1e-6, 1)] * len(bins),
            constraints=[{"type": "eq", "fun": off}, {"type": "eq", "fun": lambda p: p.sum() - 1}],
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        return -found.fun * counts.sum()

    assert llr(bins, -20, 50, model) == pytest.approx(highest_likelihood(50) - highest_likelihood(-20), abs=1e-3)


def test_the_other_side_sees_the_mirror_image() -> None:
    assert llr(LOPSIDED, 0, 50) == pytest.approx(-llr(LOPSIDED[::-1], -50, 0))


def test_no_pairs_speak_for_neither() -> None:
    assert llr([0] * 5, 0, 10) == 0


@pytest.mark.parametrize(
    ("elo0", "elo1", "model", "complaint"),
    [
        (0, 300, "normalised", "elo1 = 300 is outside the range of the normalised model: -200 to 200 points"),
        (0, 7000, "logistic", "elo1 = 7000 is outside the range of the logistic model: -2000 to 2000 points"),
        (-500_000, 0, "logistic", "elo0 = -500000 is outside"),
        (0, math.inf, "logistic", "elo1 = inf is outside"),
        (math.nan, 0, "logistic", "elo0 = nan is outside"),
    ],
)
def test_differences_that_cannot_be_tested_are_refused(elo0: float, elo1: float, model: Model, complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        Sprt(elo0, elo1, model=model)


@pytest.mark.parametrize("bins", [[0, 0, 0, 0, 10**6], [10**6, 0, 0, 0, 0], [0, 0, 10**6, 0, 0], [1, 2, 3, 2, 1]])
def test_greatest_differences_that_are_taken_have_a_finite_ratio(bins: list[int]) -> None:
    assert math.isfinite(llr(bins, -2000, 2000))


@pytest.mark.parametrize("model", ["logistic", "normalised"])
def test_ratio_is_near_that_of_normal_means_where_pairs_are_many(model: Model) -> None:
    # N pairs of mean m and variance v speak with N(s1 − s0)(m − (s0 + s1)/2)/v for the mean s1 against s0.
    bins = [1000 * count for count in (21, 50, 60, 55, 24)]
    total = sum(bins)
    mean = sum(count * score for count, score in zip(bins, PAIRS, strict=True)) / total
    variance = sum(count * (score - mean) ** 2 for count, score in zip(bins, PAIRS, strict=True)) / total
    low, high = expected_score(0), expected_score(2)
    if model == "normalised":  # 2 points in terms of the deviation of a pair
        low, high = 0.5, 0.5 + 2 / 800 * math.log(10) * math.sqrt(2 * variance)
    normal = total * (high - low) * (mean - (low + high) / 2) / variance
    assert llr(bins, 0, 2, model) == pytest.approx(normal, rel=0.01)


@pytest.mark.parametrize("bins", [[1, 2], [1, 2, 3, 4]])
def test_other_numbers_of_bins_are_refused(bins: list[int]) -> None:
    with pytest.raises(LudusError, match="five bins"):
        llr(bins, 0, 10)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [((10, 10, 0.05, 0.05), "elo0 below elo1"), ((0, 5, 0.6, 0.05), "alpha"), ((0, 5, 0.05, 0), "beta")],
)
def test_test_that_makes_no_sense_is_refused(arguments: tuple[float, float, float, float], complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        Sprt(*arguments)


def test_path_has_the_ratio_after_each_pair() -> None:
    test = Sprt(0, 20)
    assert (test.llr, test.path) == (0, [])
    for bin in (2, 3, 4, 1):
        add(test, bin)
    assert test.bins == [0, 1, 1, 1, 1]
    assert len(test.path) == 4
    assert test.llr == test.path[-1] == llr([0, 1, 1, 1, 1], 0, 20)


def test_trinomial_test_counts_the_games_of_a_pair() -> None:
    test = Sprt(0, 20, trinomial=True)
    test.add(2, 0)
    test.add(1, 2)
    assert test.bins == [1, 1, 2]
    assert test.path == [llr([1, 0, 1], 0, 20), llr([1, 1, 2], 0, 20)]


def test_decided_test_stays_as_it_is() -> None:
    test = Sprt(0, 100)
    while test.verdict is None:
        add(test, 4)
    bins, estimate = [*test.bins], test.estimate
    for _ in range(100):
        add(test, 0)
    assert (test.verdict, test.bins, test.estimate) == ("H1", bins, estimate)


@pytest.mark.parametrize("trinomial", [False, True])
def test_no_test_stops_before_the_seventh_pair(trinomial: bool) -> None:
    test = Sprt(-500, 500, trinomial=trinomial)
    for _ in range(LEAST_PAIRS):
        assert test.verdict is None
        add(test, 4)
    assert test.verdict == "H1"


def test_estimate_is_corrected_once_the_test_has_stopped() -> None:
    test = Sprt(0, 50)
    while test.verdict is None:
        assert test.estimate == compared(test.bins)
        add(test, 4 if len(test.path) % 3 else 1)
    assert test.estimate.corrected
    assert 0 < test.estimate.elo < compared(test.bins).elo


@pytest.mark.parametrize("trinomial", [False, True])
def test_corrected_interval_covers_the_truth_where_the_plain_one_does_not(trinomial: bool) -> None:
    rng = random.Random(8)
    won = expected_score(60) - 0.15
    tests = []
    for _ in range(200):
        test = Sprt(0, 120, trinomial=trinomial)
        while test.verdict is None:
            test.add(*rng.choices(range(3), (0.7 - won, 0.3, won), k=2))
        tests.append(test)
    corrected = [test.estimate.low < 60 < test.estimate.high for test in tests]
    plain = [found.low < 60 < found.high for found in (compared(test.bins) for test in tests)]
    assert sum(plain) < sum(corrected)
    assert sum(corrected) > 0.93 * len(tests)


def pairs(elo: float, drawn: float = 0.3) -> list[float]:
    """Chances of the five kinds of pairs whose mean is the score of `elo`, with this share of single games drawn."""
    won = expected_score(elo) - drawn / 2
    game = (1 - won - drawn, drawn, won)
    return [sum(game[i] * game[bin - i] for i in range(3) if 0 <= bin - i < 3) for bin in range(len(PAIRS))]


@pytest.mark.parametrize("model", ["logistic", "normalised"])
def test_wrong_verdicts_are_as_rare_as_asked_for(model: Model) -> None:
    rng = random.Random(5)
    alpha, beta, tests = 0.1, 0.2, 200
    # With 30 % of draws a game has the deviation √(0.7)/2 instead of ½.
    elo1 = 60.0 if model == "logistic" else 60 / math.sqrt(0.7)
    wrong, lengths = {"H0": 0, "H1": 0}, []
    for truth, false in ((0.0, "H1"), (60.0, "H0")):
        kinds = pairs(truth)
        for _ in range(tests):
            test = Sprt(0, elo1, alpha, beta, model)
            while test.verdict is None:
                add(test, rng.choices(range(5), kinds)[0])
            wrong[false] += test.verdict == false
            lengths.append(len(test.path))
    assert 0.5 * alpha < wrong["H1"] / tests < 1.5 * alpha
    assert 0.5 * beta < wrong["H0"] / tests < 1.5 * beta
    assert sum(lengths) / len(lengths) < 45  # a test of fixed length needs 54
