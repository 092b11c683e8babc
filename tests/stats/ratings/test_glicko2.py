import math
from collections.abc import Sequence

import pytest

from ludus.stats.ratings.glicko2 import START, Glicko, after_period, moved

POINTS = 173.7178


def period(player: Glicko, opponents: Sequence[Glicko], scores: Sequence[float], tau: float = 0.5) -> Glicko:
    """The player after one period, opponent by opponent as in the paper."""
    information = surprise = 0.0
    for opponent, score in zip(opponents, scores, strict=True):
        weight = 1 / math.sqrt(1 + 3 * (opponent.deviation / POINTS / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-weight * (player.rating - opponent.rating) / POINTS))
        information += weight**2 * expected * (1 - expected)
        surprise += weight * (score - expected)
    return moved(player, information, surprise, tau)


def test_example_of_the_paper() -> None:
    opponents = [Glicko(1400, 30), Glicko(1550, 100), Glicko(1700, 300)]
    rating, deviation, volatility = period(Glicko(1500, 200, 0.06), opponents, [1, 0, 0])
    assert rating == pytest.approx(1464.05067, abs=5e-6)
    assert deviation == pytest.approx(151.51652, abs=5e-6)
    assert volatility == pytest.approx(0.0599959844, abs=5e-11)


def test_period_starts_from_the_ratings_that_players_have() -> None:
    field = [Glicko(1500, 200, 0.06), Glicko(1400, 30), Glicko(1550, 100), Glicko(1700, 300)]
    after = after_period(field, [0, 2, 0], [1, 0, 3], [1, 1, 0], [0, 0, 0], [0, 0, 1])
    assert after[0].rating == pytest.approx(1464.05067, abs=5e-6)
    for number, score in ((1, 0), (2, 1), (3, 1)):
        assert after[number] == pytest.approx(period(field[number], [field[0]], [score]))


def test_ratings_of_several_periods_follow_a_player_that_gets_stronger() -> None:
    field = [START, START]
    course = []
    for points in (10, 10, 15, 15, 15):
        field = after_period(field, [0], [1], [points], [0], [20 - points])
        course.append(field[0])
    assert [round(player.rating) for player in course[:2]] == [1500, 1500]
    assert course[1].rating < course[2].rating < course[3].rating < course[4].rating
    assert course[1].deviation < course[0].deviation < 350


HEX_STUDY = {
    210: 1661.1679,
    204: 1641.8278,
    196: 1616.0409,
    191: 1599.9241,
    188: 1590.2540,
    186: 1583.8073,
    181: 1567.6905,
    172: 1538.6803,
    161: 1503.2234,
    91: 1277.5883,
    45: 1129.3138,
    2: 990.7094,
}
"""Points in 320 games against 16 agents, all in one period, and the rating after it."""


@pytest.mark.parametrize(("points", "rating"), HEX_STUDY.items())
def test_study_of_17_hex_agents(points: int, rating: float) -> None:
    after = period(START, [START] * 320, [1] * points + [0] * (320 - points))
    assert after.rating == pytest.approx(rating, abs=5e-5)
    assert after.deviation == pytest.approx(28.9295, abs=5e-5)
    share, rest = divmod(points, 16)
    wins = [share + (i < rest) for i in range(16)]
    field = after_period([START] * 17, [0] * 16, range(1, 17), wins, [0] * 16, [20 - w for w in wins])
    assert field[0] == pytest.approx(after)


def test_a_tie_is_half_a_point_for_both() -> None:
    one, other = after_period([START] * 2, [0], [1], [0], [6], [0])
    assert one == other == pytest.approx(period(START, [START] * 6, [0.5] * 6))


def test_tournament_rates_both_seats_of_a_meeting() -> None:
    field = after_period([START] * 3, [0, 1, 2], [1, 2, 0], [3, 0, 1], [1, 2, 0], [0, 2, 4])
    scores = [[1, 1, 1, 0.5, 1, 1, 1, 1, 0], [0, 0, 0, 0.5, 0.5, 0.5, 0, 0], [0.5, 0.5, 1, 1, 1, 0, 0, 0, 0]]
    for agent, expected in zip(field, scores, strict=True):
        assert agent == pytest.approx(period(START, [START] * len(expected), expected))


def test_who_does_not_play_only_gains_deviation() -> None:
    idle = after_period([START] * 3, [0], [1], [5], [0], [1])[2]
    assert (idle.rating, idle.volatility) == (1500, 0.06)
    assert idle.deviation == pytest.approx((350**2 + (0.06 * POINTS) ** 2) ** 0.5)
    assert idle == period(START, [], [])


def test_small_tau_keeps_volatility() -> None:
    upset = [Glicko(2200, 30)] * 10
    calm, lively = (period(START, upset, [1] * 10, tau).volatility for tau in (0.3, 1.2))
    assert 0.06 < calm < lively


def test_clean_sheet_of_a_million_games_stays_finite() -> None:
    winner, loser = after_period([START] * 2, [0], [1], [10**6], [0], [0])
    assert winner.rating == pytest.approx(3000 - loser.rating)
    assert 2000 < winner.rating < 2100
