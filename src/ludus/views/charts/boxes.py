"""Box plots from given quantiles: the box holds the middle half, the whiskers reach to both ends."""

from collections.abc import Sequence

import altair as alt
import polars as pl

from ludus.core.text import spoken_time
from ludus.views.charts.labels import Span
from ludus.views.charts.theme import (
    BLUE,
    INK,
    PALE_BLUE,
    QUIET,
    TIME_LABELS,
    agents_axis,
    data,
    layered,
    row_height,
    time_ticks,
)
from ludus.views.columns import RATING_AXIS

WIDTH = 660
_ENDS = ("low", "q1", "median", "q3", "high")


def move_times(timing: pl.DataFrame, title: str = "time of a move") -> alt.LayerChart:
    """Times of the moves of each agent on a log axis: fastest, quartiles, slowest, and the mean as a ring."""
    times = timing.filter(pl.col("median").is_not_null()).select(
        "agent", "moves", "q1", "median", "q3", "mean", low="fastest", high="slowest"
    )
    columns = (*_ENDS, "mean")
    spoken = {f"{name}_spoken": pl.col(name).map_elements(spoken_time, return_dtype=pl.String) for name in columns}
    seconds = {name: pl.max_horizontal(name, 1) / 1e9 for name in columns}  # a log axis has no zero
    frame = times.with_columns(**spoken).with_columns(**seconds)
    span = Span.of([*frame["low"], *frame["high"]], WIDTH, log=True)
    axis = alt.X(
        "low:Q",
        title=title,
        scale=alt.Scale(type="log", domain=[span.low, span.high], nice=False),
        axis=alt.Axis(labelExpr=TIME_LABELS, values=time_ticks(span.low, span.high) if len(frame) else []),
    )
    tooltip = [
        alt.Tooltip("agent:N"),
        alt.Tooltip("low_spoken:N", title="fastest"),
        alt.Tooltip("q1_spoken:N", title="first quartile"),
        alt.Tooltip("median_spoken:N", title="median"),
        alt.Tooltip("q3_spoken:N", title="third quartile"),
        alt.Tooltip("high_spoken:N", title="slowest"),
        alt.Tooltip("mean_spoken:N", title="mean"),
        alt.Tooltip("moves:Q", format=","),
    ]
    return _boxes(frame, axis, tooltip, mean=True)


def points(standings: pl.DataFrame) -> alt.LayerChart:
    """Scores in a game of one player: worst, quartiles, best, and the mean as a ring."""
    frame = standings.filter(pl.col("episodes") > 0).select(
        "agent", "episodes", "q1", "median", "q3", "mean", low="worst", high="best"
    )
    tooltip = [
        alt.Tooltip("agent:N"),
        alt.Tooltip("high:Q", title="best", format=",.6~g"),
        alt.Tooltip("q3:Q", title="third quartile", format=",.6~g"),
        alt.Tooltip("median:Q", title="median", format=",.6~g"),
        alt.Tooltip("q1:Q", title="first quartile", format=",.6~g"),
        alt.Tooltip("low:Q", title="worst", format=",.6~g"),
        alt.Tooltip("mean:Q", title="mean", format=",.6~g"),
        alt.Tooltip("episodes:Q", format=","),
    ]
    return _boxes(
        frame,
        alt.X("low:Q", title="score", scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=7)),
        tooltip,
        mean=True,
    )


def repetitions(repetitions: pl.DataFrame, *, measure: str = RATING_AXIS) -> alt.LayerChart:
    """Ratings of each agent over the repetitions of the tournament, each of them a dot."""
    repetitions = repetitions.filter(pl.col("rating").is_not_null())
    summary = quantiles(repetitions, "agent").sort("mean", "agent", descending=[True, False])
    tooltip = [alt.Tooltip("agent:N"), *quantile_tips()]
    axis = alt.X("low:Q", title=measure, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=7))
    dots = (
        alt.Chart(data(repetitions))
        .mark_circle(size=16, color=BLUE, opacity=0.75)
        .encode(
            alt.X("rating:Q"),
            alt.Y("agent:N", sort=summary["agent"].to_list()),
            tooltip=[
                alt.Tooltip("agent:N"),
                alt.Tooltip("repetition:Q"),
                alt.Tooltip("rating:Q", title=measure.partition(" (")[0], format=",.1f"),
                alt.Tooltip("rank:Q"),
            ],
        )
    )
    return _boxes(summary, axis, tooltip, mean=False, above=[dots])


def quantiles(ratings: pl.DataFrame, *by: str) -> pl.DataFrame:
    """The box of each group of ratings: low, q1, median, q3, high; and mean and deviation."""
    rating = pl.col("rating")
    return ratings.group_by(by).agg(
        low=rating.min(),
        q1=rating.quantile(0.25, "linear"),
        median=rating.median(),
        q3=rating.quantile(0.75, "linear"),
        high=rating.max(),
        mean=rating.mean(),
        deviation=rating.std(),
    )


def quantile_tips() -> list[alt.Tooltip]:
    """The tool tips of the columns of `quantiles`."""
    return [
        alt.Tooltip("mean:Q", title="mean", format=",.3~f"),
        alt.Tooltip("deviation:Q", title="standard deviation", format=".3~f"),
        alt.Tooltip("high:Q", title="highest", format=",.3~f"),
        alt.Tooltip("median:Q", title="median", format=",.3~f"),
        alt.Tooltip("low:Q", title="lowest", format=",.3~f"),
    ]


def _boxes(
    frame: pl.DataFrame,
    axis: alt.X,
    tooltip: Sequence[alt.Tooltip],
    *,
    mean: bool,
    above: Sequence[alt.Chart] = (),
) -> alt.LayerChart:
    height = row_height(len(frame))
    chart = alt.Chart(data(frame)).encode(agents_axis(frame["agent"].to_list()), tooltip=list(tooltip))
    layers = [
        chart.mark_rule(color=QUIET).encode(axis, x2="high:Q"),
        chart.mark_bar(color=PALE_BLUE, stroke=BLUE, strokeWidth=1, height=height * 0.55, cornerRadius=2).encode(
            alt.X("q1:Q"), x2="q3:Q"
        ),
        chart.mark_tick(color=INK, thickness=2, height=height * 0.55).encode(alt.X("median:Q")),
    ]
    if mean:
        layers.append(
            chart.mark_point(color=INK, fill="white", size=22, strokeWidth=1.2, opacity=1).encode(alt.X("mean:Q"))
        )
    return layered(*layers, *above, width=WIDTH, height=alt.Step(height))
