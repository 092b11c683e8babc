"""The work of searches, episode by episode: positions looked at, lines cut off, time. Read from the records."""

import math
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from ludus.core.errors import NotFoundError
from ludus.episode.record import Record
from ludus.kernel.numbers import CHANCE
from ludus.stats.participants import Field, is_game
from ludus.store.entries import episode_name

if TYPE_CHECKING:
    from ludus.stats.early_ends import Watch
    from ludus.store import Store

CALLS = "nodes"
"""The metric that counts the positions looked at for a move."""
BOUNDS = ("pruned", "cutoffs")
"""The metrics that count lines cut off; an agent reports one of them."""
MEASURES = ("moves", "calls", "bounds", "time", "calls_per_second", "bounds_per_call")
_SCHEMA: dict[str, Any] = {
    "episode": pl.String,
    "agent": pl.String,
    "moves": pl.Int64,
    "calls": pl.Float64,
    "bounds": pl.Float64,
    "time": pl.Float64,
}


class SearchCost(NamedTuple):
    """The work of an agent in an episode: its moves, and means over these. Time is in nanoseconds."""

    moves: int
    calls: float
    bounds: float | None
    time: float


def search_costs(
    store: "Store",
    which: Sequence[str] = (),
    *,
    game: str | None = None,
    agents: Collection[str] = (),
    watch: "Watch | None" = None,
) -> pl.DataFrame:
    """The searches of some tournaments or all, of one game, of some agents, in the terms of `Field.chosen`.

    Columns: episode (as `ludus replay` takes it), agent, moves, then means over the moves: calls, bounds, time
    (nanoseconds); calls_per_second, bounds_per_call. Agents that report no positions have no row. `watch` is called
    with the numbers of records read.
    """
    ids = {store.find(text) for text in which}
    found = [one for one in store.tournaments() if (one.id in ids or not which) and one.episodes]
    found = [one for one in found if game is None or is_game(one.game, game)]
    field, done, total = Field(), 0, sum(one.episodes for one in found)
    rows: list[tuple[str, int, SearchCost]] = []
    for one in found:
        tournament = store.tournament(one.id)
        numbers = dict(zip((a.name for a in tournament.agents), field.add(tournament.agents), strict=True))
        for key, record in store.records(one.id):
            name = episode_name(one.id, key, tournament.repetitions)
            rows += [(name, numbers[record.seats[seat].name], cost) for seat, cost in _costs(record)]
            done += 1
            if watch is not None:
                watch(done, total)
    chosen = field.chosen(agents) if rows else []
    labels = field.labels()
    kept = [(name, labels[agent], *cost) for name, agent, cost in rows if agent in chosen]
    if not kept:
        raise NotFoundError(
            f"No agent of these episodes reports '{CALLS}', the number of positions; searches to a depth do."
        )
    return pl.DataFrame(kept, _SCHEMA, orient="row").with_columns(
        calls_per_second=pl.col("calls") * 1e9 / pl.col("time"),
        bounds_per_call=pl.col("bounds") / pl.col("calls"),
    )


def _costs(record: Record) -> Iterator[tuple[int, SearchCost]]:
    """The work of each seat that reports calls."""
    moves: dict[int, list[tuple[float, float, int]]] = defaultdict(list)
    for step in record.steps:
        for move in step:
            metrics = dict(move.numbers()) if move.seat != CHANCE else {}
            if CALLS in metrics:
                bounds = next((metrics[name] for name in BOUNDS if name in metrics), math.nan)
                moves[move.seat].append((metrics[CALLS], bounds, move.wall))
    for seat, found in sorted(moves.items()):
        calls, bounds, time = map(fmean, zip(*found, strict=True))
        yield seat, SearchCost(len(found), calls, None if math.isnan(bounds) else bounds, time)


def mean_costs(costs: pl.DataFrame) -> pl.DataFrame:
    """The means of each agent over its episodes: agent, episodes, and the measures."""
    return costs.group_by("agent", maintain_order=True).agg(
        pl.len().cast(pl.Int64).alias("episodes"), pl.col(MEASURES).mean()
    )
