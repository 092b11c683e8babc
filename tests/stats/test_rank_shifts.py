import polars as pl
import pytest

from ludus.stats.rank_shifts import Extent, extent, rank_shifts, shifts_of_runs, stability


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
