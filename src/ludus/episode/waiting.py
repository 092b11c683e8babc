"""How long threads have waited for a core, which Linux alone tells: those of a bot, this one, that of a worker."""

import os
import resource
import sys
import threading
import weakref
from collections.abc import Iterable
from os import pread

from ludus.episode.usage import Files

_MOST_THREADS = 200  # that are counted
SHORT = 1_000_000
"""Nanoseconds of a move whose waiting does not matter: it is not asked for."""
_LONG = 3_000_000  # nanoseconds of one for which all threads are asked
_AS_OF = 1_000_000  # nanoseconds for which what a thread has waited so far is taken to be the same


class Waiting:
    """Counts those of a bot for one move after the other.

    Where there are several threads, most sleep all the time: only those that lately did something are read for each
    move, and all of them if the move was long. Nobody is asked about moves below a millisecond, since asking takes
    longer than all else that is measured.
    """

    def __init__(self, files: Files, main: int) -> None:
        self._files = files
        self._main = f"{main}/task/{main}/schedstat"
        self._of_main = files.descriptor(f"{main}/schedstat")
        self._threads: list[str] = []
        self._busy: list[str] = []
        self._texts: dict[str, bytes] = {}
        self._last: dict[str, int] = {}
        self._before: dict[str, int] = {}
        self._before_of_main = 0
        self.due = 0
        """The moment from which on a move must not begin without `begin`."""

    def learn(self, threads: Iterable[str]) -> None:
        """These are the files of all threads now."""
        had_several = len(self._threads) > 1
        self._threads = list(threads)[:_MOST_THREADS]
        if len(self._threads) <= 1:
            if had_several:
                self._before_of_main = self._before.get(self._main, 0)
            return
        if not had_several:
            self._before = {self._main: self._before_of_main}
        texts = {thread: self._files.read(thread) for thread in self._threads}
        self._busy = [thread for thread, text in texts.items() if text != self._texts.get(thread)]
        self._texts = texts
        self._last = {thread: _waited(text) for thread, text in texts.items()}

    def begin(self, now: int) -> None:
        """A move begins now."""
        self.due = now + _AS_OF
        if len(self._threads) > 1:
            self._before = {**self._last, **self._read(self._busy)}
        elif self._of_main >= 0:
            self._before_of_main = int(pread(self._of_main, 64, 0).split(None, 2)[1])

    def end(self, took: int) -> int:
        """It is over and took so long: the nanoseconds that one of the threads waited in it, the most of any."""
        self.due = 0
        if len(self._threads) > 1:
            now = self._read(self._threads if took > _LONG else self._busy)
            waits = [waited - self._before.get(thread, 0) for thread, waited in now.items()]
            return min(took, max([0, *waits]))
        if self._of_main < 0:
            return 0
        # What it waited in short moves before this one may be among it.
        return min(took, int(pread(self._of_main, 64, 0).split(None, 2)[1]) - self._before_of_main)

    def _read(self, threads: list[str]) -> dict[str, int]:
        return {thread: _waited(self._files.read(thread)) for thread in threads}


class _OwnFile(threading.local):
    """Of each thread, the file that tells of it: it stays open, which saves most of the time."""

    def __init__(self) -> None:
        try:
            self.descriptor = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self.descriptor = -1
        else:
            weakref.finalize(threading.current_thread(), os.close, self.descriptor).atexit = False


_own_file = _OwnFile()


def waited_by_me() -> int:
    """Nanoseconds that this thread has waited for a core since it began; 0 where the system does not tell."""
    descriptor = _own_file.descriptor
    return _waited(pread(descriptor, 64, 0)) if descriptor >= 0 else 0


def waited_by(pid: int) -> int:
    """The same of the main thread of a process; 0 if it is gone."""
    try:
        with open(f"/proc/{pid}/schedstat", "rb", buffering=0) as file:
            return _waited(file.read(64))
    except OSError:
        return 0


def rests_of_mine() -> int | None:
    """How often this thread gave up its core by itself; None where the system does not tell."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw if sys.platform == "linux" else None


def _waited(schedstat: bytes) -> int:
    fields = schedstat.split(None, 2)
    return int(fields[1]) if len(fields) > 1 else 0
