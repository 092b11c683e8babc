"""Results of a series of episodes, added up for each agent."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from ludus.cli.screen import table
from ludus.core.text import first_line, listing, percent, plural, spoken, spoken_time
from ludus.episode.finished import walls
from ludus.episode.record import Ending, Fault, Record
from ludus.stats.placings import Counts, counts, placings

_COUNTED = (Fault.ILLEGAL, Fault.LATE, Fault.FAILED)


@dataclass
class Line:
    """What is known of one agent besides its places."""

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
        self._lines = [Line(name) for name in names]
        self._endings: Counter[Ending] = Counter()
        self._seatings: list[Sequence[int]] = []
        self._scores: list[list[float]] = []

    def add(self, record: Record, seating: Sequence[int]) -> None:
        """Add an episode; seating[i] is the number of the agent at seat i."""
        self._endings[record.ending] += 1
        self._seatings.append(seating)
        self._scores.append(record.scores)
        seated = [self._lines[agent] for agent in seating]
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

    def render(self) -> RenderableType:
        """The tables: results and times, and results by seat where seats rotated."""
        parts: list[RenderableType] = [self._alone() if len(self._lines) == 1 else self._together()]
        if len(self._lines) > 1 and self._episodes >= len(self._lines):
            parts += ["", self._seats()]
        notes = self._notes()
        return Group(*parts, *([""] if notes else []), *notes)

    @property
    def _episodes(self) -> int:
        return self._endings.total()

    def _counts(self) -> Counts:
        once = np.ones(self._episodes, np.int64)
        return counts(placings(self._seatings, self._scores, once, once), len(self._lines))

    def _together(self) -> RenderableType:
        columns = ["won", "tied", "lost", "score", "points", "moves", "mean", "slowest"]
        shown = table("agent", *columns, right=columns)
        found = self._counts()
        results = zip(found.wins.sum(1), found.ties.sum(1), found.losses.sum(1), found.points.sum(1), strict=True)
        for line, (wins, ties, losses, points) in zip(self._lines, results, strict=True):
            shown.add_row(
                Text(line.name, "bold"),
                f"{wins:,}",
                f"{ties:,}",
                f"{losses:,}",
                percent(points / self._episodes),
                f"{statistics.fmean(line.scores):+.2f}",
                *_pace(line),
            )
        return shown

    def _alone(self) -> RenderableType:
        columns = ["mean points", "median", "best", "moves", "mean", "slowest"]
        shown = table("agent", *columns, right=columns)
        for line in self._lines:
            points = [statistics.fmean(line.scores), statistics.median(line.scores), max(line.scores)]
            shown.add_row(Text(line.name, "bold"), *map(spoken, points), *_pace(line))
        return shown

    def _seats(self) -> RenderableType:
        seats = [f"as player {seat}" for seat in range(1, len(self._lines) + 1)]
        shown = table("won–tied–lost", *seats, right=seats)
        found = self._counts()
        for line, *results in zip(self._lines, found.wins, found.ties, found.losses, strict=True):
            shown.add_row(Text(line.name, "bold"), *("–".join(map(str, seat)) for seat in zip(*results, strict=True)))
        return shown

    def _notes(self) -> list[Text]:
        notes = []
        if self._endings[Ending.PLIES]:
            notes.append(Text(f"{self._endings[Ending.PLIES]:,} of {self._episodes:,} stopped at the limit of plies."))
        for line in self._lines:
            if line.faults:
                first = f", first: {line.evidence}" if line.evidence else ""
                notes.append(Text(f"{line.name} {listing(_faults(line))}{first}.", "yellow"))
        return notes


def _faults(line: Line) -> list[str]:
    told = []
    for fault, episodes in line.faulty.items():
        times = line.faults[fault]
        often = f" {times:,} times" if times > episodes else ""
        told.append(f"{fault.did}{often} in {plural(episodes, 'episode')}")
    return told


def _pace(line: Line) -> tuple[str, str, str]:
    if not line.moves:
        return "0", "–", "–"
    return f"{line.moves:,}", spoken_time(line.wall / line.moves), spoken_time(line.slowest)
