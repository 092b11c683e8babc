"""The clock of this machine: its tick, and the shortest interval that it times reliably, kept in the data folder.

Insertion sorts of fewer and fewer numbers take shorter and shorter times. As long as the clock serves, equal sorts take
about equal times.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from ludus.core.paths import data_folder, file_errors, write_file

if TYPE_CHECKING:
    import polars as pl

RELIABLE = 0.1
"""Relative error, outliers left out, up to which a time counts as reliable."""
_BEYOND = 1.5
"""Times beyond this many interquartile ranges from the quartiles are outliers, as in a box plot."""


class ClockTest(msgspec.Struct, frozen=True):
    """A measurement of the clock. Times are nanoseconds."""

    measured: datetime
    tick: int
    """The smallest step between two readings."""
    reading: int
    """The median time that a reading takes."""
    sorts: dict[int, list[int]]
    """The times of the sorts by the number of sorted numbers, the longest first."""

    @property
    def reliable(self) -> int | None:
        """The shortest reliable time: the shortest median of sorts that take about equal times, and many readings.

        Few ticks would make times equal that are not. None if no sort was reliable.
        """
        import polars as pl  # slow, and not needed where nothing was measured

        least = max(self.tick, self.reading) / RELIABLE
        kept = errors(self.sorts).filter(pl.col("kept_error") <= RELIABLE, pl.col("median") >= least)
        return round(kept["median"].min()) if len(kept) else None  # type: ignore[arg-type]

    @property
    def shortest(self) -> float:
        """The shortest median of the sorts, reliable or not."""
        return min(float(np.median(times)) for times in self.sorts.values())


def errors(sorts: Mapping[int, Sequence[int]]) -> "pl.DataFrame":
    """Length by length: numbers, sorts, mean, deviation, error (deviation / mean), outliers, kept_error (without them).

    Also fastest, q1, median, q3 and slowest. Times are nanoseconds.
    """
    import polars as pl

    rows = []
    for numbers, times in sorts.items():
        taken = np.asarray(times, np.float64)
        low, q1, median, q3, high = np.quantile(taken, [0, 0.25, 0.5, 0.75, 1])
        reach = _BEYOND * (q3 - q1)
        kept = taken[(taken >= q1 - reach) & (taken <= q3 + reach)]
        rows.append(
            {
                "numbers": numbers,
                "sorts": len(taken),
                "mean": taken.mean(),
                "deviation": taken.std(ddof=1),
                "error": taken.std(ddof=1) / taken.mean(),
                "outliers": len(taken) - len(kept),
                "kept_error": kept.std(ddof=1) / kept.mean(),
                "fastest": low,
                "q1": q1,
                "median": median,
                "q3": q3,
                "slowest": high,
            }
        )
    return pl.DataFrame(rows)


# --- Kept -------------------------------------------------------------------------------------------------------------


def keep_clock(clock: ClockTest) -> Path:
    """Write a measurement into the data folder, in place of the last one; the file."""
    file = _file()
    with file_errors(file, "written"):
        file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, msgspec.json.encode(clock))
    _kept.cache_clear()
    return file


def kept_clock() -> ClockTest | None:
    """The last measurement on this machine; none before 'ludus study clock'."""
    return _kept(_file())


def shortest_reliable() -> int:
    """Nanoseconds from which this machine's times are reliable; 0 if it is not known."""
    clock = kept_clock()
    return 0 if clock is None else clock.reliable or 0


@cache
def _kept(file: Path) -> ClockTest | None:
    with suppress(OSError, msgspec.MsgspecError):  # a measurement of another version is as good as none
        return msgspec.json.decode(file.read_bytes(), type=ClockTest)
    return None


def _file() -> Path:
    return data_folder() / "clock.json"
