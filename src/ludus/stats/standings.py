"""What follows from the episodes of one run: a repetition, or all of them together. Agents are numbers here."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

import polars as pl

from ludus.core.errors import InvalidError
from ludus.core.spec import did_you_mean
from ludus.stats import one_player, several_players, two_players
from ludus.stats.rating_cache import remembered
from ludus.stats.ratings.bradley_terry import BradleyTerry
from ludus.stats.ratings.plackett_luce import PlackettLuce


class Run(ABC):
    """Tallies and episodes of one run, and what is worked out from them, once each; episodes know their seats."""

    orders: ClassVar[tuple[str, ...]]
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
                f"Standings of such a tournament cannot be ordered by '{by}'{did_you_mean(by, self.orders)}: "
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
    """A run of two or more players, who are rated by what they do to each other."""

    @abstractmethod
    def by_seat(self) -> pl.DataFrame:
        """Seat by seat, whoever sat there."""

    @abstractmethod
    def ratings(self, tallies: pl.DataFrame) -> pl.Series:
        """The ratings that follow from some of the tallies."""


class TwoPlayers(RatedRun):
    """Bradley–Terry, both Elos and Glicko-2."""

    orders = two_players.ORDERS

    @cached_property
    def meetings(self) -> pl.DataFrame:
        """Who met whom."""
        return two_players.meetings(self._tallies)

    @cached_property
    def fit(self) -> BradleyTerry:
        """The ratings."""
        return two_players.fit(self._agents, self.meetings)

    @cached_property
    def _elos(self) -> pl.DataFrame:
        return remembered(two_players.elos, self._agents, two_players.games(self._episodes()))

    def _standings(self, by: str) -> pl.DataFrame:
        return two_players.standings(self._agents, self.meetings, self._elos, self.fit, by)

    def ahead(self) -> pl.DataFrame:
        return two_players.ahead(self.meetings)

    def by_seat(self) -> pl.DataFrame:
        return two_players.by_seat(self.meetings, self.fit)

    def ratings(self, tallies: pl.DataFrame) -> pl.Series:
        return pl.Series(two_players.fit(self._agents, two_players.meetings(tallies)).ratings)


class SeveralPlayers(RatedRun):
    """Plackett–Luce, and points for places."""

    orders = several_players.ORDERS

    @cached_property
    def _placings(self) -> several_players.Placings:
        return several_players.placings(self._tallies, self._seats)

    @cached_property
    def results(self) -> pl.DataFrame:
        """Agent by agent and seat by seat."""
        return several_players.results(self._placings)

    @cached_property
    def fit(self) -> PlackettLuce:
        """The ratings."""
        return several_players.fit(self._agents, self._placings)

    def _standings(self, by: str) -> pl.DataFrame:
        return several_players.standings(self._agents, self.results, self.fit, by)

    def ahead(self) -> pl.DataFrame:
        return several_players.ahead(self._placings)

    def by_seat(self) -> pl.DataFrame:
        return several_players.by_seat(self.results)

    def ratings(self, tallies: pl.DataFrame) -> pl.Series:
        return pl.Series(several_players.fit(self._agents, several_players.placings(tallies, self._seats)).ratings)


class OnePlayer(Run):
    """Points, compared seed by seed."""

    orders = one_player.ORDERS

    @cached_property
    def points(self) -> pl.DataFrame:
        """One row for each agent and episode."""
        return one_player.points(self._episodes())

    @cached_property
    def _on_same_seeds(self) -> pl.DataFrame:
        return one_player.ahead(self.points)

    def _standings(self, by: str) -> pl.DataFrame:
        return one_player.standings(self._agents, self.points, self._on_same_seeds, by)

    def ahead(self) -> pl.DataFrame:
        return self._on_same_seeds
