"""Matches with their results, seat by seat."""

import polars as pl

from ludus.episode.record import Ending


def match_table(tallies: pl.DataFrame, seats: int) -> pl.DataFrame:
    """One row for each match: its number, agents by seat, episodes, wins and sums of scores by seat.

    The first place alone is a win; episodes that the machine ended have no result. Agents are numbers.
    """
    numbers = range(1, seats + 1)
    score = {seat: pl.col("scores").list.get(seat - 1) for seat in numbers}
    best = pl.col("scores").list.max()
    alone = pl.sum_horizontal((score[seat] == best).cast(pl.Int64) for seat in numbers) == 1
    counted = pl.when(pl.col("ending") != Ending.MACHINE).then("episodes").otherwise(0)
    won = {f"wins_{seat}": (counted * (alone & (score[seat] == best))).sum() for seat in numbers}
    gained = {f"points_{seat}": (counted * score[seat]).sum() for seat in numbers}
    agents = {f"agent_{seat}": pl.col("seats").list.get(seat - 1) for seat in numbers}
    return (
        tallies.group_by("repetition", "match", "round", "seats", maintain_order=True)
        .agg(pl.col("episodes").sum(), **won, **gained)
        .select("repetition", "match", "round", **agents, rest=pl.struct("episodes", *won, *gained))
        .unnest("rest")
    )
