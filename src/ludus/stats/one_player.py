"""Tournaments of one player: points, compared seed by seed, and the standings.

Episodes of the same repetition and number have the same seed for every agent. Agents are numbers.
"""

from functools import cached_property

import numpy as np
import polars as pl

from ludus.episode.record import Ending
from ludus.stats.standings import Run, ranked

SEED = ("repetition", "number")
"""Columns that determine the seed of an episode."""


def points(episodes: pl.DataFrame) -> pl.DataFrame:
    """One row for each episode with a result: repetition, number, agent, score."""
    return episodes.filter(pl.col("ending") != Ending.MACHINE).select(
        *SEED, agent=pl.col("seats").list.get(0), score=pl.col("scores").list.get(0)
    )


def ahead(points: pl.DataFrame) -> pl.DataFrame:
    """Each ordered pair with common seeds, on these: agent, opponent, episodes, wins, ties, losses, score."""
    agents = points["agent"].unique().sort().to_list()
    by_seed = points.pivot("agent", index=SEED, values="score", aggregate_function="mean")
    scores = {agent: by_seed[str(agent)].cast(pl.Float64).fill_null(np.nan).to_numpy() for agent in agents}
    rows = []
    for agent in agents:
        for other in agents:
            if agent != other:
                difference = scores[agent] - scores[other]
                counts = [int((difference > 0).sum()), int((difference == 0).sum()), int((difference < 0).sum())]
                if any(counts):
                    rows.append((agent, other, sum(counts), *counts))
    names = ["agent", "opponent", "episodes", "wins", "ties", "losses"]
    return pl.DataFrame(rows, dict.fromkeys(names, pl.Int64), orient="row").with_columns(
        score=(pl.col("wins") + pl.col("ties") / 2) / pl.col("episodes")
    )


def standings(agents: int, points: pl.DataFrame, ahead: pl.DataFrame, by: str = "mean") -> pl.DataFrame:
    """The agents from the best to the last; `ahead` is the share of seeds in which an agent beats the next one."""
    score = pl.col("score")
    figures = points.group_by("agent").agg(
        score.len().cast(pl.Int64).alias("episodes"),
        score.mean().alias("mean"),
        score.median().alias("median"),
        score.max().alias("best"),
        score.min().alias("worst"),
        score.quantile(0.25, "linear").alias("q1"),
        score.quantile(0.75, "linear").alias("q3"),
        score.std().alias("deviation"),
    )
    frame = ranked(
        pl.DataFrame({"agent": range(agents)}, schema={"agent": pl.Int64})
        .join(figures, on="agent", how="left", maintain_order="left")
        .with_columns(pl.col("episodes").fill_null(0)),
        by,
        "median",
    )
    shares = ahead.select("agent", pl.col("opponent").alias("next"), pl.col("score").alias("ahead"))
    return (
        frame.with_columns(next=pl.col("agent").shift(-1))
        .join(shares, on=["agent", "next"], how="left", maintain_order="left")
        .drop("next")
    )


class OnePlayer(Run):
    """Runs of games for one player."""

    orders = ("mean", "median", "best")

    @cached_property
    def points(self) -> pl.DataFrame:
        """One row for each agent and episode."""
        return points(self._episodes())

    @cached_property
    def _on_same_seeds(self) -> pl.DataFrame:
        return ahead(self.points)

    def _standings(self, by: str) -> pl.DataFrame:
        return standings(self._agents, self.points, self._on_same_seeds, by)

    def ahead(self) -> pl.DataFrame:
        return self._on_same_seeds
