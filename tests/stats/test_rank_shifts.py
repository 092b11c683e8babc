from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from ludus.stats.rank_shifts import (
    Extent,
    Shifts,
    extent,
    rank_shifts,
    shifts_between,
    shifts_of_runs,
    stability,
)
from ludus.stats.results import load
from ludus.store import Store, open_store
from ludus.tournaments.tournament import Entrant
from support.sentences import missing, one_sentence
from support.stored_results import FIELD, begin, copy_part, enter, play


def runs(*orders: str) -> pl.DataFrame:
    """Each order is one run, the best agent first."""
    rows = [
        {"repetition": run, "agent": agent, "rank": rank, "rating": 100.0 - 10 * rank}
        for run, order in enumerate(orders, 1)
        for rank, agent in enumerate(order, 1)
    ]
    return pl.DataFrame(rows)


def test_equal_orders_have_no_shifts() -> None:
    assert extent(rank_shifts("ABCD", "ABCD")["shift"]) == Extent(0, 0.0)


def test_only_shifts_above_zero_enter_the_mean() -> None:
    table = rank_shifts("ABCDE", "CBADE")
    assert table.rows() == [("A", 1, 3, -2), ("B", 2, 2, 0), ("C", 3, 1, 2), ("D", 4, 4, 0), ("E", 5, 5, 0)]
    assert extent(table["shift"]) == Extent(2, 2.0)


def test_ranks_count_only_agents_that_are_in_both_orders() -> None:
    assert rank_shifts("XABC", "ABYC").rows() == [("A", 1, 1, 0), ("B", 2, 2, 0), ("C", 3, 3, 0)]
    assert rank_shifts("AB", "CD").is_empty()


def test_stability_has_mean_and_deviation_of_every_rating() -> None:
    found = stability(runs("ABC", "ABC", "BAC"))
    assert found["agent"].to_list() == ["A", "B", "C"]
    best = found.row(0, named=True)
    assert best["rating_mean"] == pytest.approx(260 / 3)
    assert best["rating_deviation"] == pytest.approx(5.7735)
    assert (best["best_rank"], best["worst_rank"], best["moved"], best["shift"]) == (1, 2, 1, 1.0)
    assert found.row(2, named=True)["moved"] == 0


def test_each_run_is_compared_with_the_order_over_all() -> None:
    repetitions = runs("ABCD", "ABCD", "DBCA")
    found = shifts_of_runs(repetitions, stability(repetitions))
    assert found.rows() == [(1, 0, 0.0, True), (2, 0, 0.0, True), (3, 2, 3.0, False)]


# --- Two tournaments --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(str(tmp_path_factory.mktemp("store") / "ludus.db")) as opened:
        play(opened, name="A", episodes=2)
        yield opened


def between(store: Store, before: str, after: str) -> Shifts:
    return shifts_between(load(before, store), load(after, store))


def test_agents_under_another_name_are_known_by_their_spec(store: Store) -> None:
    named = [Entrant("deep", FIELD[0]), Entrant("chancy", FIELD[1]), Entrant("new", "mc:iterations=3")]
    play(store, agents=named, name="Renamed")
    found = between(store, "A", "Renamed")
    assert set(found.ranks["agent"]) == {FIELD[0], FIELD[1]}
    assert (found.only_before, found.only_after, found.warnings) == (["random"], ["new"], [])


def test_name_of_two_specs_is_reported(store: Store) -> None:
    play(store, agents=(Entrant("random", "mc:iterations=3"), FIELD[0]), name="Misnamed")
    found = between(store, "A", "Misnamed")
    assert set(found.ranks["agent"]) == {"random", FIELD[0]}
    (warning,) = found.warnings
    assert warning.startswith("'random' is random in #1 but mc:iterations=3 in #")


def test_a_tournament_without_results_has_no_ranks_to_compare(store: Store) -> None:
    enter(store, name="Nothing", seed=7)
    with one_sentence("'Nothing' result"):
        between(store, "A", "Nothing")
    with one_sentence("'Nothing'"):
        between(store, "Nothing", "A")


def test_agents_without_a_result_are_left_out_by_name(store: Store, tmp_path_factory: pytest.TempPathFactory) -> None:
    with open_store(str(tmp_path_factory.mktemp("part") / "ludus.db")) as part:
        copied = copy_part(store, store.find("A"), part, lambda key: key.match == 0)
        met = set(load(copied, part).episodes()["seats"][0])
        found = shifts_between(load("A", store), load(copied, part))
    assert set(found.ranks["agent"]) == met
    assert found.unrated == [name for name in FIELD if name not in met]
    (warning,) = found.warnings
    assert missing(warning, "'A' finished") == []


def test_common_agents_without_results_in_both_have_no_ranks(store: Store, tmp_path: Path) -> None:
    id = play(store, agents=("minimax:depth=1", "mc:iterations=1", "random"), name="Fresh field")
    with open_store(str(tmp_path / "part.db")) as part:
        kept = next(number for number, seats in enumerate(store.matches(id)["seats"]) if 2 not in seats)
        copied = load(copy_part(store, id, part, lambda key: key.match == kept), part)
        with one_sentence("'A' 'Fresh field'"):
            shifts_between(load("A", store), copied)


def test_unfinished_tournament_is_reported(store: Store) -> None:
    begin(store, name="Cut off", episodes=4)
    (warning,) = between(store, "Cut off", "A").warnings
    assert missing(warning, "'Cut off' finished") == []


def test_fields_without_a_common_agent_are_refused(store: Store) -> None:
    play(store, agents=("minimax:depth=1", "mc:iterations=1"), name="Others")
    with one_sentence("'A' 'Others' agent"):
        between(store, "A", "Others")
