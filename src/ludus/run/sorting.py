"""Insertion sorts of fewer and fewer numbers, timed by the clock that times moves."""

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from statistics import median
from time import perf_counter_ns

import numpy as np

from ludus.kernel.jit import compiled, entry
from ludus.kernel.state import Array
from ludus.stats.clock import ClockTest

LENGTHS = (3000, 2000, 1000, 750, 500, 400, 300, 200, 100)
SORTS = 75
_READINGS = 20_000


@compiled
def insertion_sort(numbers: Array) -> None:
    """Sort numbers in place, in a time that grows with the square of their count."""
    for end in range(1, len(numbers)):
        number = numbers[end]
        place = end
        while place > 0 and numbers[place - 1] > number:
            numbers[place] = numbers[place - 1]
            place -= 1
        numbers[place] = number


def measured_clock(
    lengths: Sequence[int] = LENGTHS, sorts: int = SORTS, watch: Callable[[], None] = lambda: None
) -> ClockTest:
    """Measure the clock of this machine; `watch` is called after the sorts of each length.

    Every sort of a length sorts the same numbers, from the same order.
    """
    tick, reading = _readings()
    shuffled = np.array(random.Random(0).sample(range(max(lengths)), max(lengths)), np.int64)
    sort = entry(insertion_sort, shuffled)
    times: dict[int, list[int]] = {}
    for length in lengths:
        work = shuffled[:length].copy()
        sort(work)  # not timed: the first sort of a length finds cold caches
        times[length] = []
        for _ in range(sorts):
            work[:] = shuffled[:length]
            began = perf_counter_ns()
            sort(work)
            times[length].append(perf_counter_ns() - began)
        watch()
    return ClockTest(datetime.now(UTC), tick, reading, times)


def _readings() -> tuple[int, int]:
    """The smallest step between two readings of the clock, and the median time of a reading."""
    readings = [perf_counter_ns() for _ in range(_READINGS)]
    steps = [after - before for before, after in pairwise(readings)]
    return min(step for step in steps if step), round(median(steps))
