"""Tags that mark a bot's processes, wherever they went.

A tag is a value of RLIMIT_LOCKS, a limit that Linux keeps for every process and has long ceased to enforce. Every
process inherits it, through new sessions, double forks and cleared environments, and a zombie still has it. Reading it
takes a third of the time of reading `/proc/PID/stat`. Other systems have no tags.

As a program, this is the guardian of a process that starts bots: when that process is gone, it kills all processes with
its tags. It needs the standard library alone, so that it is small and starts quickly.
"""

import contextlib
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator

MOST = 1 << 24
"""Number of tags of one starting process; they begin at a multiple of this."""

_RLIMIT_LOCKS = 10  # the module resource lacks a name for it
_PATIENCE = 10.0  # seconds before the guardian gives up on processes that cannot be killed
_LOOKS = (0.0, 0.02, 0.1)  # seconds before each look of the guardian; processes just being started show up late

if sys.platform == "linux":

    @contextlib.contextmanager
    def tagging(tag: int) -> Iterator[bool]:
        """Tag all processes started meanwhile; yields False if that is impossible."""
        before, most = resource.getrlimit(_RLIMIT_LOCKS)
        try:
            resource.setrlimit(_RLIMIT_LOCKS, (tag, most))
        except (OSError, ValueError):
            yield False
            return
        try:
            yield True
        finally:
            resource.setrlimit(_RLIMIT_LOCKS, (before, most))

    def tagged(first: int, last: int) -> list[int]:
        """Processes with a tag from the first to the last, newest first, since those may end soonest."""
        found = []
        prlimit = resource.prlimit
        for name in reversed(os.listdir("/proc")):
            if name.isdigit():
                try:
                    if first <= prlimit(int(name), _RLIMIT_LOCKS)[0] <= last:
                        found.append(int(name))
                except OSError:  # it has ended, or belongs to another user
                    continue
        return found

else:

    @contextlib.contextmanager
    def tagging(tag: int) -> Iterator[bool]:
        """Tags do not exist on this system."""
        yield False

    def tagged(first: int, last: int) -> list[int]:
        """No processes, because this system has no tags."""
        return []


def _guard(first: int) -> None:
    """Wait until standard input ends, that is, until all holders of its other end are gone; then kill."""
    os.read(0, 1)
    give_up = time.monotonic() + _PATIENCE
    for pause in _LOOKS:
        time.sleep(pause)
        while (found := [pid for pid in tagged(first, first + MOST - 1) if runs(pid)]) and time.monotonic() < give_up:
            for pid in found:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)


def runs(pid: int) -> bool:
    """True if a process is more than a zombie, which its parent has to reap."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


if __name__ == "__main__":
    _guard(int(sys.argv[1]))
