"""Charts of studies: ratings side by side in several settings, rank shifts, relative errors of the clock."""

from collections.abc import Callable, Sequence
from typing import Any

import altair as alt
import polars as pl

from ludus.views.charts.boxes import WIDTH, quantile_tips, quantiles
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
    time_ticks,
)

_BOX = 13
"""Pixels of a box and the gap below it."""
_HEIGHT = 170


def side_by_side(
    values: pl.DataFrame, order: Sequence[str], measure: str, setting: str, label: Callable[[float], str]
) -> alt.LayerChart:
    """Ratings of each agent over the repetitions as boxes, one for each setting below the other.

    `values` has setting, agent and rating; `label` describes a setting.
    """
    known = values.filter(pl.col("rating").is_not_null() & pl.col("agent").is_in(list(order)))
    settings = values["setting"].unique(maintain_order=True).to_list()
    labels = [label(value) for value in settings]
    names = pl.col("setting").replace_strict(settings, labels, return_dtype=pl.String)
    frame = quantiles(known, "setting", "agent").with_columns(names).sort("agent", "setting")
    colours = alt.Scale(domain=labels, range=_colours(len(labels)))
    row = alt.YOffset("setting:N", sort=labels, scale=alt.Scale(paddingInner=0.25, paddingOuter=0.12))
    chart = alt.Chart(data(frame)).encode(
        agents_axis(order), row, tooltip=[alt.Tooltip("agent:N"), alt.Tooltip("setting:N"), *quantile_tips()]
    )
    x = alt.X("low:Q", title=measure, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=8))
    colour = alt.Color("setting:N", title=setting, scale=colours, sort=labels)
    return layered(
        chart.mark_rule(color=QUIET).encode(x, x2="high:Q"),
        chart.mark_bar(cornerRadius=1).encode(alt.X("q1:Q"), colour, x2="q3:Q"),
        chart.mark_tick(color=INK, thickness=2, bandSize=_BOX * 0.7).encode(alt.X("median:Q")),
        width=WIDTH,
        height=alt.Step(_BOX * len(labels) + 6, **{"for": "position"}),
    )


def _colours(count: int) -> list[str]:
    """Different colours for few settings, shades from dark to pale for many, which are steps of one thing."""
    if count <= 3:
        return SEVERAL[:count]
    dark, *_, pale = BLUES[:3]
    mix = [(step / (count - 1)) for step in range(count)]
    ends = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in (dark, pale)]
    return ["#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(*ends, strict=True)) for part in mix]


def shifts(compared: pl.DataFrame, setting: str, label: Callable[[float], str]) -> alt.VConcatChart:
    """By setting: the number of agents with another rank, their mean shift, and how often the best one is first."""
    labels = [label(value) for value in compared["setting"]]
    frame = compared.with_columns(pl.Series("setting", labels))
    panels = [
        ("moved", "moved_low", "moved_high", "agents moved", BLUE, {}),
        ("shift", "shift_low", "shift_high", "ranks, on average", ORANGE, {}),
        ("best_first", "best_low", "best_high", "best agent is first", BLUE, {"format": "%"}),
    ]
    drawn = [_panel(frame, labels, setting if panel is panels[-1] else None, *panel) for panel in panels]
    return alt.vconcat(*drawn)


def _panel(
    frame: pl.DataFrame,
    order: Sequence[str],
    setting: str | None,
    value: str,
    low: str,
    high: str,
    title: str,
    colour: str,
    axis: dict[str, Any],
) -> alt.LayerChart:
    x = alt.X("setting:N", sort=list(order), title=setting, axis=alt.Axis(labelAngle=0, grid=False))
    scale = alt.Scale(domain=[0, 1]) if axis else alt.Scale(zero=True)
    y = alt.Y(f"{value}:Q", title=title, scale=scale, axis=alt.Axis(tickCount=5, **axis))
    chart = alt.Chart(data(frame)).encode(
        x,
        tooltip=[
            alt.Tooltip("setting:N"),
            *(
                alt.Tooltip(f"{name}:Q", title=head, format=".3~f")
                for name, head in ((value, title), (low, "from"), (high, "to (95 %)"))
            ),
        ],
    )
    return layered(
        chart.mark_bar(color=colour, opacity=0.35, size=34).encode(y),
        chart.mark_rule(color=colour, strokeWidth=2).encode(alt.Y(f"{low}:Q"), y2=f"{high}:Q"),
        chart.mark_circle(color=colour, size=60, opacity=1).encode(alt.Y(f"{value}:Q")),
        width=WIDTH,
        height=_HEIGHT,
    )


def clock_errors(errors: pl.DataFrame, reliable: float) -> alt.LayerChart:
    """The relative error of equal sorts against their mean time, with all of them and without outliers."""
    frame = errors.select(
        "numbers",
        "error",
        "kept_error",
        seconds=pl.col("median") / 1e9,
    ).unpivot(["error", "kept_error"], index=["numbers", "seconds"], variable_name="which", value_name="relative")
    names = {"error": "all sorts", "kept_error": "without outliers"}
    frame = frame.with_columns(pl.col("which").replace_strict(names, return_dtype=pl.String))
    low, high = frame["seconds"].min(), frame["seconds"].max()
    assert isinstance(low, float)
    assert isinstance(high, float)
    x = alt.X(
        "seconds:Q",
        title="median time of a sort",
        scale=alt.Scale(type="log", nice=False, padding=20),
        axis=alt.Axis(labelExpr=TIME_LABELS, values=time_ticks(low, high)),
    )
    y = alt.Y(
        "relative:Q",
        title="relative error (deviation / mean)",
        scale=alt.Scale(type="log", nice=True),
        axis=alt.Axis(format="~%", values=[step * 10.0**power for power in range(-3, 2) for step in (1, 3)]),
    )
    colour = alt.Color("which:N", title=None, scale=alt.Scale(domain=[*names.values()], range=[ORANGE, BLUE]))
    chart = alt.Chart(data(frame)).encode(
        x,
        y,
        colour,
        tooltip=[
            alt.Tooltip("numbers:Q", format=","),
            alt.Tooltip("which:N", title="error of"),
            alt.Tooltip("relative:Q", title="relative error", format=".1%"),
        ],
    )
    limit = alt.Chart(data(pl.DataFrame({"relative": [reliable]})))
    return layered(
        limit.mark_rule(strokeDash=[5, 4], color=QUIET).encode(alt.Y("relative:Q")),
        chart.mark_line(strokeWidth=1.6),
        chart.mark_circle(size=60, opacity=1),
        width=WIDTH,
        height=2 * _HEIGHT,
    )
