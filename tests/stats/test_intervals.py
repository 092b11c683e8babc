import math

import polars as pl
import pytest

from ludus.stats.intervals import half_widths, student_chance, wilson


@pytest.mark.parametrize(
    ("wins", "episodes", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, table I: the score method.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_are_those_of_the_literature(wins: int, episodes: int, low: float, high: float) -> None:
    found = wilson([wins], [episodes])
    assert found[0][0] == pytest.approx(low, abs=5e-5)
    assert found[1][0] == pytest.approx(high, abs=5e-5)


def test_interval_ends_at_0_and_1_exactly_and_is_all_of_it_without_episodes() -> None:
    low, high = wilson([0, 7, 0], [7, 7, 0])
    assert (low[0], high[1]) == (0.0, 1.0)
    assert (low[2], high[2]) == (0.0, 1.0)
    assert math.isclose(high[0], 1 - low[1])


@pytest.mark.parametrize(
    ("deviations", "freedom", "chance"),
    [(6.314, 1, 0.95), (2.920, 2, 0.95), (3.182, 3, 0.975), (2.571, 5, 0.975), (1.812, 10, 0.95), (1.960, 9999, 0.975)],
)
def test_student_is_that_of_the_tables(deviations: float, freedom: int, chance: float) -> None:
    assert student_chance(deviations, freedom) == pytest.approx(chance, abs=1e-4)
    assert student_chance(-deviations, freedom) == pytest.approx(1 - chance, abs=1e-4)


def test_means_of_few_values_may_be_far_off() -> None:
    found = half_widths(pl.Series([1.0, 1.0, 1.0, 1.0]), pl.Series([1, 2, 21, 10_000]))
    assert found[0] is None
    assert found[1:].to_list() == pytest.approx([12.706 / math.sqrt(2), 2.086 / math.sqrt(21), 0.0196], abs=1e-3)
