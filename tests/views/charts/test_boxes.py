import polars as pl
import pytest

from ludus.views.charts.boxes import move_times, points, repetitions
from support.drawing import rows, texts, vega

TIMING = pl.DataFrame(
    {
        "agent": ["slow", "quick", "silent"],
        "moves": [100, 100, 0],
        "fastest": [1_000_000, 0, None],
        "q1": [2_000_000.0, 1_000.0, None],
        "median": [3_000_000.0, 2_000.0, None],
        "q3": [4_000_000.0, 3_000.0, None],
        "slowest": [9_000_000_000, 40_000, None],
        "mean": [3_500_000.0, 2_500.0, None],
    }
)


def test_boxes_of_move_times_are_the_quantiles_given_on_a_log_axis() -> None:
    chart = move_times(TIMING)
    (slow, quick) = rows(chart, "agent", "low", "q1", "median", "q3", "high", "high_spoken")
    assert slow == ("slow", 0.001, 0.002, 0.003, 0.004, 9.0, "9.00 s")
    assert quick[2] == pytest.approx(1e-6)
    (scale,) = [scale for scale in vega(chart)["scales"] if scale["name"] == "x"]
    assert scale["type"] == "log"


def test_no_times_are_no_axis_of_times() -> None:
    failed = TIMING.filter(agent="silent")
    for moves in (0, 3):  # some may be counted that were never finished
        shown = texts(move_times(failed.with_columns(moves=pl.lit(moves))))
        assert shown == ["time of a move"]
    both = move_times(TIMING.with_columns(moves=pl.lit(100)))
    assert [agent for (agent,) in rows(both, "agent")] == ["slow", "quick"]


def test_move_that_took_no_time_stays_on_the_log_axis() -> None:
    quick = rows(move_times(TIMING), "agent", "low", "low_spoken")[1]
    assert quick == ("quick", 1e-9, "0 ns")


def test_points_are_boxed_from_worst_to_best() -> None:
    standings = pl.DataFrame(
        {
            "agent": ["a"],
            "episodes": [9],
            "worst": [1.0],
            "q1": [2.0],
            "median": [3.0],
            "mean": [3.5],
            "q3": [5.0],
            "best": [8.0],
        }
    )
    assert rows(points(standings), "low", "q1", "median", "mean", "q3", "high") == [(1, 2, 3, 3.5, 5, 8)]


def test_repetitions_are_boxed_in_the_order_of_their_means() -> None:
    frame = pl.DataFrame(
        {
            "repetition": [1, 2, 3, 1, 2, 3],
            "agent": ["low", "low", "low", "high", "high", "high"],
            "rank": [2, 2, 1, 1, 1, 2],
            "rating": [-20.0, -10.0, 5.0, 20.0, 10.0, -5.0],
        }
    )
    chart = repetitions(frame, measure="mean score")
    boxes = rows(chart, "agent", "low", "median", "high")
    assert boxes == [("high", -5.0, 10.0, 20.0), ("low", -20.0, -10.0, 5.0)]
    assert ("low", 3, 5.0, 1) in rows(chart, "agent", "repetition", "rating", "rank")
    assert "mean score" in texts(chart)
