"""The bracket of a knockout as a chart."""

import altair as alt
import polars as pl

from ludus.views.charts.theme import HAIRLINE, QUIET, data, layered
from ludus.views.rounds import BracketRound, bracket, repetitions
from ludus.views.short_names import shown_names

_GAP = 44
"""Pixels between two rounds."""
_NARROWEST, _WIDEST, _LETTER = 110, 220, 7.5
"""Pixels of an agent's box, and of a letter in it."""
_ROW, _BOX = 16, 24
"""Pixels of a row, of which each pairing has three, and the height of a box."""
_HEAD, _TITLE = 30, 6
"""Pixels for the names of rounds, and down to their middle."""
_MARGIN = 8
"""Pixels between a box and its text."""


def brackets(rounds: pl.DataFrame) -> alt.LayerChart | alt.VConcatChart:
    """The brackets of the first repetitions, one below the other."""
    names = shown_names(list(dict.fromkeys([*rounds["agent"], *rounds["opponent"].drop_nulls()])))
    shown = repetitions(rounds)
    charts = [_bracket(bracket(rounds.filter(repetition=repetition)), names) for repetition in shown]
    if len(charts) == 1:
        return charts[0]
    titled = [chart.properties(title=f"Repetition {number}") for number, chart in zip(shown, charts, strict=True)]
    return alt.VConcatChart(vconcat=titled)


def _bracket(rounds: list[BracketRound], names: dict[str, str]) -> alt.LayerChart:
    box = min(max(_NARROWEST, 5 * _MARGIN + _LETTER * max(map(len, names.values()))), _WIDEST)
    entries = pl.DataFrame(
        [
            (turn * (box + _GAP), _y(entry.row), names[entry.agent], entry.agent, entry.points, entry.won, drawn.name)
            for turn, drawn in enumerate(rounds)
            for meeting in drawn.meetings
            for entry in meeting.entries
        ],
        ["x", "y", "name", "agent", "points", "won", "round"],
        orient="row",
    ).with_columns(right=pl.col("x") + box, top=pl.col("y") - _BOX / 2, bottom=pl.col("y") + _BOX / 2)
    lefts = [turn * (box + _GAP) for turn in range(len(rounds))]
    heads = pl.DataFrame({"x": lefts, "name": [drawn.name for drawn in rounds]})
    width = len(rounds) * (box + _GAP) - _GAP
    height = float(entries["bottom"].max()) + _MARGIN  # type: ignore[arg-type]
    x, y = _axis(alt.X, "x:Q", width), _axis(alt.Y, "y:Q", height, reverse=True)
    tooltip = [alt.Tooltip("round:N"), alt.Tooltip("agent:N"), alt.Tooltip("points:N")]
    boxes = alt.Chart(data(entries)).mark_rect(filled=False, stroke=HAIRLINE, strokeWidth=1.5, cornerRadius=3)
    return layered(
        alt.Chart(data(_lines(rounds, box))).mark_rule(color=QUIET, strokeWidth=1).encode(x, y, x2="x2:Q", y2="y2:Q"),
        boxes.encode(x, _axis(alt.Y, "top:Q", height, reverse=True), x2="right:Q", y2="bottom:Q", tooltip=tooltip),
        *(
            part
            for won, look in ((True, {"fontWeight": 700}), (False, {"color": QUIET}))
            for texts in (alt.Chart(data(entries.filter(won=won))).encode(y, tooltip=tooltip),)
            for part in (
                texts.mark_text(align="left", baseline="middle", dx=_MARGIN, limit=box - 5 * _MARGIN, **look).encode(
                    x, text="name:N"
                ),
                texts.mark_text(align="right", baseline="middle", dx=-_MARGIN, **look).encode(
                    _axis(alt.X, "right:Q", width), text="points:N"
                ),
            )
        ),
        alt.Chart(data(heads)).mark_text(align="left", color=QUIET).encode(x, text="name:N", y=alt.value(_TITLE)),
        width=width,
        height=height,
    )


def _lines(rounds: list[BracketRound], box: float) -> pl.DataFrame:
    """From both boxes of a pairing to the box of its winner in the next round."""
    rows: list[tuple[float, float, float, float]] = []
    for turn, drawn in enumerate(rounds[:-1]):
        right, middle = turn * (box + _GAP) + box, turn * (box + _GAP) + box + _GAP / 2
        for meeting in drawn.meetings:
            first, second = (_y(entry.row) for entry in meeting.entries)
            rows += [(right, first, middle, first), (right, second, middle, second), (middle, first, middle, second)]
            rows.append((middle, _y(meeting.row), (turn + 1) * (box + _GAP), _y(meeting.row)))
    return pl.DataFrame(rows, dict.fromkeys(("x", "y", "x2", "y2"), pl.Float64), orient="row")


def _y(row: int) -> float:
    return _HEAD + _BOX / 2 + row * _ROW


def _axis(kind: type[alt.X] | type[alt.Y], field: str, size: float, *, reverse: bool = False) -> alt.X | alt.Y:
    scale = alt.Scale(domain=[0, size], nice=False, zero=False, reverse=reverse)
    return kind(field, scale=scale, axis=None)
