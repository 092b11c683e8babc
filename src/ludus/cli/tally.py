"""Results of a series of episodes, added up for each agent."""

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.text import Text

from ludus.cli.screen import table
from ludus.core.text import first_line, listing, percent, plural, spoken, spoken_time
from ludus.episode.record import Ending, Fault, Record
from ludus.kernel.numbers import CHANCE

_COUNTED = (Fault.ILLEGAL, Fault.LATE, Fault.FAILED)


@dataclass
class Results:
    """Wins (alone at the top), ties (at the top with others) and losses."""

    wins: int = 0
    ties: int = 0
    losses: int = 0

    def add(self, scores: Sequence[float], seat: int) -> None:
        """Count one episode for the player of that seat."""
        best = max(scores)
        if scores[seat] < best:
            self.losses += 1
        elif scores.count(best) > 1:
            self.ties += 1
        else:
            self.wins += 1

    def __str__(self) -> str:
        return f"{self.wins}–{self.ties}–{self.losses}"


@dataclass
class Line:
    """What is known of one agent."""

    name: str
    seats: int
    results: Results = field(default_factory=Results)
    by_seat: list[Results] = field(init=False)
    points: list[float] = field(default_factory=list)
    share: float = 0.0  # of wins: a tie at the top counts for each its part
    moves: int = 0
    wall: int = 0
    slowest: int = 0
    faults: Counter[Fault] = field(default_factory=Counter)
    faulty: Counter[Fault] = field(default_factory=Counter)  # how many episodes had them
    evidence: str = ""  # of the first fault

    def __post_init__(self) -> None:
        self.by_seat = [Results() for _ in range(self.seats)]


class Tally:
    """The results of a series, agent by agent."""

    def __init__(self, names: Sequence[str]) -> None:
        self._lines = [Line(name, len(names)) for name in names]
        self._endings: Counter[Ending] = Counter()

    def add(self, record: Record, seating: Sequence[int]) -> None:
        """Add an episode; seating[i] is the number of the agent at seat i."""
        self._endings[record.ending] += 1
        best = max(record.scores)
        for seat, agent in enumerate(seating):
            line = self._lines[agent]
            line.results.add(record.scores, seat)
            line.by_seat[seat].add(record.scores, seat)
            line.points.append(record.scores[seat])
            if record.scores[seat] == best:
                line.share += 1 / record.scores.count(best)
        self._add_faults(record, seating)
        left_at = {fallen.seat: fallen.step for fallen in record.out}
        for number, step in enumerate(record.steps):
            for move in step:
                if move.seat == CHANCE or move.fault is Fault.QUIT or number > left_at.get(move.seat, number):
                    continue
                line = self._lines[seating[move.seat]]
                line.moves += 1
                line.wall += move.wall
                line.slowest = max(line.slowest, move.wall)

    def _add_faults(self, record: Record, seating: Sequence[int]) -> None:
        left_at = {fallen.seat: fallen.step for fallen in record.out}
        for seat, agent in enumerate(seating):
            made = record.seats[seat].preparation
            found = [(made.fault, made.evidence)] if made is not None else []
            found += [
                (move.fault, move.evidence)
                for number, step in enumerate(record.steps)
                for move in step
                if move.seat == seat and number <= left_at.get(seat, number)
            ]
            faults = [(fault, evidence) for fault, evidence in found if fault in _COUNTED]
            line = self._lines[agent]
            if faults and not line.faults:
                line.evidence = first_line(faults[0][1])
            line.faults.update(fault for fault, _ in faults)
            line.faulty.update({fault for fault, _ in faults})

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

    def _together(self) -> RenderableType:
        columns = ["won", "tied", "lost", "score", "points", "moves", "mean", "slowest"]
        shown = table("agent", *columns, right=columns)
        for line in self._lines:
            results = line.results
            shown.add_row(
                Text(line.name, "bold"),
                f"{results.wins:,}",
                f"{results.ties:,}",
                f"{results.losses:,}",
                percent(line.share / self._episodes),
                f"{statistics.fmean(line.points):+.2f}",
                *_pace(line),
            )
        return shown

    def _alone(self) -> RenderableType:
        columns = ["mean points", "median", "best", "moves", "mean", "slowest"]
        shown = table("agent", *columns, right=columns)
        for line in self._lines:
            points = [statistics.fmean(line.points), statistics.median(line.points), max(line.points)]
            shown.add_row(Text(line.name, "bold"), *map(spoken, points), *_pace(line))
        return shown

    def _seats(self) -> RenderableType:
        seats = [f"as player {seat}" for seat in range(1, len(self._lines) + 1)]
        shown = table("won–tied–lost", *seats, right=seats)
        for line in self._lines:
            shown.add_row(Text(line.name, "bold"), *map(str, line.by_seat))
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
