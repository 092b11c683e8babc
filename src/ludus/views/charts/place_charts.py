"""Places in games of several players."""

import altair as alt
import polars as pl

from ludus.views.charts.theme import BLUES, agents_axis, data, row_height

WIDTH = 660


def places(standings: pl.DataFrame) -> alt.Chart:
    """How often each agent came first, second, and so on, as shares of its episodes."""
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
        .properties(width=WIDTH, height=alt.Step(row_height(len(standings))))
    )


def _shades(count: int) -> list[str]:
    """Colours from dark to pale, between the given ones."""
    shades = []
    for i in range(count):
        place = i / max(count - 1, 1) * (len(BLUES) - 1.35)  # the palest would be lost on white
        lower = min(int(place), len(BLUES) - 2)
        pair = [[int(colour[k : k + 2], 16) for k in (1, 3, 5)] for colour in BLUES[lower : lower + 2]]
        mixed = [round(a + (b - a) * (place - lower)) for a, b in zip(*pair, strict=True)]
        shades.append("#" + "".join(f"{part:02x}" for part in mixed))
    return shades
