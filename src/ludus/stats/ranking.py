"""What standings of every kind share: places, and the chance to be better than the next one."""

from itertools import pairwise
from typing import Protocol

import polars as pl


class Fit(Protocol):
    """Ratings that know how sure they are of an order."""

    def better(self, i: int, j: int) -> float:
        """The chance that agent i is better than agent j."""
        ...


def ranked(frame: pl.DataFrame, by: str, then: str) -> pl.DataFrame:
    """The rows from the best to the last, with their rank; what is equal in both keeps the order of the field."""
    return frame.sort(by, then, "agent", descending=[True, True, False], nulls_last=True).select(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("rank"), pl.all()
    )


def chances(frame: pl.DataFrame, fit: Fit) -> pl.Series:
    """For each row, the chance that its agent is better than that of the next row; none where one has not played."""
    rows = frame.select("agent", "episodes").rows()
    found = [
        fit.better(agent, following) if played and following_played else None
        for (agent, played), (following, following_played) in pairwise(rows)
    ]
    return pl.Series([*found, *([None] if rows else [])], dtype=pl.Float64)
