"""Histograms of nanoseconds in logarithmic buckets: sixteen an octave, so that a quantile is within 2.2 %.

A packed histogram holds only buckets that are not empty, at six bytes each; the concatenation of packed histograms is
the packed form of their sum.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

_BUCKETS_AN_OCTAVE = 16
BUCKETS = 63 * _BUCKETS_AN_OCTAVE
"""Number of buckets, for all values of 63 bits; the first one also holds 0."""

ENTRY = np.dtype([("bucket", "<u2"), ("count", "<u4")])
"""One bucket of a packed histogram."""

Counts = NDArray[np.int64]


def buckets(values: ArrayLike) -> NDArray[np.int64]:
    """The bucket of each value."""
    return (np.log2(np.maximum(values, 1)) * _BUCKETS_AN_OCTAVE).astype(np.int64).clip(max=BUCKETS - 1)


def counts(values: ArrayLike) -> Counts:
    """The number of values in each bucket."""
    return np.bincount(buckets(values), minlength=BUCKETS)


def pack(counts: Counts) -> bytes:
    """The bytes of a histogram."""
    filled = np.flatnonzero(counts)
    entries = np.empty(len(filled), ENTRY)
    entries["bucket"], entries["count"] = filled, counts[filled]
    return entries.tobytes()


def unpack(data: bytes) -> Counts:
    """Restore a histogram from its bytes."""
    entries = np.frombuffer(data, ENTRY)
    # Sums of weights are floats, exact up to 2⁵³.
    return np.bincount(entries["bucket"], entries["count"], BUCKETS).astype(np.int64)


def quantiles(packed: Sequence[bytes], shares: Sequence[float]) -> NDArray[np.float64]:
    """The values below which these shares of the values lie, interpolated: a row for each packed histogram.

    Without values they are nan.
    """
    entries = np.frombuffer(b"".join(packed), ENTRY)
    group = np.repeat(np.arange(len(packed)), [len(data) // ENTRY.itemsize for data in packed])
    entries = entries[np.lexsort((entries["bucket"], group))]
    totals = np.bincount(group, entries["count"], len(packed)).astype(np.int64)
    before = np.cumsum(totals) - totals
    filled = totals > 0
    places = np.outer(totals[filled] - 1, shares)
    counted = np.cumsum(entries["count"], dtype=np.int64)

    def value(ranks: NDArray[np.float64]) -> NDArray[np.float64]:
        found = np.searchsorted(counted, ranks + before[filled, None], side="right")
        values: NDArray[np.float64] = 2.0 ** ((entries["bucket"][found] + 0.5) / _BUCKETS_AN_OCTAVE)
        return values

    low, high = value(np.floor(places)), value(np.ceil(places))
    result = np.full((len(packed), len(shares)), np.nan)
    result[filled] = low + (high - low) * (places - np.floor(places))
    return result
