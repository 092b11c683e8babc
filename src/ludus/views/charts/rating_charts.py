"""Charts of ratings: standings, strength against speed, the course of a tournament."""

from typing import Any

import altair as alt
import polars as pl

from ludus.core.text import spoken_time
from ludus.views.charts.chart_names import shown_names
from ludus.views.charts.labels import LONGEST, Span, around, spread
from ludus.views.charts.theme import BLUE, QUIET, RATING, SEVERAL, agents_axis, data, layered, row_height
from ludus.views.charts.time_axis import TIME_LABELS, time_ticks

WIDTH, HEIGHT = 700, 460


def ratings(standings: pl.DataFrame) -> alt.LayerChart:
    """The rating of each agent with its 95 % interval, best first."""
    frame = standings.filter(pl.col("rating").is_not_null()).select(
        "rank",
        "agent",
        "rating",
        "error",
        "better",
        "episodes",
        low=pl.col("rating") - pl.col("error"),
        high=pl.col("rating") + pl.col("error"),
    )
    chart = alt.Chart(data(frame)).encode(
        agents_axis(frame["agent"].to_list()),
        tooltip=[
            alt.Tooltip("rank:Q"),
            alt.Tooltip("agent:N"),
            alt.Tooltip("rating:Q", format=",.1f"),
            alt.Tooltip("error:Q", title="± (95 %)", format=".1f"),
            alt.Tooltip("better:Q", title="better than the next one", format=".1%"),
            alt.Tooltip("episodes:Q", format=","),
        ],
    )
    axis = alt.X("low:Q", title=RATING, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=8))
    return layered(
        chart.mark_rule(color=BLUE, strokeWidth=2, opacity=0.45).encode(axis, x2="high:Q"),
        chart.mark_circle(color=BLUE, size=64, opacity=1).encode(alt.X("rating:Q")),
        width=WIDTH - 40,
        height=alt.Step(row_height(len(frame))),
    )


def strength_speed(strength_speed: pl.DataFrame, *, log: bool = False, measure: str = RATING) -> alt.LayerChart:
    """Strength with its 95 % interval against the time an agent thinks in an episode: the best are at the top left."""
    known = strength_speed.filter((pl.col("match_time") > 0) & pl.col("rating").is_not_null())
    frame = known.with_columns(
        seconds=pl.col("match_time") / 1e9,
        spoken=pl.col("match_time").map_elements(spoken_time, return_dtype=pl.String),
        low=pl.coalesce("low", "rating"),  # a single score has no interval
        high=pl.coalesce("high", "rating"),
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
        alt.Tooltip("low:Q", title="from", format=",.1f"),
        alt.Tooltip("high:Q", title="to (95 %)", format=",.1f"),
        alt.Tooltip("spoken:N", title="thinks in an episode"),
    ]
    chart = alt.Chart(data(frame)).encode(x, tooltip=tooltip)
    return layered(
        chart.mark_rule(color=BLUE, strokeWidth=1.5, opacity=0.4).encode(
            alt.Y("low:Q", title=measure, scale=scale), y2="high:Q"
        ),
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
    """The rating of each agent after so many matches; a line comes forward under the pointer."""
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
    # Pointing at the nearest line would be nicer, but Vega-Lite loses the names in the tool tips then.
    pointed = alt.selection_point(fields=["agent"], on="pointerover", empty=False, clear="pointerout")
    x = alt.X(
        "matches:Q",
        title="matches played",
        scale=alt.Scale(nice=False),
        axis=alt.Axis(grid=False, format=",d", tickCount=8),
    )
    y = alt.Y("rating:Q", title=RATING, scale=alt.Scale(domain=[strengths.low, strengths.high], nice=False))
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
