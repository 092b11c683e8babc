"""The monotonic clock inside compiled code, and a watch that reads it only as often as necessary."""

import sys
import time

import numpy as np
from numba import types
from numpy.typing import NDArray

from ludus.core.errors import LudusError
from ludus.kernel.jit import compiled, stays_compiled

_MONOTONIC = {"linux": 1, "darwin": 6}
if sys.platform not in _MONOTONIC:
    raise LudusError(f"Ludus needs the POSIX clock, which {sys.platform} lacks: use Linux, macOS or WSL.")
_CLOCK = np.int32(_MONOTONIC[sys.platform])
_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.intp))

FOREVER = 2**62
"""A deadline that never comes."""

_DEADLINE, _COUNTDOWN, _INTERVAL, _LAST_READ, _TIMESPEC = range(5)  # fields of a watch


@stays_compiled
@compiled
def read_clock(clock: int, timespec: NDArray[np.int64]) -> int:
    """Nanoseconds on a system clock, for example that of a process; `timespec` is a scratch int64[2]."""
    _gettime(np.int32(clock), timespec.ctypes.data)
    return timespec[0] * 1_000_000_000 + timespec[1]


@stays_compiled
@compiled
def now(timespec: NDArray[np.int64]) -> int:
    """Nanoseconds on the clock of `time.monotonic_ns`; `timespec` is a scratch int64[2]."""
    return read_clock(_CLOCK, timespec)


def new_watch(deadline: int) -> NDArray[np.int64]:
    """A watch for `expired`; `deadline` is a moment of `time.monotonic_ns`, or FOREVER."""
    watch = np.zeros(6, np.int64)
    watch[_DEADLINE] = deadline
    watch[_INTERVAL] = 1
    watch[_COUNTDOWN] = FOREVER if deadline >= FOREVER else 1
    watch[_LAST_READ] = time.monotonic_ns()
    return watch


@stays_compiled
@compiled
def expired(watch: NDArray[np.int64]) -> bool:
    """True if the deadline has passed; call it for each node.

    The clock is read after an adaptive number of calls, every 20 to 80 µs: a node costs from nanoseconds (Connect Four)
    to milliseconds (an interpreted game).
    """
    watch[_COUNTDOWN] -= 1
    if watch[_COUNTDOWN] > 0:
        return False
    moment = now(watch[_TIMESPEC:])
    elapsed = moment - watch[_LAST_READ]
    if elapsed < 20_000:
        watch[_INTERVAL] *= 2
    elif elapsed > 80_000 and watch[_INTERVAL] > 1:
        watch[_INTERVAL] //= 2
    watch[_LAST_READ] = moment
    watch[_COUNTDOWN] = watch[_INTERVAL]
    return moment >= watch[_DEADLINE]
