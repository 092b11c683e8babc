"""Waiting for a core, by this thread or by another process; only Linux measures it."""

import os
import resource
import sys
import threading
import weakref
from os import pread
from time import process_time_ns

SHORT = 1_000_000
"""Nanoseconds of a move below which waiting is not measured: that would be a third of the cost of an instant move."""


class _OwnFile(threading.local):
    """The scheduling file of each thread, kept open, which saves most of the time."""

    def __init__(self) -> None:
        try:
            self.descriptor = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self.descriptor = -1
        else:
            weakref.finalize(threading.current_thread(), os.close, self.descriptor).atexit = False


_own_file = _OwnFile()


def waited_by_me() -> int:
    """Nanoseconds for which this thread has waited for a core since its start; 0 if the system does not report it."""
    descriptor = _own_file.descriptor
    return waited_in(pread(descriptor, 64, 0)) if descriptor >= 0 else 0


def waited_by(pid: int) -> int:
    """Nanoseconds for which the main thread of a process has waited for a core; 0 if the process is gone."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb", buffering=0) as file:
            return waited_in(file.read(64))
    except OSError:
        return 0


class OwnWait:
    """Time for which this thread waits for a core from now on, except for cores that its own process holds."""

    def __init__(self) -> None:
        self._waited, self._rests, self._all_cpu = waited_by_me(), _rests(), process_time_ns()

    def over(self, wall: int, cpu: int) -> int:
        """Nanoseconds of waiting in a move that took `wall` and had `cpu`."""
        # A thread that never rests computes or waits, even if a host takes the core from a virtual machine unnoticed.
        never_rested = self._rests is not None and _rests() == self._rests
        waited = wall - cpu if never_rested else waited_by_me() - self._waited
        by_others = process_time_ns() - self._all_cpu - cpu
        return min(wall, max(0, waited - by_others))


def _rests() -> int | None:
    """The number of times this thread gave up its core by itself; None if the system does not report it."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw if sys.platform == "linux" else None


def waited_in(schedstat: bytes) -> int:
    """The nanoseconds of waiting in a thread's file `schedstat`."""
    fields = schedstat.split(None, 2)
    return int(fields[1]) if len(fields) > 1 else 0
