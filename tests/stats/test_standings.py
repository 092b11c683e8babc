import polars as pl

from ludus.stats import two_players
from ludus.stats.standings import POINTS, course
from support.tallying import match_of_two, tallies


def rate(tallies: pl.DataFrame) -> pl.Series:
    return pl.Series(two_players.fit(3, two_players.meetings(tallies)).ratings)


def test_ratings_follow_the_matches_as_they_were_played() -> None:
    field = tallies(match_of_two(0, 1, 4, 0, 0, match=0), match_of_two(1, 2, 9, 0, 0, match=1))
    found = course(3, field, rate)
    assert found.columns == ["matches", "agent", "rating"]
    assert found.select("matches", "agent").rows() == [(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
    after_all = found.filter(pl.col("matches") == 2)["rating"].to_list()
    assert after_all == rate(field).to_list()


def test_a_long_tournament_has_a_limited_number_of_points() -> None:
    field = tallies(*(match_of_two(number % 3, (number + 1) % 3, 1, 1, 0, match=number) for number in range(500)))
    found = course(3, field, rate)
    moments = found["matches"].unique().sort().to_list()
    assert len(moments) == POINTS
    assert (moments[0], moments[-1]) == (1, 500)


def test_nothing_played_has_no_course() -> None:
    assert course(3, tallies(), rate).is_empty()
