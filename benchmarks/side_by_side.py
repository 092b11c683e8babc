"""The base of all benchmark programs: a fair comparison in one run, and its output.

Ludus and its peer take turns on one core, so that both see the same machine; the ratio is the median over the turns.
"""

import argparse
import dataclasses
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from ludus.cli.screen import output, table

TURNS = 5
SECONDS = 0.3
"""Of each turn, about."""


@dataclass(frozen=True)
class Row:
    """One comparison; `goal` is for the ratio, or for Ludus alone where there is no peer."""

    name: str
    ludus: float
    peer: float | None
    unit: str
    ratio: float | None
    goal: float | None = None
    peer_name: str = ""
    less_is_better: bool = False

    @property
    def reached(self) -> bool | None:
        """True if the goal is reached; None without a goal."""
        value = self.ludus if self.ratio is None else self.ratio
        return None if self.goal is None else (value <= self.goal if self.less_is_better else value >= self.goal)


def compare(
    name: str,
    ludus: Callable[[], float],
    peer: Callable[[], float],
    unit: str,
    peer_name: str,
    goal: float | None = None,
    turns: int = TURNS,
    less_is_better: bool = False,
) -> Row:
    """Let both take turns; each call measures once and returns its figure."""
    ludus(), peer()  # warm up
    figures = [(ludus(), peer()) for _ in range(turns)]
    ours, theirs = (statistics.median(column) for column in zip(*figures, strict=True))
    ratio = statistics.median(one / other for one, other in figures)
    return Row(name, ours, theirs, unit, ratio, goal, peer_name, less_is_better)


def per_second(work: Callable[[int], object], least: int = 1) -> Callable[[], float]:
    """A measurement of how many times a second `work` is done; work(n) does it n times."""
    n = least

    def measure() -> float:
        nonlocal n
        while True:
            begin = time.perf_counter()
            work(n)
            spent = time.perf_counter() - begin
            if spent > SECONDS / 3:
                return n / spent
            n = max(2 * n, int(n * SECONDS / max(spent, 1e-6)))

    return measure


def pin() -> None:
    """Stay on one core, where the system lets us choose."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def main(title: str, measure: Callable[[], Iterable[Row]]) -> None:
    """Run a benchmark program: a table, or with --json a line of JSON for each row."""
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--json", action="store_true", help="one line of JSON for each row")
    if parser.parse_args().json:
        for row in measure():
            print(json.dumps(dataclasses.asdict(row)), flush=True)
        return
    rows = []
    for row in measure():
        print(f"{row.name}: {short(row.ludus)} {row.unit}", file=sys.stderr, flush=True)
        rows.append(row)
    show(title, rows)


def show(title: str, rows: Iterable[Row]) -> None:
    """Print rows as a table."""
    made = table("", "Ludus", "peer", "unit", "ratio", "goal", "beside", right=("Ludus", "peer", "ratio", "goal"))
    for row in rows:
        goal = ""
        if row.goal is not None:
            goal = f"{'≤' if row.less_is_better else '≥'} {row.goal:g} {'✓' if row.reached else '✗'}"
        ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
        made.add_row(row.name, short(row.ludus), short(row.peer), row.unit, ratio, goal, row.peer_name)
    if title:
        output().print(f"[bold]{title}[/]")
    output().print(made)


def short(value: float | None) -> str:
    """A figure in few digits."""
    return "" if value is None else f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def new_scores() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Room for the scores of a playout."""
    return np.zeros(8)
