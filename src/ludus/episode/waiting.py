"""Waiting for a core, by this thread or by another process; only Linux measures it."""

import os
import resource
import sys
import threading
import weakref
from os import pread
from time import process_time_ns

SHORT = 1_000_000
"""Nanoseconds of a move whose waiting is not asked for: asking would be a third of what an instant move costs."""


class _OwnFile(threading.local):
    """The file of each thread's scheduling, kept open, which saves most of the time."""

    def __init__(self) -> None:
        try:
            self.descriptor = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self.descriptor = -1
        else:
            weakref.finalize(threading.current_thread(), os.close, self.descriptor).atexit = False


_own_file = _OwnFile()


def waited_by_me() -> int:
    """Nanoseconds for which this thread has waited for a core since its start; 0 where the system does not tell."""
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
    """How long this thread waits for a core from here on, but for those that its own process has."""

    def __init__(self) -> None:
        self._waited, self._rests, self._all_cpu = waited_by_me(), _rests(), process_time_ns()

    def over(self, wall: int, cpu: int) -> int:
        """Nanoseconds, in a move that took so long and had so much CPU."""
        # Who never rests computes or waits, also where a host takes the core from a virtual machine, which is not told.
        never_rested = self._rests is not None and _rests() == self._rests
        waited = wall - cpu if never_rested else waited_by_me() - self._waited
        by_others = process_time_ns() - self._all_cpu - cpu
        return min(wall, max(0, waited - by_others))


def _rests() -> int | None:
    """How often this thread gave up its core by itself; None where the system does not tell."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw if sys.platform == "linux" else None


def waited_in(schedstat: bytes) -> int:
    """The nanoseconds of waiting that a file `schedstat` of a thread tells."""
    fields = schedstat.split(None, 2)
    return int(fields[1]) if len(fields) > 1 else 0
