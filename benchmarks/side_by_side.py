"""What the benchmark programs share: a fair comparison in one run, and how it is printed.

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

import numpy as np

from ludus.cli.bench import Row, number, show

__all__ = ["Row", "compare", "main", "new_scores", "per_second", "pin"]

TURNS = 5
SECONDS = 0.3
"""Of each turn, about."""


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
        print(f"{row.name}: {number(row.ludus)} {row.unit}", file=sys.stderr, flush=True)
        rows.append(row)
    show(title, rows)


def new_scores() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Room for the scores of a playout."""
    return np.zeros(8)
