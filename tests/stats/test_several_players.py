import polars as pl
import pytest

from ludus.stats import places, several_players
from ludus.stats.ratings.plackett_luce import plackett_luce
from support.tallying import tallies, tally

# Three players; agent 0 is the best from every seat.
FIELD = tallies(
    tally((0, 1, 2), (1, -0.5, -0.5), 6),
    tally((1, 2, 0), (0.1, -0.4, 0.3), 5),
    tally((2, 0, 1), (0.5, 0.5, -1), 4),
)


def standings(field: pl.DataFrame, agents: int, by: str = "rating") -> pl.DataFrame:
    placings = places.placings_of(field, 3)
    return several_players.standings(agents, places.results(placings), several_players.fit(agents, placings), by)


def test_wins_are_alone_at_the_top_and_ties_shared() -> None:
    table = standings(FIELD, 3)
    best = table.row(0, named=True)
    assert table.columns[:11] == [
        "rank",
        "agent",
        "episodes",
        "wins",
        "ties",
        "losses",
        "points",
        "rating",
        "low",
        "high",
        "better",
    ]
    assert (best["agent"], best["episodes"], best["wins"], best["ties"], best["losses"]) == (0, 15, 11, 4, 0)
    assert (best["place_1"], best["place_2"], best["place_3"]) == (15, 0, 0)
    assert best["points"] == pytest.approx((6 + 5 + 4 * 0.75) / 15)
    assert table["points"].mean() == pytest.approx(0.5)


def test_ratings_are_those_of_the_orders_whoever_sat_where() -> None:
    expected = plackett_luce(3, [[[0], [1, 2]], [[0], [1], [2]], [[0, 2], [1]]], [6, 5, 4])
    assert standings(FIELD, 3).sort("agent")["rating"].to_list() == pytest.approx(expected.ratings.tolist())


def test_duplicates_are_no_evidence_for_ratings() -> None:
    once = standings(tally((0, 1, 2), (1, 0, -1), 1), 3)
    often = standings(tally((0, 1, 2), (1, 0, -1), 50, fresh=1), 3)
    assert often["rating"].to_list() == pytest.approx(once["rating"].to_list())
    assert often["wins"].to_list() == [50, 0, 0]


def test_who_has_not_played_comes_last() -> None:
    table = standings(FIELD, 4)
    assert table["agent"].to_list()[-1] == 3
    assert table["rating"].to_list()[-1] is None
    assert table["place_1"].to_list()[-1] == 0


def test_nothing_played_gives_standings_without_ratings() -> None:
    table = standings(tallies(tally((0, 1, 2), (0, 0, 0), 3, ending="machine")), 3)
    assert table["episodes"].to_list() == [0, 0, 0]
    assert table["rating"].null_count() == 3
