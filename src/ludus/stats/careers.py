"""Careers: what agents did over all tournaments of the store. The same spec is the same agent, whatever its name."""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from ludus.core.errors import LudusError, NotFoundError
from ludus.core.text import did_you_mean
from ludus.episode.record import Ending
from ludus.stats.participants import Field, kind_of
from ludus.stats.results import Results

if TYPE_CHECKING:
    from ludus.store import Store
    from ludus.store.entries import Summary
    from ludus.tournaments.tournament import Entrant

_ROSTER: dict[str, Any] = {
    "agent": pl.String,
    "spec": pl.String,
    "kind": pl.String,
    "games": pl.String,
    "tournaments": pl.Int64,
    "episodes": pl.Int64,
    "last": pl.Datetime("us", "UTC"),
}
_CAREER: dict[str, Any] = {
    "tournament": pl.Int64,
    "name": pl.String,
    "game": pl.String,
    "began": pl.Datetime("us", "UTC"),
    "agent": pl.String,
    "spec": pl.String,
    "rank": pl.Int64,
    "field": pl.Int64,
    "rating": pl.Float64,
    "low": pl.Float64,
    "high": pl.Float64,
    "mean": pl.Float64,
    "episodes": pl.Int64,
    "faults": pl.Int64,
}


class _Entry(NamedTuple):
    """Sums over the tournaments of an agent."""

    games: dict[str, None]
    tournaments: list[int]
    episodes: list[int]
    last: list[datetime]


def roster(store: "Store") -> pl.DataFrame:
    """All agents, the one that played last first.

    Columns: agent (label), spec, kind, games, tournaments, episodes (of several seats of one, each counts), last.
    """
    field, entries = Field(), list[_Entry]()
    for summary in reversed(store.tournaments()):
        if not summary.episodes:
            continue
        numbers = field.add(store.tournament(summary.id).agents)
        entries += [_Entry({}, [], [], []) for _ in range(len(entries), max(numbers, default=-1) + 1)]
        played = _episodes_of(store, summary)
        for place, number in enumerate(numbers):
            entry = entries[number]
            entry.games[summary.game] = None
            entry.tournaments.append(summary.id)
            entry.episodes.append(played.get(place, 0))
            entry.last.append(summary.created)
    rows = [
        (label, spec, kind_of(spec), ", ".join(e.games), len({*e.tournaments}), sum(e.episodes), max(e.last))
        for label, spec, e in zip(field.labels(), field.specs(), entries, strict=True)
    ]
    return pl.DataFrame(rows, _ROSTER, orient="row").sort("last", descending=True, maintain_order=True)


def _episodes_of(store: "Store", summary: "Summary") -> dict[int, int]:
    """Number of episodes of each agent of a tournament, by its number."""
    tallies = store.tallies(summary.id).filter(pl.col("ending") != Ending.MACHINE).select("seats", "episodes")
    counted = tallies.explode("seats").group_by("seats").agg(pl.col("episodes").sum())
    return dict(counted.iter_rows())


def career(store: "Store", agent: str, results_of: "Callable[[int], Results] | None" = None) -> pl.DataFrame:
    """The standings of an agent in each of its tournaments, the newest first.

    An agent is named by its name or its spec. Columns: tournament, name, game, began, agent, spec, rank, field (agents
    there), rating with low and high (for two players and more), mean (for one player), episodes, faults (episodes that
    ended by its faults). `results_of` yields results that the caller has already; NotFoundError if it never took part.
    """
    rows = []
    for summary in reversed(store.tournaments()):
        entrants = [entrant for entrant in store.tournament(summary.id).agents if agent in (entrant.name, entrant.spec)]
        if not entrants or not summary.episodes:
            continue
        results = results_of(summary.id) if results_of else Results(store, summary.id)
        try:
            standings, faults = results.standings(), results.faulty.by
        except LudusError:  # of a game that is missing now
            continue
        for entrant in entrants:
            row = standings.filter(agent=entrant.name).row(0, named=True)
            facts = (row["rank"], len(standings), row.get("rating"), row.get("low"), row.get("high"), row.get("mean"))
            place = (summary.id, summary.name, summary.game, summary.created, entrant.name, entrant.spec)
            rows.append((*place, *facts, row["episodes"], faults.get(entrant.name, 0)))
    if not rows:
        near = did_you_mean(agent, [entrant.name for entrant in _everybody(store)])
        raise NotFoundError(f"No agent '{agent}' took part in a tournament{near}.")
    return pl.DataFrame(rows, _CAREER, orient="row")


def _everybody(store: "Store") -> "list[Entrant]":
    return [entrant for summary in store.tournaments() for entrant in store.tournament(summary.id).agents]


def relatives(roster: pl.DataFrame, specs: Collection[str]) -> pl.DataFrame:
    """The other agents of the same kinds: with other parameters, or under other names."""
    kinds = {kind_of(spec) for spec in specs}
    return roster.filter(pl.col("kind").is_in(kinds) & ~pl.col("spec").is_in(specs))
