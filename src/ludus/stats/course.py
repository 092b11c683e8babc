"""Ratings over the course of a tournament."""

from collections.abc import Callable

import numpy as np
import polars as pl

POINTS = 40
"""At how many moments ratings are worked out, at most."""


def course(agents: int, tallies: pl.DataFrame, rate: Callable[[pl.DataFrame], pl.Series]) -> pl.DataFrame:
    """How ratings came about: matches (so many played), agent, rating; who has not played yet has no row.

    `rate` gives the ratings that follow from some of the tallies. Repetitions count together, each up to that match.
    """
    last = int(tallies["match"].max()) + 1 if len(tallies) else 0  # type: ignore[arg-type]
    frames = []
    for matches in np.unique(np.linspace(1, last, POINTS).round().astype(int)) if last else ():
        played = tallies.filter(pl.col("match") < matches)
        seen = played["seats"].explode().unique()
        ratings = pl.DataFrame({"agent": range(agents), "rating": rate(played)})
        frames.append(
            ratings.filter(pl.col("agent").is_in(seen.implode())).select(
                pl.lit(int(matches), pl.Int64).alias("matches"), "agent", "rating"
            )
        )
    schema = {"matches": pl.Int64, "agent": pl.Int64, "rating": pl.Float64}
    return pl.concat(frames) if frames else pl.DataFrame(schema=schema)
