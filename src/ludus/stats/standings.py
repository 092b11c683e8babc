"""Standings of one run: a repetition, or all of them together. Agents are numbers here."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from itertools import pairwise

import numpy as np
import polars as pl

from ludus.core.errors import InvalidError
from ludus.core.text import did_you_mean
from ludus.stats import places
from ludus.stats.placings import Placings
from ludus.stats.ratings.estimate import Estimate

POINTS = 40
"""Maximum number of moments of a course at which ratings are computed."""


class Run(ABC):
    """Tallies and episodes of one run, and results derived from them, each computed once; episodes know their seats."""

    orders: tuple[str, ...]
    """The columns that standings can be ordered by; the first is the default."""

    def __init__(self, agents: int, seats: int, tallies: pl.DataFrame, episodes: Callable[[], pl.DataFrame]) -> None:
        self._agents = agents
        self._seats = seats
        self._tallies = tallies
        self._episodes = episodes
        self._ordered: dict[str, pl.DataFrame] = {}

    def standings(self, by: str | None = None) -> pl.DataFrame:
        """The agents from the best to the last."""
        by = by or self.orders[0]
        if by not in self.orders:
            raise InvalidError(
                f"Standings of this tournament cannot be ordered by '{by}'{did_you_mean(by, self.orders)}: "
                f"choose from {', '.join(self.orders)}."
            )
        if by not in self._ordered:
            self._ordered[by] = self._standings(by)
        return self._ordered[by]

    @abstractmethod
    def _standings(self, by: str) -> pl.DataFrame: ...

    @abstractmethod
    def ahead(self) -> pl.DataFrame:
        """Agent against agent."""


class RatedRun(Run):
    """A run with two or more players, rated by their results against each other."""

    @cached_property
    def _placings(self) -> Placings:
        return places.placings_of(self._tallies, self._seats)

    @cached_property
    def results(self) -> pl.DataFrame:
        """Agent by agent and seat by seat."""
        return places.results(self._placings)

    def ahead(self) -> pl.DataFrame:
        return places.ahead(self._placings)

    def by_seat(self) -> pl.DataFrame:
        """Seat by seat, over all agents."""
        return places.by_seat(self.results)

    @property
    @abstractmethod
    def fit(self) -> Estimate:
        """The ratings of all agents."""

    @abstractmethod
    def ratings(self, tallies: pl.DataFrame) -> pl.Series:
        """Ratings computed from some of the tallies, with the same agents in the mean as in `fit`."""

    def course(self) -> pl.DataFrame:
        """Ratings over the course of the run."""
        return course(self._agents, self._tallies, self.ratings)


DIGITS = 6
"""Decimals of ratings and scores that count for ranks."""


def ranked(frame: pl.DataFrame, by: str, then: str) -> pl.DataFrame:
    """The rows from the best to the last, with their rank; agents that are equal in both keep their order.

    Values count as equal if they differ only in digits that depend on the processor.
    """
    keys = [pl.col(name).round(DIGITS) for name in (by, then)]
    return frame.sort(*keys, "agent", descending=[True, True, False], nulls_last=True).select(
        pl.int_range(1, pl.len() + 1, dtype=pl.Int64).alias("rank"), pl.all()
    )


def chances(frame: pl.DataFrame, fit: Estimate) -> pl.Series:
    """For each row, the probability that its agent is better than the next row's; none if one has not played."""
    played = frame.filter(pl.col("episodes") > 0)["agent"].to_list()  # the others come last
    found = fit.better(list(pairwise(played))).tolist()
    return pl.Series([*found, *[None] * (len(frame) - len(found))], dtype=pl.Float64)


def interval_columns(fit: Estimate) -> dict[str, pl.Series]:
    """The ratings as columns `rating`, `low` and `high`; an open end of an interval is null."""
    low, high = (pl.Series(np.where(np.isfinite(ends), ends, np.nan)).fill_nan(None) for ends in fit.intervals)
    return {"rating": pl.Series(fit.ratings), "low": low, "high": high}


def course(agents: int, tallies: pl.DataFrame, rate: Callable[[pl.DataFrame], pl.Series]) -> pl.DataFrame:
    """Development of the ratings: matches (number played), agent, rating; agents have no row before their first match.

    `rate` computes the ratings from some of the tallies. Repetitions count together, each up to that match.
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
