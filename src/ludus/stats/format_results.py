"""Results by the rules of a format: places of a knockout, points of a Swiss tournament, agents that left early.

Agents are numbers, and rounds and repetitions count from 0.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import polars as pl

from ludus.stats.evidence import Evidence, match_results
from ludus.stats.standings import DIGITS, chances
from ludus.stats.two_players import TwoPlayers
from ludus.store.server_games import is_loose
from ludus.tournaments.formats import Format, Pairing, Result, format_from
from ludus.tournaments.tournament import Tournament

PLACE = "place"
"""The column of a format in which less is better."""

_ROUNDS = {
    "repetition": pl.Int64,
    "round": pl.Int64,
    "name": pl.String,
    "agent": pl.Int64,
    "opponent": pl.Int64,
    "points": pl.Float64,
    "opponent_points": pl.Float64,
    "gained": pl.Float64,
    "opponent_gained": pl.Float64,
}
_DEPARTURES = {"repetition": pl.Int64, "round": pl.Int64, "agent": pl.Int64, "rating": pl.Float64, "episodes": pl.Int64}


class _Played(NamedTuple):
    """The results of a repetition, and True if no more are to come."""

    repetition: int
    results: Sequence[Result]
    ended: bool


class FormatResults:
    """The pairings and departures of a tournament, repetition by repetition."""

    def __init__(self, tournament: Tournament, evidence: Evidence) -> None:
        self._tournament = tournament
        self._evidence = evidence
        self._agents = len(tournament.agents)

    @cached_property
    def format(self) -> Format | None:
        """The format; None for games of a server, which have none."""
        return None if is_loose(self._tournament) else format_from(self._tournament.format)

    @property
    def orders(self) -> tuple[str, ...]:
        """The columns by which the format ranks; none if ratings do."""
        return () if self.format is None else self.format.orders

    def winners(self) -> list[int]:
        """The winner of each complete repetition, if it is decided by a final."""
        if PLACE not in self.orders:
            return []
        last = [pairings[-1] for number, pairings in self._pairings.items() if number in self._complete]
        return [final.winner for final in last if final.winner is not None]

    @property
    def saved(self) -> tuple[int, int]:
        """The episodes of a double round robin that complete repetitions did without, and all that it would have."""
        full = self._agents * (self._agents - 1) * self._tournament.episodes * len(self._complete)
        played = self._evidence.tallies.filter(pl.col("repetition").is_in(self._complete))["episodes"].sum()
        return full - int(played), full

    def rounds(self) -> pl.DataFrame:
        """A row for each pairing: repetition, round, name (of the round), agent, opponent, points, gained and so on.

        Without an opponent, a row has none. What a pairing gained is null as long as it is undecided.
        """
        format = self.format
        rows = [
            (
                repetition,
                pairing.round,
                format.round_name(self._agents, pairing.round),
                *_both(pairing.agents),
                *_both(pairing.points),
                *_both(pairing.gained),
            )
            for repetition, pairings in self._pairings.items()
            for pairing in pairings
            if format is not None
        ]
        return pl.DataFrame(rows, _ROUNDS, orient="row")

    def departures(self) -> pl.DataFrame:
        """The agents that left early: repetition, round, agent, rating (interim), episodes (until then)."""
        rows = [
            (played.repetition, left.round, left.agent, left.rating, left.matches * self._tournament.episodes)
            for played in self._played
            if self.format is not None
            for left in self.format.departures(self._agents, self._seed(played.repetition), played.results)
        ]
        return pl.DataFrame(rows, _DEPARTURES, orient="row")

    def tallied(self, repetition: int | None) -> pl.DataFrame:
        """The columns by which the format ranks, with the agent: of a repetition, or the means over all begun ones."""
        if self.format is None:
            return pl.DataFrame({"agent": range(self._agents)})
        begun = [pairings for number, pairings in self._pairings.items() if repetition in (None, number)]
        columns = [
            pl.DataFrame({"agent": range(self._agents), **self.format.tallied(self._agents, pairings)})
            for pairings in begun or [[]]
        ]
        return pl.concat(columns).group_by("agent").agg(pl.all().mean()).sort("agent")

    @cached_property
    def _complete(self) -> list[int]:
        return self._evidence.complete()

    @cached_property
    def _played(self) -> list[_Played]:
        if self.format is None or not self.format.depends_on_results:
            return []  # it would take long, for nothing
        tallies = self._evidence.tallies
        return [
            _Played(number, match_results(tallies.filter(repetition=number)), number in self._complete)
            for number in tallies["repetition"].unique().sort()
        ]

    @cached_property
    def _pairings(self) -> dict[int, list[Pairing]]:
        if self.format is None:
            return {}
        return {
            played.repetition: self.format.pairings(
                self._agents, self._seed(played.repetition), played.results, ended=played.ended
            )
            for played in self._played
        }

    def _seed(self, repetition: int) -> int:
        return self._tournament.format_seed(repetition)


class RoundsRun(TwoPlayers):
    """A run whose agents are ranked by columns of the format, and then by their ratings."""

    def __init__(
        self,
        agents: int,
        seats: int,
        tallies: pl.DataFrame,
        episodes: Callable[[], pl.DataFrame],
        own: pl.DataFrame,
        orders: Sequence[str],
    ) -> None:
        super().__init__(agents, seats, tallies, episodes)
        self._own = own
        self._own_orders = tuple(orders)
        self.orders = (*self._own_orders, *(name for name in TwoPlayers.orders if name not in orders))

    def _standings(self, by: str) -> pl.DataFrame:
        is_own = by in self._own_orders
        rated = super()._standings("rating" if is_own else by)
        frame = rated.drop(name for name in self._own.columns if name != "agent" and name in rated.columns)
        frame = frame.join(self._own, on="agent", how="left", maintain_order="left")
        if not is_own:
            return frame
        keys = [*dict.fromkeys((by, *self._own_orders))]
        order = [pl.col(name).round(DIGITS) for name in keys]
        frame = frame.sort(*order, descending=[name != PLACE for name in keys], nulls_last=True, maintain_order=True)
        ranks = pl.int_range(1, pl.len() + 1, dtype=pl.Int64)
        return frame.with_columns(rank=ranks).with_columns(better=chances(frame, self.fit))


def _both(values: Sequence[float]) -> tuple[float | None, float | None]:
    """Two values, of which one or both may be missing."""
    one, other, *_ = (*values, None, None)
    return one, other
