import math
from collections.abc import Sequence

import numpy as np
import pytest

from ludus.stats.ratings.comparison import Comparison, compared, compared_at_bound
from ludus.stats.ratings.scale import elo_of, expected_score

pytestmark = pytest.mark.filterwarnings("error")


def test_290_pairs() -> None:
    found = compared([34, 54, 63, 64, 75])
    assert found.elo == pytest.approx(55.58, abs=5e-3)
    assert found.error == pytest.approx(27.65, abs=5e-3)
    assert found.low < 55.58 - 27 < 55.58 + 27 < found.high


def test_343_games() -> None:
    found = compared([96, 111, 136])
    assert found.elo == pytest.approx(40.70, abs=5e-3)
    assert found.error == pytest.approx(30.43, abs=5e-3)
    assert found.chance == pytest.approx(0.9960, abs=5e-5)


def test_the_other_side_sees_the_mirror_image() -> None:
    ours, theirs = compared([3, 5, 20, 9, 4]), compared([4, 9, 20, 5, 3])
    assert (ours.elo, ours.low, ours.high) == pytest.approx((-theirs.elo, -theirs.high, -theirs.low))
    assert ours.chance == pytest.approx(1 - theirs.chance)


def test_intervals_cover_the_truth_95_times_in_100_and_the_chance_is_fair() -> None:
    rng = np.random.default_rng(4)
    kinds = np.array([0.08, 0.22, 0.35, 0.23, 0.12])
    truth = elo_of(float(kinds @ [0, 0.25, 0.5, 0.75, 1]))
    even = np.array([0.1, 0.25, 0.3, 0.25, 0.1])
    inside, sure = [], []
    for _ in range(1000):
        found = compared(rng.multinomial(150, kinds).tolist())
        inside.append(found.low < truth < found.high)
        sure.append(compared(rng.multinomial(150, even).tolist()).chance > 0.9)
    assert np.mean(inside) == pytest.approx(0.95, abs=0.015)
    assert np.mean(sure) == pytest.approx(0.1, abs=0.02)


def test_clean_sheet_is_finite_and_surer_the_longer_it_is() -> None:
    short, long = compared([0, 0, 0, 0, 2]), compared([0, 0, 0, 0, 20])
    assert short.low < 0 < long.low < long.elo < math.inf
    assert 0.5 < short.chance < 0.95 < long.chance


@pytest.mark.parametrize("pairs", [2, 5, 10, 30])
def test_a_result_that_is_worse_is_not_surer(pairs: int) -> None:
    clean, nearly = compared([0, 0, 0, 0, pairs]), compared([0, 0, 0, 1, pairs - 1])
    assert nearly.low < clean.low
    assert nearly.chance <= clean.chance


def test_nothing_but_draws_leaves_an_error() -> None:
    found = compared([0, 0, 10, 0, 0])
    assert (found.elo, found.chance) == (0, 0.5)
    assert 50 < found.error < 200


def test_no_games_tell_nothing() -> None:
    for found in (compared([0] * 5), compared([0] * 3)):
        assert (found.elo, found.chance) == (0, 0.5)
        assert found.low == pytest.approx(-found.high)
        assert found.error > 100


def test_normalised_elo_is_the_score_in_deviations_of_a_game() -> None:
    bins = [34, 54, 63, 64, 75]
    mean = sum(bin / 4 * count for bin, count in enumerate(bins)) / 290
    variance = sum((bin / 4 - mean) ** 2 * count for bin, count in enumerate(bins)) / 290
    found = compared(bins)
    assert found.normalised == pytest.approx((mean - 0.5) / math.sqrt(2 * variance) * 800 / math.log(10))
    assert found.normalised_error == pytest.approx(1.959964 / math.sqrt(2 * 290) * 800 / math.log(10))


def test_normalised_elo_is_elo_between_equals_without_draws() -> None:
    found = compared([4900, 0, 5100])
    assert found.normalised == pytest.approx(found.elo, rel=1e-3)
    assert found.normalised_error == pytest.approx(found.error, rel=1e-3)


def at_bound(bins: Sequence[float], elo1: float, above: bool) -> Comparison:
    """A test of 0 against `elo1` that stopped at a bound of 5 %."""
    means = (0.5, expected_score(elo1))
    return compared_at_bound(bins, lambda deviation: means, lower=-2.94444, upper=2.94444, above=above)


def test_stopped_test_has_run_ahead_of_the_truth() -> None:
    plain, found = compared([10, 20, 40, 35, 25]), at_bound([10, 20, 40, 35, 25], 60, above=True)
    assert 0 < found.elo < plain.elo
    assert found.low < plain.low
    assert (plain.corrected, found.corrected) == (False, True)


def test_acceptance_of_the_other_hypothesis_is_the_mirror_image() -> None:
    one = at_bound([10, 20, 40, 35, 25], 60, above=True)
    means = (1 - expected_score(60), 0.5)
    other = compared_at_bound([25, 35, 40, 20, 10], lambda deviation: means, lower=-2.94444, upper=2.94444, above=False)
    assert (one.elo, one.low, one.high) == pytest.approx((-other.elo, -other.high, -other.low))
    assert one.chance == pytest.approx(1 - other.chance)


def test_chance_and_interval_agree() -> None:
    for bins in ([10, 20, 40, 35, 25], [3, 5, 20, 9, 9], [0, 0, 8, 0, 11]):
        found = at_bound(bins, 60, above=True)
        assert (found.chance > 0.975) == (found.low > 0)


@pytest.mark.parametrize("bins", [[0, 0, 3, 0, 97], [0, 0, 0, 0, 100], [0, 2, 10, 30, 60], [0, 0, 104]])
def test_truth_far_beyond_the_hypotheses_needs_no_correction(bins: list[int]) -> None:
    plain, found = compared(bins), at_bound(bins, 10, above=True)
    assert (found.low, found.elo) == pytest.approx((plain.low, plain.elo), rel=0.2)
    assert found.high <= plain.high * 1.2
