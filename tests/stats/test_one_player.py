import polars as pl
import pytest

from ludus.stats import one_player

SCORES = {0: [100.0, 200.0, 300.0, 400.0], 1: [150.0, 150.0, 350.0, 150.0], 2: [90.0, 190.0, 290.0, 390.0]}


def episodes(scores: dict[int, list[float]]) -> pl.DataFrame:
    rows = [
        {"repetition": 0, "number": number, "seats": [agent], "scores": [score], "ending": "rules"}
        for agent, found in scores.items()
        for number, score in enumerate(found)
    ]
    return pl.DataFrame(rows)


def test_standings_tell_how_points_are_spread() -> None:
    points = one_player.points(episodes(SCORES))
    table = one_player.standings(3, points, one_player.ahead(points))
    assert table.columns == [
        "rank",
        "agent",
        "episodes",
        "mean",
        "median",
        "best",
        "worst",
        "q1",
        "q3",
        "deviation",
        "ahead",
    ]
    assert table["agent"].to_list() == [0, 2, 1]
    assert table.row(0)[2:9] == (4, 250, 250, 400, 100, 175, 325)
    assert table.row(0, named=True)["deviation"] == pytest.approx(129.0994)


def test_agents_are_compared_seed_by_seed() -> None:
    points = one_player.points(episodes(SCORES))
    table = one_player.standings(3, points, one_player.ahead(points))
    assert table["ahead"].to_list() == [1.0, 0.5, None]  # ten points more on every seed
    rows = {row[:2]: row[2:] for row in one_player.ahead(points).rows()}
    assert rows[0, 1] == (4, 2, 0, 2, 0.5)


def test_equal_points_on_a_seed_are_half() -> None:
    points = one_player.points(episodes({0: [10.0, 10.0], 1: [10.0, 5.0]}))
    assert one_player.ahead(points).filter(pl.col("agent") == 0)["score"].to_list() == [0.75]


def test_only_seeds_that_both_played_are_compared() -> None:
    points = one_player.points(episodes({0: [10.0, 10.0, 10.0], 1: [20.0]}))
    assert one_player.ahead(points).rows() == [(0, 1, 1, 0, 0, 1, 0.0), (1, 0, 1, 1, 0, 0, 1.0)]


def test_standings_can_follow_the_best_episode() -> None:
    points = one_player.points(episodes({0: [10.0, 10.0, 10.0], 1: [0.0, 0.0, 20.0]}))
    assert one_player.standings(2, points, one_player.ahead(points))["agent"].to_list() == [0, 1]
    assert one_player.standings(2, points, one_player.ahead(points), "best")["agent"].to_list() == [1, 0]


def test_an_agent_that_has_not_played_comes_last() -> None:
    points = one_player.points(episodes({1: [5.0]}))
    table = one_player.standings(2, points, one_player.ahead(points))
    assert table.select("agent", "episodes", "mean", "ahead").rows() == [(1, 1, 5.0, None), (0, 0, None, None)]
