"""Charts of strength: ratings, places, strength against speed, the course of a tournament, the path of a test."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from ludus.core.text import decimal, spoken_time
from ludus.views.charts.labels import LONGEST, Span, around, spread
from ludus.views.charts.theme import (
    BLUE,
    BLUES,
    INK,
    ORANGE,
    QUIET,
    SEVERAL,
    TIME_LABELS,
    agents_axis,
    data,
    layered,
    row_height,
    time_ticks,
)
from ludus.views.columns import RATING_AXIS
from ludus.views.short_names import shown_names

WIDTH, HEIGHT = 700, 460
PATH_HEIGHT = 340
_MOST_POINTS = 2000  # maximum number of points of a path


def ratings(standings: pl.DataFrame) -> alt.LayerChart:
    """The rating of each agent with its 95 % interval, best first."""
    known = standings.filter(pl.col("rating").is_not_null())
    frame = _to_the_edges(known.select("rank", "agent", "rating", "low", "high", "better", "episodes"))
    chart = alt.Chart(data(frame)).encode(
        agents_axis(frame["agent"].to_list()),
        tooltip=[
            alt.Tooltip("rank:Q"),
            alt.Tooltip("agent:N"),
            alt.Tooltip("rating:Q", format=",.1f"),
            alt.Tooltip("reach:N", title="95 %"),
            alt.Tooltip("better:Q", title="better than the next one", format=".1%"),
            alt.Tooltip("episodes:Q", format=","),
        ],
    )
    axis = alt.X("low:Q", title=RATING_AXIS, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=8))
    return layered(
        chart.mark_rule(color=BLUE, strokeWidth=2, opacity=0.45).encode(axis, x2="high:Q"),
        *_arrows(frame, chart, alt.X, "left", "right"),
        chart.mark_circle(color=BLUE, size=64, opacity=1).encode(alt.X("rating:Q")),
        width=WIDTH - 40,
        height=alt.Step(row_height(len(frame))),
    )


def _to_the_edges(frame: pl.DataFrame) -> pl.DataFrame:
    """Ratings with open ends of intervals at the edges of the chart, marked as `open_low` and `open_high`."""
    values = [value for name in ("rating", "low", "high") for value in frame[name] if value is not None]
    edges = Span.of(values, WIDTH)
    reaches = [_reach(*row) for row in frame.select("low", "high").iter_rows()]
    return frame.with_columns(
        reach=pl.Series(reaches, dtype=pl.String),
        open_low=pl.col("low").is_null(),
        open_high=pl.col("high").is_null(),
        low=pl.coalesce("low", pl.lit(edges.low)),
        high=pl.coalesce("high", pl.lit(edges.high)),
    )


def _arrows(
    frame: pl.DataFrame, chart: alt.Chart, axis: type[alt.X] | type[alt.Y], lower: str, upper: str
) -> list[alt.Chart]:
    """Arrows at the open ends of intervals, that point to these sides."""
    return [
        chart.transform_filter(f"datum.open_{end}")
        .mark_point(shape=f"triangle-{side}", color=BLUE, fill=BLUE, size=40, opacity=0.7)
        .encode(axis(f"{end}:Q"))
        for end, side in (("low", lower), ("high", upper))
        if frame[f"open_{end}"].any()  # Vega warns of layers without data
    ]


def _reach(low: float | None, high: float | None) -> str:
    """An interval in words."""
    if low is None or high is None:
        return f"≤ {decimal(high, 1)}" if high is not None else f"≥ {decimal(low, 1)}" if low is not None else ""
    return f"{decimal(low, 1)} to {decimal(high, 1)}"


def strength_speed(strength_speed: pl.DataFrame, *, log: bool = False, measure: str = RATING_AXIS) -> alt.LayerChart:
    """Strength with its 95 % interval against thinking time in an episode: the best are at the top left."""
    known = strength_speed.filter((pl.col("match_time") > 0) & pl.col("rating").is_not_null())
    is_single = pl.col("low").is_null() & pl.col("high").is_null()  # a single score has no interval
    frame = _to_the_edges(
        known.with_columns(
            seconds=pl.col("match_time") / 1e9,
            spoken=pl.col("match_time").map_elements(spoken_time, return_dtype=pl.String),
            low=pl.when(is_single).then("rating").otherwise("low"),
            high=pl.when(is_single).then("rating").otherwise("high"),
        )
    )
    times = Span.of(frame["seconds"].to_list(), WIDTH, log=log)
    strengths = Span.of([*frame["low"], *frame["high"]], HEIGHT)
    ticks: dict[str, Any] = {"values": time_ticks(times.low, times.high)} if log else {"tickCount": 6}
    if frame.is_empty():
        ticks = {"values": []}
    x = alt.X(
        "seconds:Q",
        title="thinking time in an episode, median over matches",
        scale=alt.Scale(type="log" if log else "linear", domain=[times.low, times.high], nice=False),
        axis=alt.Axis(labelExpr=TIME_LABELS, **ticks),
    )
    scale = alt.Scale(domain=[strengths.low, strengths.high], nice=False)
    tooltip = [
        alt.Tooltip("agent:N"),
        alt.Tooltip("rating:Q", title=measure.partition(" (")[0], format=",.1f"),
        alt.Tooltip("reach:N", title="95 %"),
        alt.Tooltip("spoken:N", title="thinks in an episode"),
    ]
    chart = alt.Chart(data(frame)).encode(x, tooltip=tooltip)
    return layered(
        chart.mark_rule(color=BLUE, strokeWidth=1.5, opacity=0.4).encode(
            alt.Y("low:Q", title=measure, scale=scale), y2="high:Q"
        ),
        *_arrows(frame, chart, alt.Y, "down", "up"),
        chart.mark_circle(color=BLUE, size=64, opacity=1).encode(alt.Y("rating:Q")),
        *_names(frame, times, strengths, tooltip),
        width=WIDTH,
        height=HEIGHT,
    )


def _names(frame: pl.DataFrame, times: Span, strengths: Span, tooltip: list[alt.Tooltip]) -> list[alt.Chart]:
    """The agents' names beside their points, as far as there is room."""

    def down(column: str) -> list[float]:
        return [HEIGHT - strengths.pixel(value) for value in frame[column]]

    points = list(zip(map(times.pixel, frame["seconds"]), down("rating"), strict=True))
    bars = list(zip(down("high"), down("low"), strict=True))
    names = list(shown_names(frame["agent"].to_list()).values())
    places = around(points, bars, names, WIDTH, HEIGHT)
    placed = frame.with_columns(
        name=pl.Series(names, dtype=pl.String),
        x=pl.Series([times.value(place.x) if place else None for place in places], dtype=pl.Float64),
        y=pl.Series([strengths.value(HEIGHT - place.y) if place else None for place in places], dtype=pl.Float64),
        align=pl.Series([place.align if place else None for place in places], dtype=pl.String),
        far=pl.Series([place.far if place else None for place in places], dtype=pl.Boolean),
    )
    lines = alt.Chart(data(placed.filter("far"))).mark_rule(color=QUIET, strokeWidth=0.7)
    return [
        lines.encode(alt.X("seconds:Q"), alt.Y("rating:Q"), x2="x:Q", y2="y:Q"),
        *(
            alt.Chart(data(placed.filter(align=align)))
            .mark_text(align=align, baseline="middle", limit=LONGEST)
            .encode(alt.X("x:Q"), alt.Y("y:Q"), text="name:N", tooltip=tooltip)
            for align in ("left", "right")
        ),
    ]


def course(course: pl.DataFrame) -> alt.LayerChart:
    """The rating of each agent after each number of matches; a line comes forward under the pointer."""
    last = course.filter(pl.col("matches") == pl.col("matches").max()).sort("rating", descending=True)
    order = last["agent"].to_list()
    height = max(HEIGHT, 14 * len(order))
    strengths = Span.of(course["rating"].to_list(), height)
    lowered = spread([height - strengths.pixel(value) for value in last["rating"]], 13, 4, height - 4)
    names = last.with_columns(
        name=pl.Series(list(shown_names(order).values()), dtype=pl.String),
        label=pl.Series([strengths.value(height - end) for end in lowered], dtype=pl.Float64),
    )
    colour = alt.Color(
        "agent:N",
        legend=None,
        scale=alt.Scale(domain=order, range=[SEVERAL[i % len(SEVERAL)] for i in range(len(order))]),
    )
    # Selecting the nearest line would be better, but then Vega-Lite loses the names in the tool tips.
    pointed = alt.selection_point(fields=["agent"], on="pointerover", empty=False, clear="pointerout")
    x = alt.X(
        "matches:Q",
        title="matches played",
        scale=alt.Scale(nice=False),
        axis=alt.Axis(grid=False, format=",d", tickCount=8),
    )
    y = alt.Y("rating:Q", title=RATING_AXIS, scale=alt.Scale(domain=[strengths.low, strengths.high], nice=False))
    chart = alt.Chart(data(course)).encode(x, y, colour)
    tooltip = [
        alt.Tooltip("agent:N"),
        alt.Tooltip("matches:Q", title="after matches", format=","),
        alt.Tooltip("rating:Q", format=",.1f"),
    ]
    ends = alt.Chart(data(names))
    return layered(
        chart.mark_line().encode(
            opacity=alt.condition(pointed, alt.value(1), alt.value(0.7)),
            strokeWidth=alt.condition(pointed, alt.value(3), alt.value(1.6)),
        ),
        chart.mark_circle(size=40).encode(opacity=alt.condition(pointed, alt.value(1), alt.value(0))),
        chart.mark_circle(size=200, opacity=0).encode(tooltip=tooltip).add_params(pointed),
        ends.mark_rule(strokeWidth=0.7, opacity=0.6).encode(
            colour, alt.Y("rating:Q"), y2="label:Q", x=alt.value(WIDTH + 2), x2=alt.value(WIDTH + 22)
        ),
        ends.mark_text(align="left", baseline="middle", limit=LONGEST).encode(
            colour, alt.Y("label:Q"), text="name:N", x=alt.value(WIDTH + 26), tooltip=tooltip
        ),
        width=WIDTH,
        height=height,
    )


def places(standings: pl.DataFrame) -> alt.Chart:
    """Shares of first, second and other places of each agent."""
    columns = [column for column in standings.columns if column.startswith("place_")]
    frame = (
        standings.unpivot(columns, index=["agent", "episodes"], variable_name="place", value_name="times")
        .with_columns(pl.col("place").str.strip_prefix("place_").cast(pl.Int64))
        .with_columns(share=pl.col("times") / pl.col("times").sum().over("agent"))
    )
    places = list(range(1, len(columns) + 1))
    return (
        alt.Chart(data(frame))
        .mark_bar(height=row_height(len(standings)) * 0.68)
        .encode(
            alt.X("times:Q", stack="normalize", title="share of the episodes", axis=alt.Axis(format=".0%")),
            agents_axis(standings["agent"].to_list()),
            alt.Color("place:O", title="place", scale=alt.Scale(domain=places, range=_shades(len(places)))),
            alt.Order("place:Q"),
            tooltip=[
                alt.Tooltip("agent:N"),
                alt.Tooltip("place:O"),
                alt.Tooltip("times:Q", format=",.6~g"),
                alt.Tooltip("share:Q", format=".1%"),
            ],
        )
        .properties(width=WIDTH - 40, height=alt.Step(row_height(len(standings))))
    )


def _shades(count: int) -> list[str]:
    """Colours from dark to pale, interpolated between the given ones."""
    shades = []
    for i in range(count):
        place = i / max(count - 1, 1) * (len(BLUES) - 1.35)  # the palest would be invisible on white
        lower = min(int(place), len(BLUES) - 2)
        pair = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in BLUES[lower : lower + 2]]
        mixed = [round(a + (b - a) * (place - lower)) for a, b in zip(*pair, strict=True)]
        shades.append("#" + "".join(f"{part:02x}" for part in mixed))
    return shades


def path(ratios: Sequence[float], lower: float, upper: float, elo0: float, elo1: float) -> alt.LayerChart:
    """The log-likelihood ratio after each pair of episodes, and the bounds at which the test accepts elo0 or elo1."""
    every = len(ratios) // _MOST_POINTS + 1
    path = pl.DataFrame({"pairs": range(1, len(ratios) + 1), "llr": ratios}, {"pairs": pl.Int64, "llr": pl.Float64})
    path = pl.concat([path.gather_every(every), path.tail(1)]).unique(maintain_order=True)
    room = 0.15 * (upper - lower)
    span = [min([lower - room, *path["llr"]]), max([upper + room, *path["llr"]])]
    x = alt.X(
        "pairs:Q",
        title="pairs of episodes",
        scale=alt.Scale(zero=True, nice=False),
        axis=alt.Axis(grid=False, format=",d", tickCount=8),
    )
    y = alt.Y("llr:Q", title="log-likelihood ratio", scale=alt.Scale(domain=span, nice=False))
    tooltip = [alt.Tooltip("pairs:Q", format=","), alt.Tooltip("llr:Q", title="log-likelihood ratio", format="+.3f")]
    bounds = pl.DataFrame(
        {
            "llr": [upper, lower],
            "label": [f"the test accepts {elo:+g} Elo points".replace("-", "−") for elo in (elo1, elo0)],
            "colour": [BLUE, ORANGE],
        }
    )
    chart, ends = alt.Chart(data(path)), alt.Chart(data(bounds))
    colour = alt.Color("colour:N", scale=None)
    return layered(
        ends.mark_rule(strokeDash=[5, 4], strokeWidth=1.4).encode(y, colour),
        ends.mark_text(align="left", baseline="bottom", dx=6, dy=-4).encode(y, colour, text="label:N", x=alt.value(0)),
        chart.mark_line(color=QUIET, strokeWidth=1.8).encode(x, y),
        chart.mark_circle(color=INK, size=30, opacity=0).encode(x, y, tooltip=tooltip),
        alt.Chart(data(path.tail(1))).mark_circle(color=INK, size=70, opacity=1).encode(x, y, tooltip=tooltip),
        width=WIDTH,
        height=PATH_HEIGHT,
    )
