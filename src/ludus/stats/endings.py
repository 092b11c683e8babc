"""Endings of episodes, with the agents to blame."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from ludus.episode.record import Key, Record

if TYPE_CHECKING:
    from ludus.store import Store

_FAULTS: dict[str, Any] = {
    "repetition": pl.Int64,
    "match": pl.Int64,
    "number": pl.Int64,
    "step": pl.Int64,
    "seat": pl.Int64,
    "agent": pl.String,
    "fault": pl.String,
    "out": pl.Boolean,
    "evidence": pl.String,
}


def endings(tallies: pl.DataFrame) -> pl.DataFrame:
    """Number of endings: agent (a number, or none without blame), ending, episodes; the most frequent first.

    An episode that ended by the faults of several agents counts once for each of them.
    """
    blamed = tallies.select("seats", "ending", "episodes", "by").explode("by", empty_as_null=True, keep_nulls=True)
    return (
        blamed.select(pl.col("seats").list.get(pl.col("by")).alias("agent"), "ending", "episodes")
        .group_by("agent", "ending")
        .agg(pl.col("episodes").sum())
        .sort("episodes", "ending", "agent", descending=[True, False, False])
    )


class Faulty(NamedTuple):
    """Episodes that ended by faults: their number, `of` how many, and how many by the faults of each agent.

    The command lists all faults with their evidence. An episode that ended by the faults of several agents counts once
    for each of them.
    """

    episodes: int
    of: int
    by: dict[str, int]
    command: str


def faulty(episodes: pl.DataFrame, names: Sequence[str], tournaments: Iterable[int]) -> Faulty:
    """The faults of these episodes, or of their tallies: rows of `episodes` with the `seats` and those to blame, `by`.

    `names` are those of the agents; `tournaments` are the numbers of those in which they played.
    """
    ended = episodes.filter(pl.col("by").list.len() > 0)
    blamed = ended.select("episodes", agent=pl.col("seats").list.gather(pl.col("by")).list.unique()).explode("agent")
    counts = blamed.group_by("agent").agg(pl.col("episodes").sum()).sort("episodes", "agent", descending=[True, False])
    return Faulty(
        int(ended["episodes"].sum()),
        int(episodes["episodes"].sum()),
        {names[agent]: number for agent, number in counts.iter_rows()},
        f"ludus results {' '.join(map(str, tournaments))} --faults",
    )


def first_blamed(episodes: pl.DataFrame) -> pl.DataFrame:
    """The first episode that each agent ended by a fault, for each ending: agent, ending, repetition, match, number."""
    blamed = episodes.filter(pl.col("by").list.len() > 0).explode("by")
    agent = pl.col("seats").list.get(pl.col("by")).alias("agent")
    found = blamed.select(agent, "ending", "repetition", "match", "number")
    return found.unique(["agent", "ending"], keep="first", maintain_order=True)


def faults(store: "Store", id: int, count: int, episodes: pl.DataFrame) -> pl.DataFrame:
    """Every fault: repetition, match, number, step (−1: while getting ready), seat, agent, fault, out, evidence.

    `episodes` has all episodes with the seats to blame, and `count` is the number of faults.
    """
    rows = [
        (*key, step, seat, record.seats[seat].name, fault, out, evidence)
        for key, record in _faulty(store, id, count, episodes)
        for step, seat, fault, out, evidence in record.faults()
    ]
    return pl.DataFrame(rows, _FAULTS, orient="row")


def _faulty(store: "Store", id: int, count: int, episodes: pl.DataFrame) -> Iterator[tuple[Key, Record]]:
    """The episodes with faults if these are known, otherwise all."""
    blamed = episodes.filter(pl.col("by").list.len() > 0)
    if count != blamed["by"].list.len().sum():  # some faults had no consequences
        return store.records(id)
    return store.records(id, [Key(*key) for key in blamed.select("repetition", "match", "number").iter_rows()])
