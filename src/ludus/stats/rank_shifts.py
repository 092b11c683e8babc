"""Rank shifts between two orders of the same agents, and how stable ratings are over repetitions."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl


class Extent(NamedTuple):
    """How far two orders differ: how many agents have another rank, and by how many ranks these moved on average."""

    moved: int
    mean: float


def rank_shifts(before: Sequence[str], after: Sequence[str]) -> pl.DataFrame:
    """Rank by rank: agent, before, after, shift (up is positive), for the agents that are in both orders.

    Ranks count these agents alone.
    """
    common = set(before) & set(after)
    ranks = [
        {agent: rank for rank, agent in enumerate((a for a in order if a in common), 1)} for order in (before, after)
    ]
    rows = [(agent, rank, ranks[1][agent], rank - ranks[1][agent]) for agent, rank in ranks[0].items()]
    schema = {"agent": pl.String, "before": pl.Int64, "after": pl.Int64, "shift": pl.Int64}
    return pl.DataFrame(rows, schema, orient="row")


def extent(shifts: pl.Series) -> Extent:
    """The number and the mean of the shifts above 0, whichever way."""
    above = shifts.abs().filter(shifts != 0)
    return Extent(len(above), float(above.mean() or 0.0))  # type: ignore[arg-type]


def stability(repetitions: pl.DataFrame, by: str = "rating") -> pl.DataFrame:
    """Agent by agent over the repetitions, in the order of the mean of `by`.

    Columns: rank, agent, repetitions, then NAME_mean and NAME_deviation for each rating, best_rank, worst_rank, and how
    often its rank was another than here (`moved`) and by how much then on average (`shift`).
    """
    ratings = [name for name in repetitions.columns if name not in ("repetition", "agent", "rank")]
    frame = (
        repetitions.group_by("agent", maintain_order=True)
        .agg(
            pl.len().cast(pl.Int64).alias("repetitions"),
            *(
                part
                for name in ratings
                for part in (pl.col(name).mean().alias(f"{name}_mean"), pl.col(name).std().alias(f"{name}_deviation"))
            ),
            pl.col("rank").min().alias("best_rank"),
            pl.col("rank").max().alias("worst_rank"),
            pl.col("rank").alias("ranks"),
        )
        .sort(f"{by}_mean", descending=True, nulls_last=True, maintain_order=True)
    )
    extents = [
        extent(pl.Series([rank - place for rank in ranks])) for place, ranks in enumerate(frame["ranks"].to_list(), 1)
    ]
    return frame.select(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("rank"),
        pl.all().exclude("ranks"),
        pl.Series("moved", [e.moved for e in extents], pl.Int64),
        pl.Series("shift", [e.mean for e in extents], pl.Float64),
    )


def shifts_of_runs(repetitions: pl.DataFrame, stability: pl.DataFrame) -> pl.DataFrame:
    """Run by run against the order over all of them: repetition, moved, shift (mean), best_first."""
    overall = stability["agent"].to_list()
    rows = []
    for (repetition,), run in repetitions.sort("repetition", "rank").group_by("repetition", maintain_order=True):
        order = run["agent"].to_list()
        moved = extent(rank_shifts(overall, order)["shift"])
        rows.append((repetition, moved.moved, moved.mean, order[0] == overall[0]))
    schema = {"repetition": pl.Int64, "moved": pl.Int64, "shift": pl.Float64, "best_first": pl.Boolean}
    return pl.DataFrame(rows, schema, orient="row")
