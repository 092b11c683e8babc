"""Resources used by processes so far, and their threads' waits for a core, as the system reports them."""

import os
import sys
import time
from collections.abc import Iterable
from os import pread
from typing import NamedTuple

import psutil

from ludus.episode.waiting import waited_in

PAGE = os.sysconf("SC_PAGE_SIZE")
"""Size of a memory page in bytes."""
_MOST_OPEN = 100
_MOST_THREADS = 200  # threads whose waiting is counted
_LONG = 3_000_000  # nanoseconds of a move after which all threads are read
_AS_OF = 1_000_000  # nanoseconds for which a thread's waiting time counts as unchanged
_TICK = 10**9 // os.sysconf("SC_CLK_TCK")
# Places in /proc/PID/stat, counted from the state, which follows the name.
_STATE, _CUTIME, _CSTIME, _RESIDENT = 0, 13, 14, 21


class Usage(NamedTuple):
    """The use of one process: nanoseconds of CPU, bytes of memory, and True if the process still runs.

    The CPU time includes that of the children it waited for (`reaped`, known on Linux only).
    """

    cpu: int
    reaped: int
    memory: int
    runs: bool


class Files:
    """Files of `/proc` that are read again and again: the first hundred stay open, which saves most of the time."""

    def __init__(self) -> None:
        self._open: dict[str, int] = {}

    def descriptor(self, path: str) -> int:
        """The descriptor of a file, open as long as its process is kept; -1 if there is no such file."""
        if path not in self._open:
            try:
                self._open[path] = os.open(f"/proc/{path}", os.O_RDONLY)
            except OSError:
                return -1
        return self._open[path]

    def read(self, path: str) -> bytes:
        """Read up to 4 KiB of a file; nothing once its process or thread is gone."""
        try:
            if path in self._open or len(self._open) < _MOST_OPEN:
                return os.pread(self.descriptor(path), 4096, 0)
            with open(f"/proc/{path}", "rb", buffering=0) as file:
                return file.read(4096)
        except OSError:
            if path in self._open:
                os.close(self._open.pop(path))
            return b""

    def keep(self, pids: Iterable[int], threads: Iterable[str]) -> None:
        """Close all files except those of these processes and threads."""
        pids, threads = set(pids), set(threads)
        for path in list(self._open):
            pid, _, name = path.partition("/")
            if int(pid) not in pids or (name.startswith("task/") and path not in threads):
                os.close(self._open.pop(path))

    def close(self) -> None:
        """Close all files."""
        self.keep((), ())


def clock_of(pid: int) -> int:
    """The clock of a process's CPU time, for `time.clock_gettime_ns`; on Linux only."""
    return (~pid << 3) | 2


if sys.platform == "linux":

    def usage(files: Files, pid: int) -> Usage | None:
        """The use of a process so far, or None if the process is gone."""
        fields = files.read(f"{pid}/stat").rpartition(b")")[2].split()
        try:
            reaped = (int(fields[_CUTIME]) + int(fields[_CSTIME])) * _TICK
            cpu = time.clock_gettime_ns(clock_of(pid)) + reaped
        except (OSError, IndexError):
            return None
        return Usage(cpu, reaped, int(fields[_RESIDENT]) * PAGE, fields[_STATE] not in b"ZX")

else:

    def usage(files: Files, pid: int) -> Usage | None:
        """The use of a process so far, or None if the process is gone."""
        try:
            process = psutil.Process(pid)
            with process.oneshot():
                times = process.cpu_times()
                runs = process.status() != psutil.STATUS_ZOMBIE
                cpu = round((times.user + times.system) * 1e9)
                return Usage(cpu, 0, process.memory_info().rss, runs)
        except psutil.Error:
            return None


def written(files: Files, pid: int) -> tuple[int, int]:
    """Bytes sent to a disk, and bytes written anywhere, by a process and the children it waited for.

    Both are 0 if the system does not report them.
    """
    text = files.read(f"{pid}/io")
    to_disk, anywhere = (text.partition(name)[2].partition(b"\n")[0] for name in (b"\nwrite_bytes: ", b"\nwchar: "))
    return int(to_disk or 0), int(anywhere or 0)


def peak(files: Files, pid: int) -> int:
    """The most bytes that a process ever held; 0 if the system does not report it."""
    found = files.read(f"{pid}/status").partition(b"\nVmHWM:")[2]
    return int(found.split(None, 1)[0]) << 10 if found else 0


def fair_share(pid: int) -> int:
    """Bytes of memory of a process, with shared ones divided among the sharing processes; slow, and on Linux only."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return int(file.read().partition(b"\nPss:")[2].split(None, 1)[0]) << 10
    except (OSError, IndexError):
        return 0


def thread_files(pid: int) -> list[str]:
    """Files whose second number is the time in nanoseconds that a thread of this process has waited for a core."""
    try:
        return [f"{pid}/task/{thread}/schedstat" for thread in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


class ThreadWaits:
    """Times for which the threads of a bot wait for a core, move by move.

    With several threads, most sleep all the time: only those that were active lately are read for each move, and all of
    them if the move was long. Moves below a millisecond are not measured, because that would take longer than
    everything else that is measured.
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
        """The moment after which a move must not begin without `begin`."""

    def learn(self, threads: Iterable[str]) -> None:
        """Note the files of all threads."""
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
        self._last = {thread: waited_in(text) for thread, text in texts.items()}

    def begin(self, now: int) -> None:
        """Begin a move now."""
        self.due = now + _AS_OF
        if len(self._threads) > 1:
            self._before = {**self._last, **self._read(self._busy)}
        elif self._of_main >= 0:
            self._before_of_main = int(pread(self._of_main, 64, 0).split(None, 2)[1])

    def end(self, took: int) -> int:
        """End a move that took this long; return the longest time, in nanoseconds, that a thread waited in it."""
        self.due = 0
        if len(self._threads) > 1:
            now = self._read(self._threads if took > _LONG else self._busy)
            waits = [waited - self._before.get(thread, 0) for thread, waited in now.items()]
            return min(took, max([0, *waits]))
        if self._of_main < 0:
            return 0
        # This may include waits in short moves before this one.
        return min(took, int(pread(self._of_main, 64, 0).split(None, 2)[1]) - self._before_of_main)

    def _read(self, threads: list[str]) -> dict[str, int]:
        return {thread: waited_in(self._files.read(thread)) for thread in threads}
