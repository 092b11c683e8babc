"""The look of every chart: colours, type, frame."""

import json
import math
import textwrap
from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from ludus.views.charts.labels import LONGEST
from ludus.views.short_names import shown_names

FONT = "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif"
INK = "#22262b"
QUIET = "#667080"
HAIRLINE = "#e4e7eb"
PAPER = "#ffffff"
ON_LIGHT = "#22262c"  # figures on light cells, which stay light on a dark page
ON_DARK = "#fdfdfd"
BLUE = "#2a6db0"
PALE_BLUE = "#c9dcef"
ORANGE = "#d0731b"
DIVERGING = ["#a9500a", "#dd8f45", "#f2cda8", "#f0eeea", "#b7d2ea", "#5e9bd0", "#1b5a96"]
BLUES = ["#174f86", "#4a8cc7", "#a9cae8", "#f1f5f9"]
ORANGES = ["#9c4a08", "#d7853a", "#f0c394", "#faf4ee"]
SEVERAL = ["#2a6db0", "#d0731b", "#2f8f6b", "#b8609a", "#a08227", "#4fa3c7", "#8468c8", "#7c8798"]
"""Colours of lines, distinguishable by colour-blind people; reused in turn for more lines."""

_LINE = 92  # maximum letters of a line below a title

TIME_LABELS = (
    "datum.value == 0 ? '0' : datum.value >= 600 ? format(datum.value / 60, '~r') + ' min'"
    " : datum.value >= 1 ? format(datum.value, '~r') + ' s'"
    " : datum.value >= 1e-3 ? format(datum.value * 1e3, '~r') + ' ms'"
    " : datum.value >= 1e-6 ? format(datum.value * 1e6, '~r') + ' µs'"
    " : format(datum.value * 1e9, '~r') + ' ns'"
)
"""The labels of an axis in seconds, as an expression of Vega."""

CONFIG: dict[str, Any] = {
    "font": FONT,
    "background": PAPER,
    "padding": 16,
    "view": {"stroke": None},
    "title": {
        "anchor": "start",
        "frame": "bounds",
        "offset": 18,
        "color": INK,
        "fontSize": 16,
        "fontWeight": 600,
        "subtitleColor": QUIET,
        "subtitleFontSize": 12,
        "subtitleLineHeight": 16,
        "subtitlePadding": 5,
    },
    "axis": {
        "labelColor": INK,
        "labelFontSize": 11,
        "labelLimit": LONGEST,
        "maxExtent": LONGEST + 60,  # otherwise the title would cover long labels
        "labelPadding": 6,
        "labelSeparation": 10,
        "labelFlush": False,
        "titleColor": QUIET,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "titlePadding": 10,
        "gridColor": HAIRLINE,
        "domain": False,
        "ticks": False,
    },
    "legend": {
        "labelColor": INK,
        "labelFontSize": 11,
        "titleColor": QUIET,
        "titleFontSize": 11,
        "titleFontWeight": "normal",
        "titleLimit": 480,
        "padding": 8,
        "direction": "horizontal",
        "orient": "bottom",
        "offset": 12,
    },
    "text": {"color": INK, "fontSize": 11},
}


def layered(*layers: alt.Chart | alt.LayerChart, width: float | alt.Step, height: float | alt.Step) -> alt.LayerChart:
    """The layers on top of each other, in one frame of this size in pixels."""
    return alt.LayerChart(layer=list(layers)).properties(width=width, height=height)


def framed(
    chart: alt.Chart | alt.LayerChart | alt.VConcatChart,
) -> alt.Chart | alt.LayerChart | alt.VConcatChart:
    """The chart with the common look."""
    return chart.configure(**CONFIG)


def titled(
    chart: alt.Chart | alt.LayerChart | alt.VConcatChart, title: str, *sentences: str
) -> alt.Chart | alt.LayerChart | alt.VConcatChart:
    """The chart with a title, and sentences below it."""
    lines = [line for sentence in sentences for line in textwrap.wrap(sentence, _LINE)]
    return chart.properties(title=alt.Title(title, subtitle=lines))


def data(frame: pl.DataFrame) -> dict[str, Any]:
    """A frame inside the chart, whatever its length; values that are not finite become empty."""
    floats = pl.selectors.float()
    finite = frame.with_columns(pl.when(floats.is_finite()).then(floats).name.keep())
    # Altair would validate data of its own type row by row, and copy a list of rows repeatedly.
    return {"values": tuple(finite.to_dicts())}


def agents_axis(order: Sequence[str]) -> alt.Y:
    """Agents from top to bottom, as a vertical axis."""
    return alt.Y("agent:N", sort=list(order), title=None, axis=alt.Axis(grid=False, labelExpr=label_expression(order)))


def row_height(agents: int) -> int:
    """Pixels for each agent of a chart that lists them from top to bottom."""
    return 28 if agents <= 12 else 22 if agents <= 24 else 17


def label_expression(names: Sequence[str]) -> str:
    """The labels of an axis of agents, as an expression of Vega."""
    shown = shown_names(names)
    return "datum.label" if list(shown) == list(shown.values()) else f"{json.dumps(shown)}[datum.value]"


def time_ticks(shortest: float, longest: float) -> list[float]:
    """Round times in seconds for a logarithmic axis: powers of ten, with 2 and 5 between them on a short axis."""
    low, high = math.floor(math.log10(shortest)), math.ceil(math.log10(longest))
    steps = (1, 2, 5) if longest / shortest < 300 else (1, 3) if longest / shortest < 1e4 else (1,)
    return [step * 10.0**power for power in range(low, high + 1) for step in steps]
