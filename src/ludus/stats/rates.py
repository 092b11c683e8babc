"""How often agents win, by whatever sets their episodes apart; and how sure that is.

A win is the first place alone: between two players the better score, among several a score that nobody else has or
beats. A first place shared is a tie, told apart from both. Agents are numbers.

All episodes count in a rate. Those that are not fresh, since they went as an earlier one, make it no surer: intervals
are as wide as the fresh ones alone let them be. Nor does an agent that has several seats of an episode: both its seats
count, as one fresh episode.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from ludus.stats.ratings.scale import TWO_SIDED_95, Floats

COUNTS = ("episodes", "wins", "ties", "losses", "fresh")
"""The columns that are added up; those that leave out early ends have the same names after `kept_`."""
KEPT = "kept_"


def wilson(wins: ArrayLike, episodes: ArrayLike) -> tuple[Floats, Floats]:
    """The interval of 95 % for the chance behind so many wins in so many episodes, by Wilson; 0 to 1 for none.

    It holds for sums of scores between 0 and 1 too, and is then rather too wide.
    """
    won, played = np.asarray(wins, np.float64), np.asarray(episodes, np.float64)
    z = TWO_SIDED_95
    share = np.divide(won, played, out=np.full(played.shape, 0.5), where=played > 0)
    middle = won + z * z / 2
    reach = z * np.sqrt(played * share * (1 - share) + z * z / 4)
    low, high = (middle - reach) / (played + z * z), (middle + reach) / (played + z * z)
    # What rounding leaves beside 0 and 1 where all were lost or won.
    return np.where(won > 0, np.maximum(low, 0.0), 0.0), np.where(won < played, np.minimum(high, 1.0), 1.0)


def seated(tallies: pl.DataFrame) -> pl.DataFrame:
    """One row for each seat of each tally: tally (its number), seat, agent, players, the counts, those without early
    ends, and whatever else a tally has.

    A tally is so many `episodes`, some of them `fresh`, of one result: `seats` (agents), `scores`, and `early`, which
    tells for each seat whether its opponents made an early end of it by their own doing.
    """
    count, first = pl.col("episodes"), pl.col("scores") == pl.col("scores").max().over("tally")
    alone = first.sum().over("tally") == 1
    counted = {"wins": first & alone, "ties": first & ~alone, "losses": ~first}
    rows = (
        tallies.with_row_index("tally")
        .with_columns(
            pl.int_ranges(pl.col("seats").list.len()).alias("seat"),
            pl.col("seats").list.len().cast(pl.Int64).alias("players"),
        )
        .explode("seats", "scores", "early", "seat")
        .with_columns((count * what).alias(name) for name, what in counted.items())
    )
    kept = ~pl.col("early")
    rows = rows.with_columns((pl.col(name) * kept).alias(KEPT + name) for name in COUNTS)
    seats, kept_seats = pl.len().over("tally", "seats"), kept.sum().over("tally", "seats")
    rows = rows.with_columns(pl.col("fresh") / seats, pl.col(KEPT + "fresh") / kept_seats.clip(1))
    return rows.rename({"seats": "agent"}).drop("scores", "early")


def with_opponents(seated: pl.DataFrame) -> pl.DataFrame:
    """A row for each opponent at the board, in the column `opponent`: once, wherever and how often it sat there."""
    others = seated.select("tally", "seat", opponent="agent")
    met = seated.select("tally", "seat").join(others, on="tally", suffix="_other")
    met = met.filter(pl.col("seat") != pl.col("seat_other")).drop("seat_other").unique(maintain_order=True)
    return seated.join(met, on=["tally", "seat"], maintain_order="left_right")


def rates(seated: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """By these columns, in the order in which they come: the counts, rate, low, high; all without early ends too.

    The interval is one of 95 %. Where no episode is left, the rate is none.
    """
    names = [*COUNTS, *(KEPT + name for name in COUNTS)]
    added = seated.group_by(by, maintain_order=True).agg(pl.col(names).sum())
    return with_intervals(with_intervals(added), KEPT)


def with_intervals(counts: pl.DataFrame, prefix: str = "") -> pl.DataFrame:
    """The counts with rate, low and high."""
    wins, episodes, fresh = (counts[prefix + name].to_numpy() for name in ("wins", "episodes", "fresh"))
    share = wins / np.maximum(episodes, 1)
    low, high = wilson(share * fresh, fresh)
    shares = {"rate": share, "low": low, "high": high}
    known = pl.Series(episodes > 0)
    return counts.with_columns(
        pl.when(known).then(pl.Series(values)).alias(prefix + name) for name, values in shares.items()
    )
