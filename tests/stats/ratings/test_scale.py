import pytest

from ludus.stats.ratings.scale import TWO_SIDED_95, elo_of, expected_score, normal_chance


def test_ten_to_one_is_four_hundred_points() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(10 / 11) == pytest.approx(400)
    assert elo_of(0.5) == 0


def test_elo_of_undoes_expected_score() -> None:
    assert elo_of(expected_score(-123.4)) == pytest.approx(-123.4)


def test_interval_holds_95_percent() -> None:
    assert normal_chance(TWO_SIDED_95) - normal_chance(-TWO_SIDED_95) == pytest.approx(0.95)
