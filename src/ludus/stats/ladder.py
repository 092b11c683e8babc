"""The ladder of each game: Glicko-2 ratings carried over from tournament to tournament.

Every stored tournament of a game is one rating period, in order of time. An agent enters with the start values, and
keeps its rating from then on; in a period in which it does not play it only gains deviation. The same spec is the same
agent, whatever its name. Rules with other parameters, such as another size of the board, are another game here.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

import polars as pl

from ludus.core.errors import InvalidError, NotFoundError
from ludus.stats.evidence import Evidence
from ludus.stats.participants import Field
from ludus.stats.places import COUNTS
from ludus.stats.ratings.glicko2 import START, TAU, Glicko, after_period
from ludus.stats.two_players import evidence, meetings
from ludus.stats.win_rates import chosen

if TYPE_CHECKING:
    from ludus.store import Store, Summary

_LEAST_TAU, _MOST_TAU = 0.01, 10.0
_SCHEMA: dict[str, Any] = {
    "game": pl.String,
    "rank": pl.Int64,
    "agent": pl.String,
    "rating": pl.Float64,
    "deviation": pl.Float64,
    "volatility": pl.Float64,
    "games": pl.Int64,
    "periods": pl.Int64,
    "last": pl.Datetime("us", "UTC"),
}


class _Ladder:
    """The agents of one game, numbered in the order in which they entered."""

    def __init__(self) -> None:
        self.field = Field()
        self.players: list[Glicko] = []
        self.games: Counter[int] = Counter()
        self.periods: Counter[int] = Counter()
        self.last: list[datetime] = []

    def add(self, store: "Store", summary: "Summary", tau: float) -> None:
        """Rate a period; agents that play for the first time enter. Games of an agent against itself say nothing."""
        tallies = Evidence(store, summary.id, finished=summary.finished is not None).tallies_of(None)
        met = meetings(tallies.filter(pl.col("seats").list.len() == 2))
        if met.is_empty():
            return
        numbers = self.field.add(store.tournament(summary.id).agents)
        for _ in range(len(self.players), max(numbers) + 1):
            self.players.append(START)
            self.last.append(summary.created)
        met = met.with_columns(pl.col("first", "second").replace_strict(list(range(len(numbers))), numbers))
        met = met.filter(pl.col("first") != pl.col("second"))
        self.players = after_period(self.players, *evidence(met), tau=tau)
        games: Counter[int] = Counter()
        for first, second, count in met.select("first", "second", pl.sum_horizontal(COUNTS)).iter_rows():
            games.update({first: count, second: count})
        self.games += games
        self.periods.update(games.keys())
        moment = max([summary.created, *(run.ended or run.started for run in store.sittings(summary.id))])
        for number in games:
            self.last[number] = moment

    def rows(self, game: str) -> list[tuple[object, ...]]:
        """The agents that have met another, from the highest rating to the lowest."""
        labels = self.field.labels()
        order = sorted(self.periods, key=lambda number: -self.players[number].rating)
        return [
            (game, rank, labels[n], *self.players[n], self.games[n], self.periods[n], self.last[n])
            for rank, n in enumerate(order, 1)
        ]


def ladder(store: "Store", which: Sequence[str] = (), *, game: str | None = None, tau: float = TAU) -> pl.DataFrame:
    """Ladders over some tournaments or all: game, rank, agent, rating, deviation, volatility, games, periods, last.

    `last` is the time at which the agent played last; `tau` limits how fast volatility changes.
    """
    if not _LEAST_TAU <= tau <= _MOST_TAU:  # also rejects NaN
        raise InvalidError(f"tau = {tau:g} is not a number from {_LEAST_TAU:g} to {_MOST_TAU:g}.")
    ladders: dict[str, _Ladder] = {}
    for summary in sorted(chosen(store, which, game), key=lambda summary: (summary.created, summary.id)):
        ladders.setdefault(summary.game, _Ladder()).add(store, summary, tau)
    rows = [row for name, found in ladders.items() for row in found.rows(name)]
    if not rows:
        raise NotFoundError(
            "No episode between two agents is stored here: 'ludus results' lists tournaments, 'ludus run' plays one."
        )
    return pl.DataFrame(rows, _SCHEMA, orient="row")
