"""Histograms of nanoseconds in logarithmic buckets: sixteen an octave, so that a quantile is within 2.2 %.

A packed histogram holds only buckets that are not empty, at six bytes each; the concatenation of packed histograms is
the packed form of their sum.
"""

from collections.abc import Iterable

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


def merge(packed: Iterable[bytes]) -> Counts:
    """The sum of packed histograms."""
    return unpack(b"".join(packed))


def quantile(counts: Counts, q: float) -> float:
    """The value below which a share q of the values lies, interpolated; nan without values."""
    total = int(counts.sum())
    if total == 0:
        return float("nan")
    place = q * (total - 1)
    ranks = np.array([np.floor(place), np.ceil(place)])
    found = np.searchsorted(np.cumsum(counts), ranks, side="right")
    low, high = 2.0 ** ((found + 0.5) / _BUCKETS_AN_OCTAVE)
    return float(low + (high - low) * (place - ranks[0]))
