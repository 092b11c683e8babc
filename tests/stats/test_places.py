import pytest

from ludus.stats import places
from support.tallying import match_of_two, tallies, tally

# Three players; agent 0 is the best from every seat.
FIELD = tallies(
    tally((0, 1, 2), (1, -0.5, -0.5), 6),
    tally((1, 2, 0), (0.1, -0.4, 0.3), 5),
    tally((2, 0, 1), (0.5, 0.5, -1), 4),
)


def test_points_are_shared_on_ties() -> None:
    found = places.results(places.placings_of(FIELD, 3))
    points = {(row["agent"], row["seat"]): row["points"] for row in found.iter_rows(named=True)}
    assert [points[0, 0], points[1, 1], points[2, 2]] == pytest.approx([6 * 1, 6 * 0.25, 6 * 0.25])
    assert [points[1, 0], points[2, 1], points[0, 2]] == pytest.approx([5 * 0.5, 0, 5 * 1])
    assert [points[2, 0], points[0, 1], points[1, 2]] == pytest.approx([4 * 0.75, 4 * 0.75, 0])


def test_who_shares_a_place_has_the_best_of_the_places_shared() -> None:
    rows = {row[:3]: row[3] for row in places.places(places.results(places.placings_of(FIELD, 3))).rows()}
    assert [rows[1, 1, place] for place in (1, 2, 3)] == [0, 6, 0]
    assert [rows[2, 0, place] for place in (1, 2, 3)] == [4, 0, 0]
    assert [rows[1, 2, place] for place in (1, 2, 3)] == [0, 0, 4]


def test_ahead_compares_each_pair_whatever_the_others_do() -> None:
    rows = {row[:2]: row[2:] for row in places.ahead(places.placings_of(FIELD, 3)).rows()}
    assert rows[0, 2] == (15, 11, 4, 0, pytest.approx(13 / 15))
    assert rows[1, 2] == (15, 5, 6, 4, pytest.approx(8 / 15))
    assert rows[2, 1][4] == pytest.approx(7 / 15)


def test_each_seat_has_its_mean_points() -> None:
    found = places.by_seat(places.results(places.placings_of(FIELD, 3)))
    assert found["seat"].to_list() == [0, 1, 2]
    assert found["score"].sum() == pytest.approx(1.5)
    assert found.row(0, named=True)["wins"] == 6


def test_two_who_never_met_are_in_no_pair() -> None:
    assert places.ahead(places.placings_of(tallies(), 3)).is_empty()


def test_between_two_players_places_are_wins_and_losses() -> None:
    found = places.totals(3, places.results(places.placings_of(match_of_two(1, 0, 3, 2, 1), 2)))
    assert found.select("agent", "episodes", "wins", "ties", "losses").rows() == [
        (0, 6, 1, 2, 3),
        (1, 6, 3, 2, 1),
        (2, 0, 0, 0, 0),
    ]
    assert found["points"].to_list() == [pytest.approx(2 / 6), pytest.approx(4 / 6), None]
