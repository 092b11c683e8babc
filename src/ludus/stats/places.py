"""Episodes of two players or more: places, and who ends ahead of whom.

Place r of k is worth (k − r)/(k − 1) points, shared on ties. Agents are numbers; a tally is a row of the store's frame.
"""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ludus.episode.record import Ending

COUNTS = ("wins", "ties", "losses")


class Placings(NamedTuple):
    """Tallies as arrays [tally, seat]: who sat there, how many finished ahead, how many level (itself included)."""

    agents: NDArray[np.int64]
    ahead: NDArray[np.int64]
    level: NDArray[np.int64]
    episodes: NDArray[np.int64]  # [tally]
    fresh: NDArray[np.int64]  # [tally]

    @property
    def seats(self) -> int:
        """How many players an episode has."""
        return self.agents.shape[1]


def placings(tallies: pl.DataFrame, seats: int) -> Placings:
    """The tallies that have a result, as arrays."""
    tallies = tallies.filter(pl.col("ending") != Ending.MACHINE)
    scores = tallies["scores"].explode().to_numpy().reshape(-1, seats)
    return Placings(
        tallies["seats"].explode().to_numpy().reshape(-1, seats),
        (scores[:, None, :] > scores[:, :, None]).sum(2),
        (scores[:, None, :] == scores[:, :, None]).sum(2),
        tallies["episodes"].to_numpy(),
        tallies["fresh"].to_numpy(),
    )


def results(placings: Placings) -> pl.DataFrame:
    """One row for each agent and seat: agent, seat, episodes, wins, ties, losses, points (sum), place_1, place_2, …

    A tie is a first place shared; who shares a place has the best of the places shared.
    """
    seats = placings.seats
    points = (seats - placings.ahead - (placings.level + 1) / 2) / (seats - 1)
    flat = pl.DataFrame(
        {
            "agent": placings.agents.ravel(),
            "seat": np.tile(np.arange(seats), len(placings.agents)),
            "ahead": placings.ahead.ravel(),
            "level": placings.level.ravel(),
            "points": (points * placings.episodes[:, None]).ravel(),
            "episodes": np.repeat(placings.episodes, seats),
        }
    )
    top, count = pl.col("ahead") == 0, pl.col("episodes")
    return (
        flat.group_by("agent", "seat")
        .agg(
            count.sum(),
            count.filter(top & (pl.col("level") == 1)).sum().alias("wins"),
            count.filter(top & (pl.col("level") > 1)).sum().alias("ties"),
            count.filter(~top).sum().alias("losses"),
            pl.col("points").sum(),
            *(count.filter(pl.col("ahead") == place).sum().alias(f"place_{place + 1}") for place in range(seats)),
        )
        .sort("agent", "seat")
    )


def totals(agents: int, results: pl.DataFrame) -> pl.DataFrame:
    """Agent by agent over all seats, in the order of the field: the columns of `results`, but points are the mean."""
    added = results.group_by("agent").agg(pl.exclude("seat").sum())
    counts = [name for name in added.columns if name not in ("agent", "points")]
    return (
        pl.DataFrame({"agent": range(agents)}, schema={"agent": pl.Int64})
        .join(added, on="agent", how="left", maintain_order="left")
        .with_columns(pl.col(counts).fill_null(0), pl.col("points") / pl.col("episodes"))
    )


def places(results: pl.DataFrame) -> pl.DataFrame:
    """How often an agent got each place from each seat: agent, seat, place, episodes; all from the frame `results`."""
    names = [name for name in results.columns if name.startswith("place_")]
    return (
        results.drop("episodes")
        .unpivot(names, index=["agent", "seat"], variable_name="place", value_name="episodes")
        .with_columns(pl.col("place").str.strip_prefix("place_").cast(pl.Int64))
        .sort("agent", "seat", "place")
    )


def by_seat(results: pl.DataFrame) -> pl.DataFrame:
    """Results of each seat, whoever sat there: seat, episodes, wins, ties, losses, score (mean points)."""
    totals = results.group_by("seat").agg(pl.col("episodes", *COUNTS, "points").sum()).sort("seat")
    return totals.select(pl.exclude("points"), score=pl.col("points") / pl.col("episodes"))


def ahead(placings: Placings) -> pl.DataFrame:
    """Each ordered pair that met: agent, opponent, episodes, wins, ties, losses, score.

    To end ahead of the opponent is a win, whatever the others do; ties are half.
    """
    rows = []
    for seat in range(placings.seats):
        for other in range(placings.seats):
            if seat != other:
                difference = placings.ahead[:, other] - placings.ahead[:, seat]
                rows.append(
                    pl.DataFrame(
                        {
                            "agent": placings.agents[:, seat],
                            "opponent": placings.agents[:, other],
                            "episodes": placings.episodes,
                            "wins": placings.episodes * (difference > 0),
                            "ties": placings.episodes * (difference == 0),
                            "losses": placings.episodes * (difference < 0),
                        }
                    )
                )
    return (
        pl.concat(rows)
        .group_by("agent", "opponent")
        .agg(pl.all().sum())
        .sort("agent", "opponent")
        .with_columns(score=score())
    )


def score() -> pl.Expr:
    """The share of wins, a tie being half of one."""
    return (pl.col("wins") + pl.col("ties") / 2) / pl.sum_horizontal(COUNTS)
