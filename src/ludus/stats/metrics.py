"""What agents report of their moves, as figures."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

_TYPES = {
    "agent": pl.String,
    "metric": pl.String,
    "moves": pl.Int64,
    "mean": pl.Float64,
    "median": pl.Float64,
    "lowest": pl.Float64,
    "highest": pl.Float64,
}


def numeric(metrics: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Those metrics of a move that are numbers."""
    for name, value in metrics.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield name, float(value)


def metrics(reported: Mapping[tuple[str, str], ArrayLike]) -> pl.DataFrame:
    """Figures of the values that each agent and metric has: agent, metric, moves, mean, median, lowest, highest.

    A value that is not finite counts among the moves alone.
    """
    rows = []
    for (agent, metric), values in reported.items():
        found = np.asarray(values, np.float64)
        finite = found[np.isfinite(found)]
        figures = (finite.mean(), np.median(finite), finite.min(), finite.max()) if len(finite) else (None,) * 4
        rows.append((agent, metric, len(found), *figures))
    return pl.DataFrame(rows, _TYPES, orient="row")
