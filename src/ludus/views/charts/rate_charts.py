"""Win rates and scores with their error bars: by agent, along a parameter, over pairs of parameters."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt
import polars as pl

from ludus.views.charts.labels import Span
from ludus.views.charts.theme import (
    BLUE,
    BLUES,
    HAIRLINE,
    INK,
    ON_DARK,
    ON_LIGHT,
    ORANGE,
    QUIET,
    SEVERAL,
    agents_axis,
    data,
    layered,
    row_height,
)

WIDTH, HEIGHT = 660, 320
_LOG_FROM = 30
"""Ratio of the highest to the lowest value from which an axis is logarithmic."""
_CELL, _WIDEST, _LETTER = 74, 700, 6
"""Pixels of a cell, of all cells of a row, and of a letter below them."""
_APART, _ASIDE = 5, 40
"""Pixels between the intervals of several lines at one value, and of all of them."""
_LEAST_SPREAD = 0.3
"""Minimum difference of shares between the palest colour and the darkest."""
_SYMBOL = 40
"""Pixels of a legend beside each name."""
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
_ALL, _KEPT = "all episodes", "without early ends"


@dataclass(frozen=True)
class Measure:
    """A measure: the title of its axis, its number formats on the axis and in full, and its range.

    Shares are from 0 to 1.
    """

    title: str
    short: str
    full: str
    is_share: bool = True


RATE = Measure("win rate", ".0%", ".1%")
SCORE = Measure("score", ".2f", ".3f")
POINTS = Measure("mean points", ".3~s", ",.1f", is_share=False)


def by_name(table: pl.DataFrame, name: str, title: str) -> alt.LayerChart:
    """The rate of each row with its 95 % interval, and below it the one without early ends.

    The table has the column `name`, with the title `title`, and those of `win_rates.rates`.
    """
    kept = table.filter(pl.col("kept_episodes") > 0).select(
        agent=name, of=pl.lit(_KEPT), value="kept_rate", low="kept_low", high="kept_high", episodes="kept_episodes"
    )
    everything = table.select(agent=name, of=pl.lit(_ALL), value="rate", low="low", high="high", episodes="episodes")
    frame = pl.concat([everything, kept]).with_columns(pl.col("agent").cast(pl.String))
    order = table[name].cast(pl.String).to_list()
    height = row_height(len(order)) * 1.5
    chart = alt.Chart(data(frame)).encode(
        agents_axis(order).title(None if title == "agent" else title),
        alt.YOffset("of:N", sort=[_ALL, _KEPT], scale=alt.Scale(paddingOuter=0.6)),
        alt.Color("of:N", title=None, sort=[_ALL, _KEPT], scale=alt.Scale(domain=[_ALL, _KEPT], range=[BLUE, ORANGE])),
        tooltip=[alt.Tooltip("agent:N", title=title), alt.Tooltip("of:N", title="of episodes"), *_tooltip(RATE)],
    )
    axis = alt.X(
        "low:Q", title=RATE.title, scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format=RATE.short, tickCount=10)
    )
    return layered(
        chart.mark_rule(strokeWidth=2, opacity=0.45).encode(axis, x2="high:Q"),
        chart.mark_circle(size=56, opacity=1).encode(alt.X("value:Q")),
        width=WIDTH - 40,
        height=alt.Step(height, **{"for": "position"}),
    )


def along(
    frame: pl.DataFrame,
    title: str,
    measure: Measure,
    *,
    given: pl.DataFrame | None = None,
    series: str | None = None,
) -> alt.LayerChart:
    """A line with its 95 % intervals over the values of a parameter, or several lines.

    The frame has value (numbers, or texts in order), score, low, high, episodes, and for several lines `line`, with the
    title `series`: points with the same number stand side by side. The given agent is such a frame of one row: a line
    across, and a separate point if its value is another number.
    """
    frame = frame.rename({"score": "middle"})
    if given is not None:
        given = given.rename({"score": "middle"})
    numbers = frame.schema["value"].is_numeric()
    if numbers:
        apart = pl.Series([], dtype=frame.schema["value"]) if given is None else given["value"].drop_nulls()
        values = sorted({*frame["value"], *apart})
        log = bool(values) and values[0] > 0 and values[-1] / values[0] >= _LOG_FROM
        span = Span.of(values, WIDTH, log=log)
        frame = frame.with_columns(place=_places(frame, span))
        scale = alt.Scale(type="log" if log else "linear", domain=[span.low, span.high], nice=False)
        few = values if len(values) <= 12 else alt.Undefined
        axis = alt.Axis(grid=False, format=",.6~g", values=few, labelOverlap="greedy")
        x = alt.X("place:Q", title=title, scale=scale, axis=axis)
    else:
        x = alt.X("value:O", title=title, sort=None, axis=alt.Axis(grid=False, labelAngle=0))
    tooltip = [alt.Tooltip("value:Q" if numbers else "value:O", title=title), *_tooltip(measure, "middle")]
    chart = alt.Chart(data(frame)).encode(x, color=alt.value(BLUE), tooltip=tooltip)
    points = chart
    if series:
        names = frame["line"].cast(pl.String).unique(maintain_order=True).to_list()
        colour, shape = _looks(names, series)
        chart = chart.encode(colour, tooltip=[alt.Tooltip("line:N", title=series), *tooltip])
        points = chart.encode(shape)
    y = alt.Y("low:Q", title=measure.title, scale=alt.Scale(zero=False), axis=alt.Axis(format=measure.short))
    middle = alt.Y("middle:Q")

    def dots(chart: alt.Chart, points: alt.Chart) -> list[alt.Chart]:
        rule = chart.mark_rule(strokeWidth=2, opacity=0.4).encode(y, y2="high:Q")
        return [rule, points.mark_point(filled=True, size=60, opacity=1).encode(middle)]

    layers = [chart.mark_line(strokeWidth=1.6, opacity=0.8).encode(middle), *dots(chart, points)]
    if given is not None:
        across = alt.Chart(data(given.with_columns(label=pl.lit("as given"), place="value")))
        layers = [
            across.mark_rule(color=QUIET, strokeDash=[5, 4]).encode(middle),
            across.mark_text(color=QUIET, align="left", dx=6).encode(middle, x=alt.value(WIDTH), text="label:N"),
            *layers,
        ]
        if numbers and given["value"].item() not in (None, *frame["value"]):
            own = across.encode(x, color=alt.value(QUIET), tooltip=tooltip)
            layers += dots(own, own)
    return layered(*layers, width=WIDTH, height=HEIGHT)


def _places(frame: pl.DataFrame, span: Span) -> pl.Series:
    """The place of each row on the axis: at its value, or beside it if several lines share the value."""
    values = frame["value"].to_list()
    many, seen = Counter(values), Counter[float]()
    places = []
    for value in values:
        apart = min(_APART, _ASIDE / many[value])
        places.append(span.value(span.pixel(value) + apart * (seen[value] - (many[value] - 1) / 2)))
        seen[value] += 1
    return pl.Series(places, dtype=pl.Float64)


def _looks(names: Sequence[str], title: str) -> tuple[alt.Color, alt.Shape]:
    """Colours of lines, and shapes of points that distinguish lines of the same colour."""
    places = range(len(names))
    colours = [SEVERAL[place % len(SEVERAL)] for place in places]
    shapes = [_SHAPES[place // len(SEVERAL) % len(_SHAPES)] for place in places]
    columns = max(1, min(4, int(WIDTH // (_SYMBOL + _LETTER * max(map(len, names), default=0)))))
    legend = alt.Legend(columns=columns, labelLimit=0)
    return (
        alt.Color("line:N", title=title, scale=alt.Scale(domain=names, range=colours), legend=legend),
        alt.Shape("line:N", title=title, scale=alt.Scale(domain=names, range=shapes), legend=legend),
    )


def pairs(
    frame: pl.DataFrame,
    x: tuple[str, Sequence[str]],
    y: tuple[str, Sequence[str]],
    measure: Measure,
    *,
    marked: Sequence[str] = (),
) -> alt.LayerChart:
    """A heat map over the values of two parameters: each cell has its figure and the ends of its 95 % interval.

    The frame has x, y, score, low, high, episodes; both axes have a title and all values in order. The cell at two
    marked values has a frame.
    """
    cells = frame.with_columns(pl.col("x", "y").cast(pl.String))
    (across, columns), (down, rows) = x, y
    lowest, spread = _range(cells["score"], measure)
    shades = BLUES[::-1]
    stops = [lowest + spread * place / (len(shades) - 1) for place in range(len(shades))]
    size = max(30, min(_CELL, _WIDEST // max(len(columns), 1)))
    angle = -40 if max(map(len, columns), default=0) * _LETTER > size else 0
    chart = alt.Chart(data(cells)).encode(
        alt.X("x:N", title=across, scale=alt.Scale(domain=columns), axis=alt.Axis(grid=False, labelAngle=angle)),
        alt.Y("y:N", title=down, scale=alt.Scale(domain=rows[::-1]), axis=alt.Axis(grid=False)),
        tooltip=[alt.Tooltip("x:N", title=across), alt.Tooltip("y:N", title=down), *_tooltip(measure, "score")],
    )
    colour = alt.Color(
        "score:Q",
        title=measure.title,
        scale=alt.Scale(domain=stops, range=shades, interpolate="rgb", clamp=True),
        legend=alt.Legend(format=measure.short, gradientLength=200, gradientThickness=9, tickCount=4),
    )
    layers = [chart.mark_rect(stroke=HAIRLINE, cornerRadius=3).encode(colour)]
    if len(marked) == 2:
        own = chart.transform_filter((alt.datum.x == marked[0]) & (alt.datum.y == marked[1]))
        layers.append(own.mark_rect(filled=False, stroke=INK, strokeWidth=2, cornerRadius=3))
    if size >= _CELL * 0.6:
        ink = alt.condition(f"datum.score > {lowest + 0.55 * spread}", alt.value(ON_DARK), alt.value(ON_LIGHT))
        low, high = (f"format(datum.{end}, '{measure.short}')" for end in ("low", "high"))
        layers += [
            chart.mark_text(fontSize=13, dy=-6).encode(alt.Text("score:Q", format=measure.short), color=ink),
            chart.transform_calculate(ends=f"isValid(datum.low) ? {low} + '–' + {high} : ''")
            .mark_text(fontSize=9, dy=9)
            .encode(text="ends:N", color=ink),
        ]
    return layered(*layers, width=alt.Step(size), height=alt.Step(max(30, min(44, size))))


def _range(values: pl.Series, measure: Measure) -> tuple[float, float]:
    """The lowest value of a colour scale, and its width: wide enough that chance makes no dark cells."""
    known = values.drop_nulls().to_list() or [0.0]
    lowest, spread = min(known), max(known) - min(known)
    if not measure.is_share:
        return lowest, spread or 1.0
    wider = max(0.0, _LEAST_SPREAD - spread)
    return min(max(0.0, lowest - wider / 2), 1.0 - spread - wider), spread + wider


def _tooltip(measure: Measure, value: str = "value") -> list[alt.Tooltip]:
    return [
        alt.Tooltip(f"{value}:Q", title=measure.title, format=measure.full),
        alt.Tooltip("low:Q", title="from", format=measure.full),
        alt.Tooltip("high:Q", title="to (95 %)", format=measure.full),
        alt.Tooltip("episodes:Q", format=","),
    ]
