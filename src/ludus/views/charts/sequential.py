"""The path of a sequential test."""

from collections.abc import Sequence

import altair as alt
import polars as pl

from ludus.views.charts.theme import BLUE, INK, ORANGE, QUIET, data, layered

WIDTH, HEIGHT = 700, 340
_MOST_POINTS = 2000


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
            "says": [f"the test accepts {elo:+g} Elo points".replace("-", "−") for elo in (elo1, elo0)],
            "colour": [BLUE, ORANGE],
        }
    )
    chart, ends = alt.Chart(data(path)), alt.Chart(data(bounds))
    colour = alt.Color("colour:N", scale=None)
    return layered(
        ends.mark_rule(strokeDash=[5, 4], strokeWidth=1.4).encode(y, colour),
        ends.mark_text(align="left", baseline="bottom", dx=6, dy=-4).encode(y, colour, text="says:N", x=alt.value(0)),
        chart.mark_line(color=QUIET, strokeWidth=1.8).encode(x, y),
        chart.mark_circle(color=INK, size=30, opacity=0).encode(x, y, tooltip=tooltip),
        alt.Chart(data(path.tail(1))).mark_circle(color=INK, size=70, opacity=1).encode(x, y, tooltip=tooltip),
        width=WIDTH,
        height=HEIGHT,
    )
