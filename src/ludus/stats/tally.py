"""Tallies: the results of a series of episodes, added up for each agent."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludus.core.text import first_line, listing, plural
from ludus.episode.finished import walls
from ludus.episode.record import PREPARING, Ending, Fault, Record
from ludus.stats.placings import Counts, counts, placings

_OUTCOMES = ("wins", "ties", "losses")
_COUNTED = (Fault.ILLEGAL, Fault.LATE, Fault.FAILED)


@dataclass
class AgentTally:
    """The results of one agent besides its places."""

    name: str
    scores: list[float] = field(default_factory=list)
    walls: list[int] = field(default_factory=list)  # nanoseconds of each move
    faults: Counter[Fault] = field(default_factory=Counter)
    faulty: Counter[Fault] = field(default_factory=Counter)  # how many episodes had them
    evidence: str = ""  # of the first fault
    said: str = ""  # the last line on standard error in the episode of the first fault
    unready: int = 0  # number of episodes for which it did not get ready


class Tally:
    """The results of a series, agent by agent."""

    def __init__(self, names: Sequence[str]) -> None:
        self.lines = [AgentTally(name) for name in names]
        self._endings: Counter[Ending] = Counter()
        self._seatings: list[Sequence[int]] = []
        self._scores: list[list[float]] = []

    @property
    def episodes(self) -> int:
        """The number of episodes added."""
        return self._endings.total()

    def add(self, record: Record, seating: Sequence[int]) -> None:
        """Add an episode; seating[i] is the number of the agent at seat i."""
        self._endings[record.ending] += 1
        self._seatings.append(seating)
        self._scores.append(record.scores)
        seated = [self.lines[agent] for agent in seating]
        for line, score, times in zip(seated, record.scores, walls(record), strict=True):
            line.scores.append(score)
            line.walls += times
        faults = [fault for fault in record.faults() if fault.fault in _COUNTED]
        for found in faults:
            line = seated[found.seat]
            if not line.faults:
                line.evidence = first_line(found.evidence)
                line.said = _last_line(record.seats[found.seat].log)
            line.unready += found.step == PREPARING
            line.faults[found.fault] += 1
        for seat, fault in {(found.seat, found.fault): None for found in faults}:
            seated[seat].faulty[fault] += 1

    def results(self) -> dict[str, list[Any]]:
        """The results of each agent, as values by column: those of `views.series_columns`, and episodes."""
        scores, walls = ([getattr(line, name) for line in self.lines] for name in ("scores", "walls"))
        found: dict[str, list[Any]] = {"agent": [line.name for line in self.lines], "episodes": [*map(len, scores)]}
        if len(self.lines) > 1:
            counts = self._counts()
            found |= {name: getattr(counts, name).sum(1).tolist() for name in _OUTCOMES}
            found["score"] = (counts.points.sum(1) / self.episodes).tolist()
        found["mean"] = [*map(statistics.fmean, scores)]
        if len(self.lines) == 1:
            found |= {"median": [*map(statistics.median, scores)], "best": [*map(max, scores)]}
        found["moves"] = [*map(len, walls)]
        found["time"] = [statistics.fmean(times) if times else None for times in walls]
        found["slowest"] = [max(times, default=None) for times in walls]
        return found

    def by_seat(self) -> dict[str, list[Any]]:
        """The results of each agent from each seat, as values by column: agent, seat (from 1), episodes, wins, …"""
        counts, seats = self._counts(), range(len(self.lines))
        return {
            "agent": [line.name for line in self.lines for _ in seats],
            "seat": [seat + 1 for _ in self.lines for seat in seats],
            **{name: getattr(counts, name).ravel().tolist() for name in ("episodes", *_OUTCOMES)},
        }

    def _counts(self) -> Counts:
        """Wins, ties, losses and points of each agent from each seat."""
        once = np.ones(self.episodes, np.int64)
        return counts(placings(self._seatings, self._scores, once, once), len(self.lines))

    def stopped(self) -> str:
        """A sentence on episodes that stopped at the limit of plies; empty if none did."""
        stopped = self._endings[Ending.PLIES]
        return f"{stopped:,} of {self.episodes:,} stopped at the limit of plies." if stopped else ""

    def unready(self) -> str:
        """A sentence on the agents that could not start for a single episode; empty if there are none."""
        found = [line for line in self.lines if line.unready and line.unready == self.episodes]
        return "; ".join(f"{line.name} could not start{_first(line, ': ')}" for line in found) + "." if found else ""

    def faults(self) -> list[str]:
        """A sentence for each agent with faults."""
        return [f"{line.name} {listing(_faults(line))}{_first(line)}." for line in self.lines if line.faults]


def _faults(line: AgentTally) -> list[str]:
    told = []
    for fault, episodes in line.faulty.items():
        times = line.faults[fault]
        often = f" {times:,} times" if times > episodes else ""
        told.append(f"{fault.did}{often} in {plural(episodes, 'episode')}")
    return told


def _first(line: AgentTally, before: str = ", first: ") -> str:
    """The evidence of the first fault, and the last line that the agent wrote to standard error."""
    said = f"; its last line on standard error: {line.said}" if line.said else ""
    return f"{before}{line.evidence}{said}" if line.evidence else ""


def _last_line(log: str) -> str:
    return first_line((log.strip().splitlines() or [""])[-1].strip())
