import math

import numpy as np
import pytest
from scipy.integrate import quad  # type: ignore[import-untyped]

from ludus.stats.ratings.first_passage import drift, passage


@pytest.mark.parametrize("pull", [-1.0, -0.1, 0.0, 0.3, 2.0])
@pytest.mark.parametrize(("bound", "other", "time"), [(3.0, 3.0, 8.0), (2.0, 5.0, 30.0), (1.0, 4.0, 1.0)])
def test_passage_is_the_integral_of_its_density(pull: float, bound: float, other: float, time: float) -> None:
    images = [bound + 2 * k * (bound + other) for k in range(-6, 7)]

    def density(t: float) -> float:
        terms = sum(y / math.sqrt(2 * math.pi * t**3) * math.exp(-y * y / (2 * t)) for y in images)
        return math.exp(pull * bound - pull**2 * t / 2) * terms

    assert passage(bound, other, time, pull) == pytest.approx(quad(density, 0, time, limit=200)[0], abs=1e-7)


def test_in_the_end_one_of_the_bounds_is_reached() -> None:
    assert passage(3, 5, 400, 0) == pytest.approx(5 / 8)
    assert passage(3, 5, 400, 0.2) == pytest.approx((1 - math.exp(-0.4 * 5)) / (1 - math.exp(-0.4 * 8)))
    assert passage(3, 5, 400, 0.2) + passage(5, 3, 400, -0.2) == pytest.approx(1)


def test_far_bound_leaves_the_known_law_of_one_bound() -> None:
    root = math.sqrt(9)
    normal = [math.erfc(x / math.sqrt(2)) / 2 for x in ((4 - 0.5 * 9) / root, (4 + 0.5 * 9) / root)]
    assert passage(4, 1000, 9, 0.5) == pytest.approx(normal[0] + math.exp(2 * 0.5 * 4) * normal[1])


@pytest.mark.parametrize("chance", [0.025, 0.5, 0.975])
@pytest.mark.parametrize(("bound", "other", "time"), [(3.0, 3.0, 8.0), (40.0, 300.0, 7.0), (0.1, 20.0, 50.0)])
def test_drift_has_the_chance_that_is_asked_for(chance: float, bound: float, other: float, time: float) -> None:
    assert passage(bound, other, time, drift(bound, other, time, chance)) == pytest.approx(chance, abs=1e-6)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("pull", [-1e4, -50.0, 50.0, 1e4])
def test_extreme_drifts_stay_probabilities(pull: float) -> None:
    assert passage(100, 3, 5, pull) == pytest.approx(0 if pull < 0 else 1)


def test_simulated_walks_pass_as_often() -> None:
    rng = np.random.default_rng(3)
    steps = 400
    walks = np.cumsum(rng.normal(0.3 * 20 / steps, math.sqrt(20 / steps), (4000, steps)), axis=1)
    above, below = walks >= 4, walks <= -4
    first = [np.where(side.any(axis=1), side.argmax(axis=1), steps) for side in (above, below)]
    assert np.mean(first[0] < first[1]) == pytest.approx(passage(4, 4, 20, 0.3), abs=0.04)
