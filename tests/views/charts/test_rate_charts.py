import polars as pl
import pytest

from ludus.views.charts.rate_charts import POINTS, RATE, SCORE, along, by_name, pairs
from ludus.views.charts.theme import framed
from support.drawing import domains, marks, png_size, rows, texts, vega

RATES = pl.DataFrame(
    {
        "agent": ["strong", "weak"],
        "episodes": [40, 40],
        "wins": [30, 10],
        "rate": [0.75, 0.25],
        "low": [0.6, 0.14],
        "high": [0.86, 0.4],
        "kept_episodes": [20, 0],
        "kept_rate": [0.5, None],
        "kept_low": [0.3, None],
        "kept_high": [0.7, None],
    }
)
GIVEN = pl.DataFrame({"value": [3.0], "score": [0.45], "low": [0.3], "high": [0.6], "episodes": [9]})
LINE = pl.DataFrame(
    {
        "value": [1.0, 2.0, 5.0],
        "score": [0.4, 0.5, 0.6],
        "low": [0.3, 0.4, 0.5],
        "high": [0.5, 0.6, 0.7],
        "episodes": [9, 9, 9],
    }
)
MAP = pl.DataFrame(
    {
        "x": ["1", "2", "1"],
        "y": ["a", "a", "b"],
        "score": [0.4, 0.55, 1.0],
        "low": [0.3, 0.45, 0.55],
        "high": [0.5, 0.65, 1.0],
        "episodes": [9, 9, 9],
    }
)


def test_rates_stand_beside_those_without_early_ends_where_there_are_any() -> None:
    chart = by_name(RATES, "agent", "agent")
    assert rows(chart, "agent", "of", "value") == [
        ("strong", "all episodes", 0.75),
        ("weak", "all episodes", 0.25),
        ("strong", "without early ends", 0.5),
    ]
    assert {"strong", "weak", "all episodes", "without early ends", "win rate"} <= set(texts(chart))
    assert domains(chart, "x") == [[0, 1]]


def test_line_has_a_point_and_an_interval_for_each_value() -> None:
    chart = along(LINE, "c", SCORE, given=GIVEN)
    assert rows(chart, "value", "low", "middle", "high") == [
        (3, 0.3, 0.45, 0.6),
        (1, 0.3, 0.4, 0.5),
        (2, 0.4, 0.5, 0.6),
        (5, 0.5, 0.6, 0.7),
    ]
    assert {"c", "score", "1", "2", "5", "as given"} <= set(texts(chart))
    assert len(marks(chart, "point")) == 3 + 1


@pytest.mark.parametrize("value", [None, 2.0])
def test_agent_as_given_has_no_point_of_its_own_without_a_number_or_on_the_line(value: float | None) -> None:
    given = GIVEN.with_columns(value=pl.lit(value, pl.Float64))
    chart = along(LINE, "c", SCORE, given=given)
    assert "as given" in texts(chart)
    assert len(marks(chart, "point")) == 3


@pytest.mark.parametrize(("highest", "kind"), [(5.0, "linear"), (500.0, "log")])
def test_values_far_apart_have_a_logarithmic_axis(highest: float, kind: str) -> None:
    frame = LINE.with_columns(value=pl.Series([1.0, 2.0, highest]))
    (scale,) = [scale for scale in vega(along(frame, "c", POINTS))["scales"] if scale["name"].endswith("x")]
    assert scale["type"] == kind


def test_texts_stand_in_their_order() -> None:
    chart = along(LINE.with_columns(value=pl.Series(["10ms", "2ms", "none"])), "time", SCORE)
    shown = texts(chart)
    assert [text for text in shown if text in ("10ms", "2ms", "none")] == ["10ms", "2ms", "none"]


def test_each_of_several_lines_has_its_colour() -> None:
    frame = pl.concat([LINE.with_columns(line=pl.lit(name)) for name in ("b", "a")])
    assert domains(along(frame, "players", RATE, series="agent"), "color") == [["b", "a"]]


def test_lines_that_share_a_colour_have_points_of_other_shapes() -> None:
    frame = pl.concat([LINE.with_columns(line=pl.lit(f"agent {number}")) for number in range(18)])
    scales = {scale["name"]: scale.get("range") for scale in vega(along(frame, "c", RATE, series="agent"))["scales"]}
    looks = list(zip(scales["color"], scales["shape"], strict=True))
    assert len(set(looks)) == len(looks) == 18


def test_crowded_values_are_labelled_where_there_is_room() -> None:
    frame = LINE.with_columns(value=pl.Series([0.5, 0.69, 0.9]))
    given = GIVEN.with_columns(value=pl.lit(0.7))
    assert {"0.5", "0.69", "0.9"} <= set(texts(along(frame, "filter", SCORE, given=given)))


def test_lines_stand_beside_each_other_only_where_they_share_a_value() -> None:
    frame = pl.concat([LINE.with_columns(line=pl.lit("a")), LINE.head(1).with_columns(line=pl.lit("b"))])
    (first, *alone), (second,) = (
        [place for line, place in rows(along(frame, "c", RATE, series="agent"), "line", "place") if line == name]
        for name in "ab"
    )
    assert alone == pytest.approx([2.0, 5.0])
    assert first < 1 < second
    assert first + second == pytest.approx(2.0)


def test_long_names_stand_whole_in_the_legend() -> None:
    names = [f"mcts:simulations=1000,rollout_depth=12,tree_depth=200,c={c}" for c in (1, 2, 3)]
    frame = pl.concat([LINE.with_columns(line=pl.lit(name)) for name in names])
    chart = framed(along(frame, "players", RATE, series="agent"))
    assert set(names) <= set(texts(chart))
    assert png_size(chart)[0] < 900


def test_map_of_pairs_has_figures_and_the_ends_of_intervals_and_marks_the_one_as_given() -> None:
    chart = pairs(MAP, ("c", ["1", "2"]), ("keep", ["a", "b"]), SCORE, marked=["2", "a"])
    shown = texts(chart)
    assert {"0.40", "0.55", "1.00", "0.30–0.50", "0.55–1.00", "c", "keep"} <= set(shown)
    assert domains(chart, "x") == [["1", "2"]]
    assert domains(chart, "y") == [["b", "a"]]  # the lowest value at the bottom
    unmarked = pairs(MAP, ("c", ["1", "2"]), ("keep", ["a", "b"]), SCORE)
    assert len(marks(chart, "rect")) == len(marks(unmarked, "rect")) + 1


@pytest.mark.parametrize(
    ("scores", "ends"),
    [([1.0, 1.0], (0.7, 1.0)), ([0.4, 0.5], (0.3, 0.6)), ([0.0, 0.6], (0.0, 0.6)), ([0.1], (0.0, 0.3))],
)
def test_colours_of_shares_go_from_0_to_1_at_most_and_make_nothing_of_chance(
    scores: list[float], ends: tuple[float, float]
) -> None:
    frame = MAP.head(len(scores)).with_columns(score=pl.Series(scores))
    (stops,) = domains(pairs(frame, ("c", ["1", "2"]), ("keep", ["a", "b"]), SCORE), "color")
    assert (stops[0], stops[-1]) == pytest.approx(ends)


def test_charts_without_rows_are_drawn() -> None:
    for chart in (
        by_name(RATES.clear(), "agent", "agent"),
        along(LINE.clear(), "c", SCORE),
        pairs(MAP.clear(), ("c", []), ("keep", []), SCORE),
    ):
        assert min(png_size(chart)) > 0
