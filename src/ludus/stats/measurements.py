"""Measurements that only records hold: metrics of agents, usage of bots, notes."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from ludus.episode.record import Key, Record
from ludus.kernel.numbers import CHANCE

if TYPE_CHECKING:
    pass

_METRICS = {
    "agent": pl.String,
    "metric": pl.String,
    "moves": pl.Int64,
    "mean": pl.Float64,
    "median": pl.Float64,
    "lowest": pl.Float64,
    "highest": pl.Float64,
}
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


@dataclass
class _Taken:
    """The resources that a bot used for its moves."""

    moves: int = 0
    cpu: int = 0
    waited: int = 0
    longest_wait: int = 0
    memory: int = 0


@dataclass
class _Remarked:
    """Number of episodes with a note, and the first of them."""

    first: Key
    episodes: int = 0


@dataclass
class Measured:
    """Reports and measurements of moves, and notes on bots, by the names of agents."""

    _reported: dict[tuple[str, str], "array[float]"] = field(default_factory=lambda: defaultdict(lambda: array("d")))
    _taken: dict[str, _Taken] = field(default_factory=dict)
    _remarked: dict[tuple[str, str], _Remarked] = field(default_factory=dict)

    @classmethod
    def of(cls, records: Iterable[tuple[Key, Record]]) -> "Measured":
        """Collect them from all records of a tournament."""
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
                for metric, value in move.numbers():
                    self._reported[agent, metric].append(value)
                if move.memory:  # only of bots
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
        """For bots: agent, moves, cpu, waited (means), longest_wait, memory (the most, in bytes)."""
        rows = [
            (agent, taken.moves, taken.cpu / taken.moves, taken.waited / taken.moves, taken.longest_wait, taken.memory)
            for agent, taken in self._taken.items()
        ]
        return pl.DataFrame(rows, _USAGE, orient="row")

    def remarks(self) -> pl.DataFrame:
        """For bots: agent, remark, episodes, and the key of the first one; the most frequent first."""
        rows = [(*remark, found.episodes, *found.first) for remark, found in self._remarked.items()]
        return pl.DataFrame(rows, _REMARKS, orient="row").sort("episodes", descending=True, maintain_order=True)


def metrics(reported: Mapping[tuple[str, str], ArrayLike]) -> pl.DataFrame:
    """Summary of the values for each agent and metric: agent, metric, moves, mean, median, lowest, highest.

    A value that is not finite is counted among the moves, but otherwise ignored.
    """
    rows = []
    for (agent, metric), values in reported.items():
        found = np.asarray(values, np.float64)
        finite = found[np.isfinite(found)]
        figures = (finite.mean(), np.median(finite), finite.min(), finite.max()) if len(finite) else (None,) * 4
        rows.append((agent, metric, len(found), *figures))
    return pl.DataFrame(rows, _METRICS, orient="row")
