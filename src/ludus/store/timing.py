"""Times of moves and episodes, from the store's histograms. All times are nanoseconds, all agents numbers."""

from collections.abc import Sequence
from typing import Literal

import polars as pl

from ludus.store import histogram

WHOLE_EPISODE = -1
"""Seat number under which the store keeps the times of whole episodes."""

_MATCH = ("repetition", "match")
_FIGURES = ("fastest", "q1", "median", "q3", "slowest", "mean")
_SHARES = (0.25, 0.5, 0.75)


def timing(timings: pl.DataFrame, by: Literal["agent", "match"] = "agent") -> pl.DataFrame:
    """Agent by agent, or match by match and seat by seat: times of moves, times of whole episodes, faults.

    Columns: agent (or repetition, match, seat, agent), moves, fastest, q1, median, q3, slowest, mean, episodes,
    episode_fastest and so on for the same figures, faults. Times of moves are null if none was made.
    """
    key = ["agent"] if by == "agent" else [*_MATCH, "seat", "agent"]
    seats = timings.filter(pl.col("seat") != WHOLE_EPISODE)
    whole = timings.filter(pl.col("seat") == WHOLE_EPISODE).drop("seat", "agent")
    moves = _summary(seats, key)
    episodes = _summary(seats.select(*_MATCH, "seat", "agent").join(whole, on=_MATCH), key).select(
        *key, pl.col("moves").alias("episodes"), *(pl.col(name).alias(f"episode_{name}") for name in _FIGURES)
    )
    return moves.join(episodes, on=key, how="left", maintain_order="left").select(pl.exclude("faults"), "faults")


def thinking(timings: pl.DataFrame) -> pl.DataFrame:
    """An agent's own thinking time in an episode: agent, match_time (the median over its matches)."""
    whole = timings.filter(pl.col("seat") == WHOLE_EPISODE).select(*_MATCH, pl.col("moves").alias("episodes"))
    return (
        timings.filter(pl.col("seat") != WHOLE_EPISODE, pl.col("moves") > 0)
        .join(whole, on=_MATCH)
        .group_by("agent")
        .agg((pl.col("total") / pl.col("episodes")).median().alias("match_time"))
        .sort("agent")
    )


def _summary(timings: pl.DataFrame, key: Sequence[str]) -> pl.DataFrame:
    """The rows of one key added up; `moves` counts timed moves."""
    timed = pl.col("moves") > 0
    ends = (pl.col("fastest").filter(timed).min(), pl.col("slowest").filter(timed).max())
    groups = timings.group_by(key).agg(pl.col("moves", "total", "faults").sum(), *ends, "histogram").sort(key)
    quartiles = histogram.quantiles([b"".join(packed) for packed in groups["histogram"].to_list()], _SHARES)
    figures = pl.DataFrame(quartiles, ("q1", "median", "q3"), orient="row").fill_nan(None)
    # Bucket limits may exceed the actual extremes.
    return (
        pl.concat([groups, figures], how="horizontal")
        .with_columns(pl.col(figures.columns).clip(pl.col("fastest"), pl.col("slowest")))
        .with_columns(mean=pl.when(timed).then(pl.col("total") / pl.col("moves")))
        .select(*key, "moves", *_FIGURES, "faults")
    )
