"""Agents over all tournaments of the store: the roster of all, and the career of each."""

from collections.abc import Hashable
from contextlib import suppress
from threading import Event
from typing import Any

import polars as pl

from ludus.core.errors import NotFoundError
from ludus.core.text import listing, percent_range, plural
from ludus.stats.careers import career, relatives, roster
from ludus.stats.ladder import ladder
from ludus.stats.win_rates import AGENT, OPPONENT, win_rates
from ludus.store import Store
from ludus.views.columns import CAREER, LADDER, OPPONENTS, ROSTER
from ludus.views.page.html_tables import Shown, Table, table
from ludus.views.page.parts import Fold, Section
from ludus.views.short_names import shown_names
from ludus.web.links import StoreLinks

_LINKS = StoreLinks()
_MOST_ROWS = 1000


def stamp_of(store: Store) -> Hashable:
    """A value that changes with the tournaments of the store and the number of their episodes."""
    return tuple((found.id, found.name, found.episodes) for found in store.tournaments())


class Roster:
    """All agents, and the ladder of each game for two."""

    def __init__(self, store: Store, stamp: Hashable) -> None:
        self.stamp = stamp
        self.ready = Event()
        self.agents = pl.DataFrame()
        self.ladders = pl.DataFrame(schema={"game": pl.String, "agent": pl.String})
        self._store = store

    def compute(self) -> None:
        """Read them."""
        try:
            self.agents = roster(self._store)
            with suppress(NotFoundError):  # no game for two was played
                self.ladders = ladder(self._store)
        finally:
            self.ready.set()

    @property
    def sections(self) -> list[Section]:
        """The tables of the page."""
        everybody = _table(self.agents.head(_MOST_ROWS), ROSTER)
        found = [Section("All agents", "Those that played last come first.", [everybody])]
        if len(self.ladders):
            folds = [
                Fold(game, [_table(rows.head(_MOST_ROWS), LADDER)], open=number == 0)
                for number, ((game,), rows) in enumerate(self.ladders.group_by("game", maintain_order=True))
            ]
            note = "Glicko-2 ratings carried over from tournament to tournament; each game has its own."
            found.append(Section("Ladders", note, folds))
        return found

    def as_json(self) -> dict[str, Any]:
        """The same as data."""
        return {"agents": self.agents.to_dicts(), "ladders": self.ladders.to_dicts()}


class Career:
    """One agent: its tournaments, its place on ladders, its opponents, and its relatives."""

    def __init__(self, store: Store, agent: str, everybody: Roster, stamp: Hashable) -> None:
        self.stamp = stamp
        self.agent = agent
        self.ready = Event()
        self.frames: dict[str, pl.DataFrame] = {}
        self.error: Exception | None = None
        self._store = store
        self._everybody = everybody

    def compute(self) -> None:
        """Read everything about the agent."""
        try:
            self._everybody.ready.wait()
            played = career(self._store, self.agent)
            specs = played["spec"].unique(maintain_order=True).to_list()
            everybody = self._everybody.agents
            labels = everybody.filter(pl.col("spec").is_in(specs))["agent"].to_list()
            ladders = self._everybody.ladders
            self.frames = {
                "career": played,
                "ladders": ladders.filter(pl.col("agent").is_in([*labels, *specs, self.agent])),
                "opponents": self._opponents(specs, labels),
                "relatives": relatives(everybody, specs),
            }
        except Exception as error:  # raised again for each visitor
            self.error = error
        finally:
            self.ready.set()

    def _opponents(self, specs: list[str], labels: list[str]) -> pl.DataFrame:
        try:
            rates = win_rates(self._store, by=(AGENT, OPPONENT), agents=specs).table
        except NotFoundError:  # it only played games for one
            return pl.DataFrame()
        rates = rates.with_columns(pl.col(AGENT, OPPONENT).cast(pl.String)).filter(pl.col(AGENT).is_in(labels))
        ranges = [
            percent_range(low, high, 0) if low is not None else ""
            for low, high in rates.select("low", "high").iter_rows()
        ]
        return rates.with_columns(range=pl.Series(ranges, dtype=pl.String)).sort("episodes", descending=True)

    @property
    def sentence(self) -> str:
        """The agent in a sentence."""
        played = self.frames["career"]
        games = played["game"].unique(maintain_order=True).to_list()
        wins = played.filter(pl.col("rank") == 1).height
        first = f", and was first in {wins:,}" if wins else ""
        where = plural(played["tournament"].n_unique(), "tournament")
        return f"Played {plural(int(played['episodes'].sum()), 'episode')} of {listing(games)} in {where}{first}."

    @property
    def specs(self) -> list[str]:
        """The specs under this name, the newest first."""
        return self.frames["career"]["spec"].unique(maintain_order=True).to_list()

    @property
    def sections(self) -> list[Section]:
        """The tables of the page."""
        played = self.frames["career"].head(_MOST_ROWS)
        empty = {name for name in ("rating", "mean") if played[name].null_count() == len(played)}
        left_out = empty if len(self.specs) > 1 else empty | {"spec"}
        columns = [column for column in CAREER if column.name not in left_out]
        tournaments = _table(played, columns)
        linked = [
            [row[0]._replace(address=f"/tournaments/{id}"), *row[1:]]
            for row, id in zip(tournaments.rows, played["tournament"], strict=True)
        ]
        found = [Section("Tournaments", "", [Table(tournaments.heads, linked, tournaments.note, "list")])]
        if len(ladders := self.frames["ladders"]):
            columns = [column for column in LADDER if column.name != "agent"]
            rated = _table(ladders.select("game", *(c.name for c in columns), "deviation"), [_GAME, *columns])
            found.append(Section("Ladders", "Ratings carried over from tournament to tournament.", [rated]))
        if len(opponents := self.frames["opponents"]):
            found.append(Section("Opponents", "", [_table(opponents.head(_MOST_ROWS), OPPONENTS)]))
        if len(others := self.frames["relatives"]):
            listed = Fold(f"{len(others):,} others", [_table(others.head(_MOST_ROWS), ROSTER)], open=len(others) <= 10)
            found.append(Section("Relatives", "Agents of the same kind, with other parameters or names.", [listed]))
        return found

    def as_json(self) -> dict[str, Any]:
        """The same as data."""
        return {"agent": self.agent, "specs": self.specs} | {name: f.to_dicts() for name, f in self.frames.items()}


_GAME = OPPONENTS[0]


def _table(frame: pl.DataFrame, columns: Any) -> Table:
    """A frame as a table whose agents lead to their pages."""
    names = dict.fromkeys(
        name for column in columns if column.agents and column.name in frame for name in frame[column.name].to_list()
    )
    short = shown_names(list(names))
    return table(frame, columns, {name: Shown(short[name], name) for name in names}, links=_LINKS)
