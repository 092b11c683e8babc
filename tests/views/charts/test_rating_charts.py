import polars as pl
import pytest

from ludus.views.charts.rating_charts import course, path, places, ratings, strength_speed
from support.drawing import domains, rows, texts, vega

STANDINGS = pl.DataFrame(
    {
        "rank": [1, 2, 3],
        "agent": ["strong", "weak", "absent"],
        "episodes": [10, 10, 0],
        "rating": [50.0, -50.0, None],
        "low": [30.0, -75.0, None],
        "high": [70.0, -25.0, None],
        "better": [0.98, None, None],
    }
)
SPEED = pl.DataFrame(
    {
        "agent": ["strong", "weak", "absent"],
        "rating": [50.0, -50.0, None],
        "low": [30.0, -75.0, None],
        "high": [70.0, -25.0, None],
        "match_time": [2e9, 5e5, None],
    }
)


def test_ratings_have_their_intervals() -> None:
    assert rows(ratings(STANDINGS), "agent", "low", "rating", "high") == [
        ("strong", 30.0, 50.0, 70.0),
        ("weak", -75.0, -50.0, -25.0),
    ]


def test_open_ends_reach_to_the_edge_of_the_chart_with_a_mark() -> None:
    swept = STANDINGS.with_columns(low=pl.Series([30.0, None, None]), high=pl.Series([None, -25.0, None]))
    (first, second) = rows(ratings(swept), "low", "high", "open_low", "open_high", "reach")[:2]
    assert (first[1] > 50, second[0] < -50) == (True, True)
    assert (first[2:], second[2:]) == ((False, True, "≥ 30.0"), (True, False, "≤ −25.0"))
    fast = SPEED.with_columns(low=pl.Series([30.0, None, None]), high=pl.Series([None, -25.0, None]))
    assert rows(strength_speed(fast), "agent", "reach")[:2] == [("strong", "≥ 30.0"), ("weak", "≤ −25.0")]


def test_who_has_not_played_is_in_no_chart_of_ratings() -> None:
    assert "absent" not in texts(ratings(STANDINGS))
    assert "absent" not in texts(strength_speed(SPEED))


@pytest.mark.parametrize(("log", "kind"), [(False, "linear"), (True, "log")])
def test_time_axis_is_logarithmic_on_request(log: bool, kind: str) -> None:
    chart = strength_speed(SPEED, log=log)
    (scale,) = [scale for scale in vega(chart)["scales"] if scale["name"] == "x"]
    assert scale["type"] == kind
    assert rows(chart, "agent", "seconds", "spoken")[:2] == [("strong", 2.0, "2.00 s"), ("weak", 0.0005, "500 µs")]
    assert {"strong", "weak"} <= set(texts(chart))


def test_agents_as_fast_and_strong_as_each_other_can_still_be_read() -> None:
    names = [f"agent {k}" for k in range(12)]
    crowd = pl.DataFrame({"agent": names, "rating": 0.0, "low": -10.0, "high": 10.0, "match_time": 1e6})
    assert set(names) <= set(texts(strength_speed(crowd)))


def test_course_names_each_line_in_the_order_of_its_end() -> None:
    frame = pl.DataFrame(
        [(1, "a", 10.0), (1, "b", -10.0), (2, "a", -40.0), (2, "b", 39.0), (2, "c", 39.5)],
        ["matches", "agent", "rating"],
        orient="row",
    )
    chart = course(frame)
    assert rows(chart, "matches", "agent", "rating")[:5] == frame.rows()
    labels = dict(rows(chart, "agent", "label"))
    assert sorted(labels, key=labels.__getitem__) == ["a", "b", "c"]
    assert labels["c"] - labels["b"] > 0.5  # moved apart, to be read
    assert domains(chart, "color") == [["c", "b", "a"]]


def test_score_without_an_interval_is_still_a_point() -> None:
    single = SPEED.with_columns(pl.lit(None, pl.Float64).alias("low"), pl.lit(None, pl.Float64).alias("high"))
    assert ("strong", 50.0, 50.0, 50.0) in rows(strength_speed(single), "agent", "low", "rating", "high")


def test_without_times_there_is_no_axis_of_times() -> None:
    for log in (False, True):
        shown = texts(strength_speed(SPEED.filter(agent="absent"), log=log))
        assert not [text for text in shown if text.endswith("s") and text[0].isdigit()]


def test_places_are_shares_of_the_episodes() -> None:
    standings = pl.DataFrame(
        {"agent": ["a", "b"], "episodes": [10, 10], "place_1": [6, 4], "place_2": [3, 1], "place_3": [1, 5]}
    )
    chart = places(standings)
    drawn = rows(chart, "agent", "place", "times", "share")
    assert ("a", 1, 6, 0.6) in drawn
    assert ("b", 3, 5, 0.5) in drawn
    assert len(drawn) == 6
    assert {"1", "2", "3", "a", "b"} <= set(texts(chart))


def test_path_lies_between_both_bounds() -> None:
    chart = path([0.5, -0.25, 3.1], -2.94, 2.94, -10, 0)
    assert rows(chart, "pairs", "llr")[:3] == [(1, 0.5), (2, -0.25), (3, 3.1)]
    assert rows(chart, "llr", "label") == [
        (2.94, "the test accepts +0 Elo points"),
        (-2.94, "the test accepts −10 Elo points"),
    ]
    (domain,) = domains(chart, "y")
    assert domain[0] < -2.94
    assert domain[1] >= 3.1


def test_long_path_is_thinned_but_keeps_its_end() -> None:
    chart = path([k / 100_000 for k in range(100_000)], -2.94, 2.94, 0, 10)
    drawn = max(vega(chart)["data"], key=lambda data: len(data.get("values", [])))["values"]
    assert len(drawn) < 2100
    assert drawn[-1]["pairs"] == 100_000


def test_path_without_pairs_is_drawn() -> None:
    assert len(rows(path([], -2.94, 2.94, 0, 10), "llr", "label")) == 2
