"""Heat maps of agents against agents: scores, and the influence of the first move."""

from collections.abc import Sequence
from typing import Any

import altair as alt
import polars as pl

from ludus.views.charts.theme import (
    BLUES,
    DIVERGING,
    HAIRLINE,
    ON_DARK,
    ON_LIGHT,
    ORANGES,
    data,
    label_expression,
    layered,
)

_ROOMY = 26
"""Minimum size in pixels of a cell with a figure."""


def scores(crosstable: pl.DataFrame, order: Sequence[str]) -> alt.LayerChart:
    """The score of each row against each column: the row moves first. The scale is fixed, and even scores are pale."""
    cells = crosstable.filter(pl.col("score").is_finite()).select(
        row="first",
        column="second",
        value="score",
        outcome=pl.format("{} – {} – {}", "wins", "ties", "losses"),
        episodes="episodes",
        **_spread(crosstable, "score"),
    )
    return _score_map(cells, order, "moves first", "moves second", "score of the one that moves first")


def ahead(pairs: pl.DataFrame, order: Sequence[str]) -> alt.LayerChart:
    """Shares of episodes in which each row finished ahead of each column, ties counting half, with several players."""
    cells = pairs.filter(pl.col("score").is_finite()).select(
        row="agent",
        column="opponent",
        value="score",
        outcome=pl.format("{} – {} – {}", "wins", "ties", "losses"),
        episodes="episodes",
    )
    return _score_map(cells, order, "ended ahead of", None, "share of the episodes")


def _spread(frame: pl.DataFrame, name: str) -> dict[str, pl.Expr]:
    """For tool tips, mean and deviation over the repetitions, if there are several."""
    mean, deviation = f"{name}_mean", f"{name}_deviation"
    if deviation not in frame.columns or not frame[deviation].count():
        return {}
    return {f"{name}_spread": pl.format("{} ± {}", pl.col(mean).round(3), pl.col(deviation).round(3))}


def first_mover(symmetry: pl.DataFrame, order: Sequence[str]) -> alt.LayerChart:
    """The difference between W_ab and W_ba: dark if the seat decides, not the agent."""
    cells = _both_ways(symmetry, order)
    return _framed_map(cells, _relation(cells, order, "by_seat", "|W_ab − W_ba|", BLUES), order, "a", "b")


def same_agent(symmetry: pl.DataFrame, order: Sequence[str]) -> alt.LayerChart:
    """The difference between W_ab and 1 − W_ba: dark if the same agent wins from either seat."""
    cells = _both_ways(symmetry, order)
    return _framed_map(cells, _relation(cells, order, "by_agent", "|W_ab − (1 − W_ba)|", ORANGES), order, "a", "b")


def both_relations(symmetry: pl.DataFrame, order: Sequence[str]) -> alt.LayerChart:
    """The map of the first mover above the diagonal, that of the same agent below it."""
    cells = _both_ways(symmetry, order)
    upper = _relation(cells, order, "by_seat", "above: |W_ab − W_ba|", BLUES)
    lower = _relation(cells, order, "by_agent", "below: |W_ab − (1 − W_ba)|", ORANGES)
    layers = [
        *(layer.transform_filter("datum.above") for layer in upper),
        *(layer.transform_filter("!datum.above") for layer in lower),
    ]
    return _framed_map(cells, layers, order, "a", "b")


def _both_ways(symmetry: pl.DataFrame, order: Sequence[str]) -> pl.DataFrame:
    """Each pair as two cells, one for each agent; all three maps have the same rows, which a page shares."""
    relations = ["by_seat", "by_agent"]
    spreads = _spread(symmetry, "by_seat") | _spread(symmetry, "by_agent")
    seen = symmetry.select("w_ab", "w_ba", *relations, row="a", column="b", **spreads)
    swapped = symmetry.select(*relations, row="b", column="a", w_ab="w_ba", w_ba="w_ab", **spreads)
    place = {agent: number for number, agent in enumerate(order)}
    above = pl.col("row").replace_strict(place) < pl.col("column").replace_strict(place)
    return pl.concat([seen, swapped], how="diagonal").drop_nulls(["w_ab", "w_ba"]).with_columns(above=above)


def _score_map(
    cells: pl.DataFrame, order: Sequence[str], rows: str, columns: str | None, legend: str
) -> alt.LayerChart:
    tooltip = [
        alt.Tooltip("row:N", title=rows),
        alt.Tooltip("column:N", title=columns or "column"),
        alt.Tooltip("value:Q", title="score", format=".3f"),
        alt.Tooltip("outcome:N", title="wins – ties – losses"),
        alt.Tooltip("episodes:Q", title="episodes", format=","),
        *([alt.Tooltip("score_spread:N", title="over the repetitions")] if "score_spread" in cells.columns else []),
    ]
    dark = "datum.value < 0.12 || datum.value > 0.85"
    return _framed_map(cells, _cells(cells, order, "value", DIVERGING, legend, tooltip, dark), order, rows, columns)


def _relation(
    cells: pl.DataFrame, order: Sequence[str], value: str, difference: str, colours: Sequence[str]
) -> list[alt.Chart]:
    tooltip = [
        alt.Tooltip("row:N", title="a"),
        alt.Tooltip("column:N", title="b"),
        alt.Tooltip("w_ab:Q", title="W_ab, a moves first", format=".3f"),
        alt.Tooltip("w_ba:Q", title="W_ba, b moves first", format=".3f"),
        alt.Tooltip("by_seat:Q", title="|W_ab − W_ba|", format=".3f"),
        alt.Tooltip("by_agent:Q", title="|W_ab − (1 − W_ba)|", format=".3f"),
    ]
    if f"{value}_spread" in cells.columns:
        tooltip.append(alt.Tooltip(f"{value}_spread:N", title=f"{difference}, over the repetitions"))
    return _cells(cells, order, value, colours, f"{difference}, 0: it holds", tooltip, f"datum.{value} < 0.4")


def _cells(
    cells: pl.DataFrame,
    order: Sequence[str],
    value: str,
    colours: Sequence[str],
    legend: str,
    tooltip: list[alt.Tooltip],
    dark: str,
) -> list[alt.Chart]:
    """One rectangle for each cell, with its figure if there is room; `dark` is the condition for dark cells."""
    size = cell_size(len(order))
    stops = [i / (len(colours) - 1) for i in range(len(colours))]
    colour = alt.Color(
        f"{value}:Q",
        title=legend,
        scale=alt.Scale(domain=stops, range=list(colours), interpolate="rgb", clamp=True),
        legend=alt.Legend(values=[0, 0.5, 1], format="~g", gradientLength=200, gradientThickness=9),
    )
    chart = alt.Chart(data(cells)).encode(*_places(order))
    layers = [chart.mark_rect(cornerRadius=min(3, size // 8)).encode(colour, tooltip=tooltip)]
    if size >= _ROOMY:
        layers.append(
            chart.transform_calculate(figure=_short(f"datum.{value}"))
            .mark_text(fontSize=min(12, size // 3 + 1))
            .encode(
                text="figure:N", color=alt.condition(dark, alt.value(ON_DARK), alt.value(ON_LIGHT)), tooltip=tooltip
            )
        )
    return layers


def _framed_map(
    cells: pl.DataFrame, layers: list[alt.Chart], order: Sequence[str], rows: str, columns: str | None
) -> alt.LayerChart:
    """The layers, and empty cells for pairs that did not meet."""
    size = cell_size(len(order))
    agents = pl.Series("row", order, pl.String).sort().to_frame()  # sorted, so that a page shares the rows
    grid = agents.join(agents.rename({"row": "column"}), how="cross").join(
        cells, on=["row", "column"], how="anti", maintain_order="left"
    )
    x, y = _places(order)
    ground = (
        alt.Chart(data(grid))
        .mark_rect(filled=False, stroke=HAIRLINE, cornerRadius=min(3, size // 8))
        .encode(x.title(columns), y.title(rows))
    )
    step = alt.Step(size)
    return layered(ground, *layers, width=step, height=step).resolve_scale(color="independent")


def _places(order: Sequence[str]) -> tuple[alt.X, alt.Y]:
    gap = 0.06 if len(order) <= 20 else 0.04
    scale = alt.Scale(domain=list(order), paddingInner=gap, paddingOuter=gap)
    font = min(11, max(7, cell_size(len(order)) - 3))
    labels: dict[str, Any] = {"labelExpr": label_expression(order), "labelFontSize": font, "grid": False}
    across = alt.Axis(orient="top", labelAngle=-60, labelAlign="left", **labels)
    down = alt.Axis(**labels)
    return alt.X("column:N", scale=scale, axis=across), alt.Y("row:N", scale=scale, axis=down)


def _short(value: str) -> str:
    """An expression of Vega: two decimals without a leading zero; 0 and 1 only for exact values."""
    return f"{value} % 1 == 0 ? format({value}, 'd') : slice(format(clamp({value}, 0.01, 0.99), '.2f'), 1)"


def cell_size(agents: int) -> int:
    """The size of a cell in pixels that keeps the whole map about as wide as a page."""
    return max(9, min(54, 680 // max(agents, 1)))
