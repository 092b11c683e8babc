"""What one process has used so far, as the system tells it."""

import os
import sys
import time
from collections.abc import Iterable
from typing import NamedTuple

import psutil

PAGE = os.sysconf("SC_PAGE_SIZE")
"""Bytes."""
_MOST_OPEN = 100
_TICK = 10**9 // os.sysconf("SC_CLK_TCK")
# Places in /proc/PID/stat, counted from the state, which follows the name.
_STATE, _CUTIME, _CSTIME, _RESIDENT = 0, 13, 14, 21


class Usage(NamedTuple):
    """Of one process: nanoseconds of CPU, bytes that it holds, and whether it still runs.

    The CPU includes that of the children which it waited for (`reaped`, which Linux alone tells).
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
        """That of a file, open as long as its process is kept; -1 if there is no such file."""
        if path not in self._open:
            try:
                self._open[path] = os.open(f"/proc/{path}", os.O_RDONLY)
            except OSError:
                return -1
        return self._open[path]

    def read(self, path: str) -> bytes:
        """What a file holds now, to 4 KiB; nothing once its process or thread is gone."""
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
        """Close all but those of these processes, and of their threads these."""
        pids, threads = set(pids), set(threads)
        for path in list(self._open):
            pid, _, name = path.partition("/")
            if int(pid) not in pids or (name.startswith("task/") and path not in threads):
                os.close(self._open.pop(path))

    def close(self) -> None:
        """Close them all."""
        self.keep((), ())


def clock_of(pid: int) -> int:
    """The clock that counts the CPU time of a process, for `time.clock_gettime_ns`; Linux alone has it."""
    return (~pid << 3) | 2


if sys.platform == "linux":

    def usage(files: Files, pid: int) -> Usage | None:
        """What a process has used, or None if it is gone."""
        fields = files.read(f"{pid}/stat").rpartition(b")")[2].split()
        try:
            reaped = (int(fields[_CUTIME]) + int(fields[_CSTIME])) * _TICK
            cpu = time.clock_gettime_ns(clock_of(pid)) + reaped
        except (OSError, IndexError):
            return None
        return Usage(cpu, reaped, int(fields[_RESIDENT]) * PAGE, fields[_STATE] not in b"ZX")

else:

    def usage(files: Files, pid: int) -> Usage | None:
        """What a process has used, or None if it is gone."""
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
    """The bytes that a process and the children it has waited for sent to a disk, and those they wrote to anything.

    Where the system does not tell, there are none.
    """
    text = files.read(f"{pid}/io")
    to_disk, anywhere = (text.partition(name)[2].partition(b"\n")[0] for name in (b"\nwrite_bytes: ", b"\nwchar: "))
    return int(to_disk or 0), int(anywhere or 0)


def peak(files: Files, pid: int) -> int:
    """The most bytes that a process ever held, where the system tells."""
    found = files.read(f"{pid}/status").partition(b"\nVmHWM:")[2]
    return int(found.split(None, 1)[0]) << 10 if found else 0


def fair_share(pid: int) -> int:
    """Bytes that a process holds, where those it shares with others are divided among them; slow, and Linux alone."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return int(file.read().partition(b"\nPss:")[2].split(None, 1)[0]) << 10
    except (OSError, IndexError):
        return 0


def thread_files(pid: int) -> list[str]:
    """The files whose second number is how many nanoseconds a thread of this process has waited for a core."""
    try:
        return [f"{pid}/task/{thread}/schedstat" for thread in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []
