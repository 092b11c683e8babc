from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ludus.episode.record import Ending
from ludus.stats import places, two_players
from ludus.stats.ratings import elo
from ludus.stats.two_players import elos, kept_elos
from ludus.views import columns
from support.tallying import match_of_two, tallies, tally

# A beats B from either seat; the first mover wins between B and C; A and C were seated one way only.
FIELD = tallies(
    match_of_two(0, 1, 8, 0, 2),
    match_of_two(1, 0, 2, 0, 8),
    match_of_two(1, 2, 9, 1, 0),
    match_of_two(2, 1, 9, 1, 0),
    match_of_two(0, 2, 5, 5, 0),
)


def episodes(*games: tuple[int, int, float, bool, str]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "seats": [[first, second] for first, second, *_ in games],
            "scores": [[score, -score] for _, _, score, *_ in games],
            "fresh": [fresh for *_, fresh, _ in games],
            "ending": [ending for *_, ending in games],
        }
    )


def order_of_play(meetings: pl.DataFrame) -> pl.DataFrame:
    rows = [
        (row["first"], row["second"], score)
        for row in meetings.iter_rows(named=True)
        for score, name in ((1.0, "fresh_wins"), (0.5, "fresh_ties"), (0.0, "fresh_losses"))
        for _ in range(row[name])
    ]
    return pl.DataFrame(rows, {"first": pl.Int64, "second": pl.Int64, "score": pl.Float64}, orient="row")


def results(field: pl.DataFrame) -> pl.DataFrame:
    return places.results(places.placings_of(field, 2))


def standings(agents: int, field: pl.DataFrame, by: str = "rating") -> pl.DataFrame:
    meetings = two_players.meetings(field)
    elos = two_players.elos(agents, order_of_play(meetings))
    fit, points = two_players.fit(agents, meetings), two_players.points(agents, field)
    return two_players.standings(results(field), meetings, elos, fit, points, by)


def test_meetings_of_one_seating_add_up() -> None:
    found = two_players.meetings(tallies(match_of_two(0, 1, 3, 1, 0, match=0), match_of_two(0, 1, 1, 0, 2, match=7)))
    assert found.rows() == [(0, 1, 4, 1, 2, 4, 1, 2)]


def test_duplicates_are_counted_but_are_no_evidence() -> None:
    found = two_players.meetings(tallies(tally((0, 1), (1, -1), 10, fresh=1), tally((0, 1), (-1, 1), 2, fresh=2)))
    assert found.rows(named=True) == [
        {
            "first": 0,
            "second": 1,
            "wins": 10,
            "ties": 0,
            "losses": 2,
            "fresh_wins": 1,
            "fresh_ties": 0,
            "fresh_losses": 2,
        }
    ]
    table = standings(2, tallies(tally((0, 1), (1, -1), 10, fresh=1), tally((0, 1), (-1, 1), 2, fresh=2)))
    assert table["agent"].to_list() == [1, 0]
    assert table["wtl"].to_list() == pytest.approx([2 / 12, 10 / 12])


def test_episodes_without_a_result_are_in_no_table() -> None:
    assert two_players.meetings(tally((0, 1), (0, 0), 5, ending="machine")).is_empty()
    played = episodes((0, 1, 1.0, True, "rules"), (0, 1, 0.0, True, "machine"), (0, 1, -1.0, False, "rules"))
    assert two_players.games(played).rows() == [(0, 1, 1.0)]


def test_games_keep_their_order_and_count_a_tie_as_half() -> None:
    played = episodes((1, 0, -0.2, True, "rules"), (0, 2, 0.0, True, "plies"), (2, 1, 1.0, True, "late"))
    assert two_players.games(played).rows() == [(1, 0, 0.0), (0, 2, 0.5), (2, 1, 1.0)]


def test_cross_table_shows_the_score_of_who_moves_first() -> None:
    rows = {(row[0], row[1]): row[2:] for row in two_players.crosstable(two_players.meetings(FIELD)).rows()}
    assert rows[0, 1] == (10, 8, 0, 2, 0.8)
    assert rows[1, 2] == (10, 9, 1, 0, 0.95)
    assert (2, 0) not in rows


def test_symmetry_tells_the_seat_from_the_agent() -> None:
    found = two_players.symmetry(two_players.meetings(FIELD), [0, 1, 2])
    assert found.columns == ["a", "b", "w_ab", "w_ba", "by_seat", "by_agent"]
    assert [row[:2] for row in found.rows()] == [(0, 1), (1, 2)]  # 0 and 2 met in one seating only
    assert found.row(0)[2:] == pytest.approx((0.8, 0.2, 0.6, 0.0))
    assert found.row(1)[2:] == pytest.approx((0.95, 0.95, 0.0, 0.9))


def test_symmetry_of_a_published_study_comes_out() -> None:
    # Scores of three pairs of Connect Four agents over 100 episodes in each seating.
    field = tallies(
        *(match_of_two(0, 1, 75, 0, 25), match_of_two(1, 0, 18, 0, 82)),
        *(match_of_two(2, 3, 0, 0, 100), match_of_two(3, 2, 100, 0, 0)),
        *(match_of_two(4, 5, 99, 1, 0), match_of_two(5, 4, 89, 1, 10)),
    )
    found = two_players.symmetry(two_players.meetings(field), [0, 1, 2, 3, 4, 5])
    assert found["by_seat"].to_list() == pytest.approx([0.57, 1.0, 0.10])
    assert found["by_agent"].to_list() == pytest.approx([0.07, 0.0, 0.89])


def test_symmetry_names_the_better_one_first() -> None:
    found = two_players.symmetry(two_players.meetings(FIELD), [2, 1, 0])
    assert [row[:2] for row in found.rows()] == [(2, 1), (1, 0)]
    assert found.row(1)[2:4] == pytest.approx((0.2, 0.8))


def test_standings_hold_every_rating_side_by_side() -> None:
    table = standings(3, FIELD)
    declared = {column.name for column in columns.standings(2)} | {"episodes", "glicko_deviation", "low", "high"}
    assert declared <= set(table.columns)
    assert table["rank"].to_list() == [1, 2, 3]
    assert table["agent"].to_list() == [0, 2, 1]
    best = table.row(0, named=True)
    assert (best["episodes"], best["wins"], best["ties"], best["losses"]) == (30, 21, 5, 4)
    assert best["wtl"] == pytest.approx(23.5 / 30)
    assert table["rating"].sum() == pytest.approx(0, abs=1e-9)
    assert best["better"] > 0.5
    assert table["better"].to_list()[-1] is None
    games = order_of_play(two_players.meetings(FIELD))
    expected = elo.fide(3, *(games[name].to_numpy() for name in games.columns))
    assert table.sort("agent")["fide"].to_list() == pytest.approx(expected.tolist())


def test_glicko_of_a_double_round_robin_is_that_of_the_thesis() -> None:
    # Seventeen agents with 320 episodes each; the best one made 210 points.
    field = tallies(*(match_of_two(0, other, 13, 0, 7) for other in range(1, 11)), match_of_two(0, 11, 80, 0, 40))
    row = standings(12, field).filter(pl.col("agent") == 0).row(0, named=True)
    assert (row["episodes"], row["wins"]) == (320, 210)
    assert row["glicko"] == pytest.approx(1661.1679, abs=1e-3)
    assert row["glicko_deviation"] == pytest.approx(28.9295, abs=1e-3)


def test_standings_can_follow_another_order() -> None:
    # 1 beat the strong 0 once; 2 beat the weak 3 often.
    field = tallies(match_of_two(0, 3, 20, 0, 0), match_of_two(0, 1, 1, 0, 1), match_of_two(2, 3, 9, 0, 1))
    by_rating, by_wtl = standings(4, field), standings(4, field, "wtl")
    assert by_wtl["wtl"].to_list() == sorted(by_wtl["wtl"].to_list(), reverse=True)
    assert by_rating["agent"].to_list() != by_wtl["agent"].to_list()
    assert by_wtl["rank"].to_list() == [1, 2, 3, 4]


def test_who_has_not_played_comes_last_without_ratings() -> None:
    table = standings(3, match_of_two(1, 2, 0, 0, 4))
    assert table["agent"].to_list() == [2, 1, 0]
    last = table.row(2, named=True)
    assert last["episodes"] == 0
    assert all(last[name] is None for name in ("wtl", "fide", "uscf", "glicko", "rating", "low", "high", "better"))
    assert table["better"][1] is None


def test_who_won_or_lost_everything_has_an_interval_with_one_end() -> None:
    table = standings(3, tallies(match_of_two(0, 1, 5, 0, 0), match_of_two(1, 2, 3, 1, 0), match_of_two(2, 0, 0, 0, 2)))
    ends = [(row["agent"], row["low"] is None, row["high"] is None) for row in table.iter_rows(named=True)]
    assert ends == [(0, False, True), (1, False, False), (2, False, False)]
    assert all(row["low"] < row["rating"] < row["high"] for row in table[1:].iter_rows(named=True))
    swept = standings(2, match_of_two(0, 1, 4, 0, 0)).select("low", "high").rows()
    assert [(low is None, high is None) for low, high in swept] == [(False, True), (True, False)]


def test_nothing_played_gives_standings_without_ratings() -> None:
    table = standings(2, tallies())
    assert table["agent"].to_list() == [0, 1]
    assert table["rating"].null_count() == 2
    assert two_players.symmetry(two_players.meetings(tallies()), [0, 1]).is_empty()


def test_moving_first_is_an_advantage_where_the_first_wins() -> None:
    field = tallies(match_of_two(0, 1, 8, 1, 1), match_of_two(1, 0, 8, 1, 1))
    found = two_players.by_seat(results(field), two_players.fit(2, two_players.meetings(field)))
    first, second = found.rows(named=True)
    assert (first["episodes"], first["wins"], first["ties"], first["losses"]) == (20, 16, 2, 2)
    assert first["score"] == pytest.approx(0.85)
    assert first["advantage"] > 150
    assert second["advantage"] == -first["advantage"]
    assert np.isclose(first["score"] + second["score"], 1)


def test_results_against_an_opponent_come_from_both_seats() -> None:
    rows = {row[:2]: row[2:] for row in places.ahead(places.placings_of(FIELD, 2)).rows()}
    assert rows[0, 1] == (20, 16, 0, 4, 0.8)
    assert rows[1, 0] == (20, 4, 0, 16, 0.2)
    assert rows[2, 0] == (10, 0, 5, 5, 0.25)


def test_without_a_result_both_seats_have_none() -> None:
    found = two_players.by_seat(results(tallies()), two_players.fit(2, two_players.meetings(tallies())))
    assert found.select("seat", "episodes", "score", "advantage", "error").rows() == [
        (0, 0, None, None, None),
        (1, 0, None, None, None),
    ]


# --- Ratings that are kept --------------------------------------------------------------------------------------------

GAMES = pl.DataFrame({"first": [0, 1, 0], "second": [1, 2, 2], "score": [1.0, 0.5, 0.0]})


class Cache:
    """An empty cache folder, and how often ratings were worked out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.misses = 0

    def elos(self, agents: int, games: pl.DataFrame) -> pl.DataFrame:
        self.misses += 1
        return elos(agents, games)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    made = Cache(tmp_path / "cache" / "ratings")
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    monkeypatch.setattr(two_players, "_FEW", 0)
    monkeypatch.setattr(two_players, "elos", made.elos)
    return made


def test_same_games_are_rated_once(cache: Cache) -> None:
    first = kept_elos(3, GAMES)
    assert kept_elos(3, GAMES).equals(first)
    assert first.equals(elos(3, GAMES))
    assert cache.misses == 1


@pytest.mark.parametrize(
    ("agents", "games"),
    [
        (4, GAMES),
        (3, GAMES.with_columns(score=pl.lit(1.0))),
        (3, GAMES.reverse()),
        (3, GAMES.head(2)),
    ],
)
def test_other_games_are_not_taken_for_the_same(agents: int, games: pl.DataFrame, cache: Cache) -> None:
    kept_elos(3, GAMES)
    assert kept_elos(agents, games).equals(elos(agents, games))
    assert cache.misses == 2


def test_file_that_cannot_be_read_is_written_anew(cache: Cache) -> None:
    right = kept_elos(3, GAMES)
    (file,) = cache.folder.iterdir()
    file.write_bytes(b"half a file")
    assert kept_elos(3, GAMES).equals(right)
    assert kept_elos(3, GAMES).equals(right)
    assert cache.misses == 2


@pytest.mark.usefixtures("cache")
def test_ratings_come_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "no folder"
    file.touch()
    monkeypatch.setenv("LUDUS_HOME", str(file))
    assert kept_elos(3, GAMES).equals(elos(3, GAMES))


def test_few_games_leave_no_file(cache: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_players, "_FEW", len(GAMES))
    assert kept_elos(3, GAMES).equals(elos(3, GAMES))
    assert not cache.folder.exists()


def test_points_are_sums_of_scores_and_none_without_episodes() -> None:
    field = tallies(
        tally((0, 1), (1, -1), 3), tally((1, 0), (0.5, -0.5), 2), tally((0, 1), (1, -1), 9, ending=Ending.MACHINE)
    )
    assert two_players.points(3, field).to_list() == [2.0, -2.0, None]


def test_cells_have_their_mean_and_deviation_over_the_runs() -> None:
    runs = [two_players.meetings(tallies(match_of_two(0, 1, wins, 0, 4 - wins))) for wins in (1, 2, 3)]
    whole = two_players.crosstable(
        two_players.meetings(tallies(match_of_two(0, 1, 6, 0, 6), match_of_two(1, 2, 1, 0, 0)))
    )
    found = two_players.with_deviations(whole, [two_players.crosstable(run) for run in runs], ("first", "second"))
    assert found.select("first", "second", "score", "score_mean", "score_deviation").rows() == [
        (0, 1, 0.5, 0.5, 0.25),
        (1, 2, 1.0, None, None),
    ]


def test_payoffs_are_scores_beyond_half_over_both_seats() -> None:
    found = two_players.payoffs(3, two_players.meetings(FIELD))
    assert found == pytest.approx(np.array([[0, 0.3, 0.25], [-0.3, 0, 0], [-0.25, 0, 0]]))


def test_circle_shares_the_mixture_and_the_weak_agent_has_none_of_it() -> None:
    circle = tallies(
        match_of_two(0, 1, 8, 0, 2),
        match_of_two(2, 1, 1, 0, 9),
        match_of_two(2, 0, 7, 0, 3),
        *(match_of_two(agent, 3, 6, 0, 4) for agent in range(3)),
    )
    rows = {row["agent"]: row for row in two_players.nash(4, two_players.meetings(circle)).iter_rows(named=True)}
    assert [rows[agent]["nash"] for agent in range(4)] == pytest.approx([4 / 9, 2 / 9, 3 / 9, 0], abs=1e-5)
    assert [rows[agent]["against"] for agent in range(4)] == pytest.approx([0.5, 0.5, 0.5, 0.4], abs=1e-5)
    assert [rows[agent]["alpha_rank"] for agent in range(4)] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert [*rows] == [0, 2, 1, 3]


def test_no_mixture_is_known_before_every_pair_has_met() -> None:
    met = two_players.meetings(tallies(match_of_two(0, 1, 8, 0, 2), match_of_two(1, 2, 9, 1, 0)))
    assert two_players.nash(3, met).is_empty()
