"""Tallies: the results of a series of episodes, added up for each agent."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from ludus.core.text import first_line, listing, plural
from ludus.episode.finished import walls
from ludus.episode.record import Ending, Fault, Record
from ludus.stats.placings import Counts, counts, placings

_COUNTED = (Fault.ILLEGAL, Fault.LATE, Fault.FAILED)


@dataclass
class Line:
    """The results of one agent besides its places; times in nanoseconds."""

    name: str
    scores: list[float] = field(default_factory=list)
    moves: int = 0
    wall: int = 0
    slowest: int = 0
    faults: Counter[Fault] = field(default_factory=Counter)
    faulty: Counter[Fault] = field(default_factory=Counter)  # how many episodes had them
    evidence: str = ""  # of the first fault


class Tally:
    """The results of a series, agent by agent."""

    def __init__(self, names: Sequence[str]) -> None:
        self.lines = [Line(name) for name in names]
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
            line.moves += len(times)
            line.wall += sum(times)
            line.slowest = max([line.slowest, *times])
        faults = [fault for fault in record.faults() if fault.fault in _COUNTED]
        for found in faults:
            line = seated[found.seat]
            if not line.faults:
                line.evidence = first_line(found.evidence)
            line.faults[found.fault] += 1
        for seat, fault in {(found.seat, found.fault): None for found in faults}:
            seated[seat].faulty[fault] += 1

    def counts(self) -> Counts:
        """Wins, ties, losses and points of each agent from each seat."""
        once = np.ones(self.episodes, np.int64)
        return counts(placings(self._seatings, self._scores, once, once), len(self.lines))

    def stopped(self) -> str:
        """A sentence on episodes that stopped at the limit of plies; empty if none did."""
        stopped = self._endings[Ending.PLIES]
        return f"{stopped:,} of {self.episodes:,} stopped at the limit of plies." if stopped else ""

    def faults(self) -> list[str]:
        """A sentence for each agent with faults."""
        return [f"{line.name} {listing(_faults(line))}{_first(line)}." for line in self.lines if line.faults]


def _faults(line: Line) -> list[str]:
    told = []
    for fault, episodes in line.faulty.items():
        times = line.faults[fault]
        often = f" {times:,} times" if times > episodes else ""
        told.append(f"{fault.did}{often} in {plural(episodes, 'episode')}")
    return told


def _first(line: Line) -> str:
    return f", first: {line.evidence}" if line.evidence else ""
