from pathlib import Path

import polars as pl
import pytest

from ludus.stats.results import Results
from ludus.stats.studies import StudySetting, compared, means, order, relations, sizes, spread_of_pairs, values
from ludus.store import Store, open_store
from support.stored_results import play


def crosstable(*scores: tuple[int, int, float]) -> pl.DataFrame:
    return pl.DataFrame(scores, ["first", "second", "score"], orient="row")


def series(setting: float, *repetitions: dict[str, float | None]) -> StudySetting:
    """Ratings of agents, repetition by repetition."""
    rows = []
    for number, ratings in enumerate(repetitions, 1):
        ranked = sorted(ratings, key=lambda agent: -(ratings[agent] or -1e9))
        rows += [(number, agent, ranked.index(agent) + 1, rating) for agent, rating in ratings.items()]
    return StudySetting(setting, pl.DataFrame(rows, ["repetition", "agent", "rank", "glicko"], orient="row"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(str(tmp_path / "s.db"))


def test_relations_are_means_and_deviations_over_repetitions() -> None:
    found = spread_of_pairs([crosstable((0, 1, 1.0), (1, 0, 0.5)), crosstable((0, 1, 0.5), (1, 0, 0.5))])
    row = found.row(0, named=True)
    assert (row["a"], row["b"], row["repetitions"]) == (0, 1, 2)
    assert (row["w_ab_mean"], row["w_ba_mean"]) == (0.75, 0.5)
    assert (row["by_seat_mean"], row["by_agent_mean"]) == (0.25, 0.25)
    assert row["by_seat_deviation"] == pytest.approx(0.5 / 2**0.5)


def test_seat_relation_changes_its_sign_with_the_order_and_agent_relation_does_not() -> None:
    found = spread_of_pairs([crosstable((0, 1, 1.0), (1, 0, 0.25))])
    there, back = found.rows(named=True)
    assert there["by_seat_mean"] == -back["by_seat_mean"] == 0.75
    assert there["by_agent_mean"] == back["by_agent_mean"] == 0.25


def test_pair_that_met_in_one_seating_has_no_relation() -> None:
    assert spread_of_pairs([crosstable((0, 1, 1.0), (0, 2, 0.5), (2, 0, 0.5))])["b"].to_list() == [2, 0]


def test_sizes_tell_a_game_of_seats_from_one_of_agents() -> None:
    always_first = pl.DataFrame({"a": ["x", "y"], "b": ["y", "x"]}).with_columns(
        w_ab_mean=1.0, w_ba_mean=1.0, by_seat_mean=0.0, by_agent_mean=1.0
    )
    found = dict(sizes(always_first).select("relation", "mean").iter_rows())
    assert found == {"first_mover": 1.0, "by_seat": 0.0, "by_agent": 1.0}


def test_relations_of_a_stored_tournament_are_those_of_its_cross_table(store: Store) -> None:
    results = Results(store, play(store, episodes=3, repetitions=2))
    scores = {(a, b): score for a, b, score in results.crosstable().select("first", "second", "score").iter_rows()}
    found = relations(results)
    assert {(a, b): mean for a, b, mean in found.select("a", "b", "w_ab_mean").iter_rows()} == pytest.approx(scores)
    assert found["repetitions"].unique().to_list() == [2]


FULL = series(0, {"a": 1600, "b": 1500, "c": 1400}, {"a": 1610, "b": 1490, "c": 1400})
SWAPPED = series(1, {"a": 1500, "b": 1600, "c": 1400}, {"a": 1620, "b": 1610, "c": 1380})


def test_settings_are_compared_with_the_first_one() -> None:
    rows = compared([FULL, SWAPPED], "glicko").rows(named=True)
    assert [(row["moved"], row["shift"], row["best_first"]) for row in rows] == [(0, 0.0, 1.0), (2, 1.0, 0.5)]


def test_intervals_of_shifts_hold_what_chance_alone_does() -> None:
    clear, open = compared([FULL, SWAPPED], "glicko").rows(named=True)
    assert (clear["moved_low"], clear["moved_high"]) == (0, 0)  # no repetition differs from another
    assert (open["moved_low"], open["moved_high"]) == (0, 2)


def test_one_repetition_has_no_interval() -> None:
    single = [series(0, {"a": 1600, "b": 1500}), series(1, {"a": 1500, "b": 1600})]
    found = compared(single, "glicko").row(1, named=True)
    assert (found["moved"], found["moved_low"], found["shift_high"]) == (2, None, None)


def test_agent_without_a_game_in_some_repetition_is_rated_by_the_others() -> None:
    partly = series(50, {"a": None, "b": 1500, "c": 1400}, {"a": 1610, "b": 1490, "c": 1400})
    found = compared([FULL, partly], "glicko").row(1, named=True)
    assert (found["moved"], found["moved_high"]) == (0, 3)  # drawn twice, the first repetition leaves a last


def test_means_stand_side_by_side_in_the_order_of_the_first_setting() -> None:
    found = means([FULL, SWAPPED], "glicko")
    assert found["agent"].to_list() == order(FULL, "glicko") == ["a", "b", "c"]
    assert found["rank_1"].to_list() == [2, 1, 3]
    assert found["mean_1"].to_list() == [1560, 1605, 1390]
    assert found["deviation_0"][0] == pytest.approx(50**0.5)


def test_values_have_every_rating_with_its_setting() -> None:
    found = values([FULL, SWAPPED], "glicko")
    assert len(found) == 12
    assert found.filter(setting=1, repetition=2, agent="b")["rating"].item() == 1610
