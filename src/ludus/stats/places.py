"""Episodes of two players or more as frames: places, and pairwise results. Agents are numbers."""

import numpy as np
import polars as pl

from ludus.episode.record import Ending
from ludus.stats.placings import Placings, counts, placings

COUNTS = ("wins", "ties", "losses")


def placings_of(tallies: pl.DataFrame, seats: int) -> Placings:
    """The places of the tallies with a result."""
    tallies = tallies.filter(pl.col("ending") != Ending.MACHINE)
    agents, scores = (tallies[name].explode().to_numpy().reshape(-1, seats) for name in ("seats", "scores"))
    return placings(agents, scores, tallies["episodes"].to_numpy(), tallies["fresh"].to_numpy())


def results(placings: Placings) -> pl.DataFrame:
    """One row for each agent and seat: agent, seat, episodes, wins, ties, losses, points (sum), place_1, place_2, …"""
    found = counts(placings, int(placings.agents.max(initial=-1)) + 1)
    agent, seat = np.nonzero(found.episodes)
    *columns, places = (of_all[agent, seat] for of_all in found)
    names = ["agent", "seat", "episodes", *COUNTS, "points"]
    places_by_name = {f"place_{place + 1}": places[:, place] for place in range(placings.seats)}
    return pl.DataFrame(dict(zip(names, [agent, seat, *columns], strict=True)) | places_by_name)


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
    """Number of episodes for each agent, seat and place: agent, seat, place, episodes; from the frame `results`."""
    names = [name for name in results.columns if name.startswith("place_")]
    return (
        results.drop("episodes")
        .unpivot(names, index=["agent", "seat"], variable_name="place", value_name="episodes")
        .with_columns(pl.col("place").str.strip_prefix("place_").cast(pl.Int64))
        .sort("agent", "seat", "place")
    )


def by_seat(results: pl.DataFrame) -> pl.DataFrame:
    """Results of each seat over all agents: seat, episodes, wins, ties, losses, score (mean points)."""
    totals = results.group_by("seat").agg(pl.col("episodes", *COUNTS, "points").sum()).sort("seat")
    return totals.select(pl.exclude("points"), score=pl.col("points") / pl.col("episodes"))


def ahead(placings: Placings) -> pl.DataFrame:
    """Each ordered pair that met: agent, opponent, episodes, wins, ties, losses, score.

    An agent wins if it is placed ahead of the opponent, whatever the results of others; ties count half.
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
    """The share of wins, with a tie as half a win."""
    return (pl.col("wins") + pl.col("ties") / 2) / pl.sum_horizontal(COUNTS)
