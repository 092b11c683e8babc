"""What only the records tell: what agents reported, what bots took, and what went wrong or was odd."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from ludus.episode.record import PREPARING, Fault, Key, Record
from ludus.kernel.numbers import CHANCE
from ludus.stats.metrics import metrics, numeric

if TYPE_CHECKING:
    from ludus.store import Store

_SINGLY = 50  # times as long as in a row a record takes to read by itself
_USAGE = {
    "agent": pl.String,
    "moves": pl.Int64,
    "cpu": pl.Float64,
    "waited": pl.Float64,
    "longest_wait": pl.Int64,
    "memory": pl.Int64,
}
_REMARKS: dict[str, Any] = {
    "agent": pl.String,
    "remark": pl.String,
    "episodes": pl.Int64,
    "repetition": pl.Int64,
    "match": pl.Int64,
    "number": pl.Int64,
}
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


@dataclass
class _Taken:
    """What a bot took for its moves."""

    moves: int = 0
    cpu: int = 0
    waited: int = 0
    longest_wait: int = 0
    memory: int = 0


@dataclass
class _Remarked:
    """In how many episodes something was odd, and the first of them."""

    first: Key
    episodes: int = 0


@dataclass
class Measured:
    """What was reported and measured of moves, and remarked on bots, by the names of agents."""

    _reported: dict[tuple[str, str], "array[float]"] = field(default_factory=lambda: defaultdict(lambda: array("d")))
    _taken: dict[str, _Taken] = field(default_factory=dict)
    _remarked: dict[tuple[str, str], _Remarked] = field(default_factory=dict)

    @classmethod
    def of(cls, records: Iterable[tuple[Key, Record]]) -> "Measured":
        """From all records of a tournament."""
        found = cls()
        for key, record in records:
            found._add(record)
            for remark in dict.fromkeys((seat.name, text) for seat in record.seats for text in seat.remarks):
                found._remarked.setdefault(remark, _Remarked(key)).episodes += 1
        return found

    def _add(self, record: Record) -> None:
        for step in record.steps:
            for move in step:
                if move.seat == CHANCE:
                    continue
                agent = record.seats[move.seat].name
                for metric, value in numeric(move.metrics):
                    self._reported[agent, metric].append(value)
                if move.memory:  # of a bot
                    taken = self._taken.setdefault(agent, _Taken())
                    taken.moves += 1
                    taken.cpu += move.cpu
                    taken.waited += move.waited
                    taken.longest_wait = max(taken.longest_wait, move.waited)
                    taken.memory = max(taken.memory, move.memory)

    def metrics(self) -> pl.DataFrame:
        """agent, metric, moves, mean, median, lowest, highest; in the order in which they were first reported."""
        return metrics(self._reported)

    def usage(self) -> pl.DataFrame:
        """Of bots: agent, moves, cpu, waited (means), longest_wait, memory (the most, in bytes)."""
        rows = [
            (agent, taken.moves, taken.cpu / taken.moves, taken.waited / taken.moves, taken.longest_wait, taken.memory)
            for agent, taken in self._taken.items()
        ]
        return pl.DataFrame(rows, _USAGE, orient="row")

    def remarks(self) -> pl.DataFrame:
        """Of bots: agent, remark, episodes, and the key of the first one; the most frequent first."""
        rows = [(*remark, found.episodes, *found.first) for remark, found in self._remarked.items()]
        return pl.DataFrame(rows, _REMARKS, orient="row").sort("episodes", descending=True, maintain_order=True)


def faults(store: "Store", id: int, count: int, episodes: pl.DataFrame) -> pl.DataFrame:
    """Every fault: repetition, match, number, step (−1: while getting ready), seat, agent, fault, out, evidence.

    `episodes` has all of them, with those to blame, and `count` says how many faults there are.
    """
    rows = [(*key, *fault) for key, record in _faulty(store, id, count, episodes) for fault in _faults(record)]
    return pl.DataFrame(rows, _FAULTS, orient="row")


def _faulty(store: "Store", id: int, count: int, episodes: pl.DataFrame) -> Iterator[tuple[Key, Record]]:
    """The episodes with faults, if these are known and few, else all."""
    blamed = episodes.filter(pl.col("by").list.len() > 0)
    had_consequences = count == blamed["by"].list.len().sum()
    if not had_consequences or len(blamed) * _SINGLY > len(episodes):
        return store.records(id)
    keys = [Key(*numbers) for numbers in blamed.select("repetition", "match", "number").iter_rows()]
    return ((key, store.record(id, key)) for key in keys)


def _faults(record: Record) -> Iterator[tuple[int, int, str, Fault, bool, str]]:
    """step, seat, agent, fault, whether the player is out by it, evidence."""
    out = {(entry.seat, entry.step) for entry in record.out}
    for number, seat in enumerate(record.seats):
        made = seat.preparation
        if made is not None and made.fault is not None:
            yield PREPARING, number, seat.name, made.fault, (number, PREPARING) in out, made.evidence
    for step, moves in enumerate(record.steps):
        for move in moves:
            if move.fault is not None:
                name = record.seats[move.seat].name
                yield step, move.seat, name, move.fault, (move.seat, step) in out, move.evidence
