import math

import numpy as np
import pytest

from ludus.stats.ratings.comparison import compared
from ludus.stats.ratings.scale import elo_of

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
