"""Standings of several players: points for places, and ratings by Plackett and Luce."""

from functools import cached_property

import numpy as np
import polars as pl

from ludus.stats.places import placings_of, totals
from ludus.stats.placings import Placings
from ludus.stats.ratings.plackett_luce import PlackettLuce, plackett_luce
from ludus.stats.standings import RatedRun, chances, interval_columns, ranked


def fit(agents: int, placings: Placings) -> PlackettLuce:
    """The ratings by Plackett and Luce."""
    # Seats do not matter here: equal orders of the same agents count together.
    order = np.argsort(placings.ahead * agents + placings.agents, axis=1)
    frame = pl.DataFrame(
        {
            "agents": np.take_along_axis(placings.agents, order, 1),
            "ahead": np.take_along_axis(placings.ahead, order, 1),
            "fresh": placings.fresh,
        }
    ).filter(pl.col("fresh") > 0)
    patterns = frame.group_by("agents", "ahead", maintain_order=True).agg(pl.col("fresh").sum())
    rankings = []
    for row, ahead in zip(patterns["agents"].to_list(), patterns["ahead"].to_list(), strict=True):
        groups: dict[int, list[int]] = {}
        for agent, better in zip(row, ahead, strict=True):
            groups.setdefault(better, []).append(agent)
        rankings.append(list(groups.values()))
    return plackett_luce(agents, rankings, patterns["fresh"].to_numpy())


def standings(agents: int, results: pl.DataFrame, fit: PlackettLuce, by: str = "rating") -> pl.DataFrame:
    """The agents from the best to the last; agents that have not played come last, without ratings."""
    known = pl.col("episodes") > 0
    frame = totals(agents, results).with_columns(
        pl.when(known).then(values).alias(name) for name, values in interval_columns(fit).items()
    )
    frame = ranked(frame, by, "points")
    columns = ["rank", "agent", "episodes", "wins", "ties", "losses", "points", "rating", "low", "high"]
    return frame.select(*columns, chances(frame, fit).alias("better"), pl.col("^place_.*$"))


class SeveralPlayers(RatedRun):
    """Runs of three players and more."""

    orders = ("rating", "points")

    @cached_property
    def fit(self) -> PlackettLuce:
        """The ratings."""
        return fit(self._agents, self._placings)

    def ratings(self, tallies: pl.DataFrame) -> pl.Series:
        ratings = fit(self._agents, placings_of(tallies, self._seats)).ratings
        return pl.Series(ratings - self.fit.shares @ ratings)

    def _standings(self, by: str) -> pl.DataFrame:
        return standings(self._agents, self.results, self.fit, by)
