"""Tags by which a bot's processes are known, wherever they went.

A tag is a value of RLIMIT_LOCKS, a limit that Linux keeps for every process and has long ceased to enforce. Whatever a
process starts inherits it, through new sessions, double forks and cleared environments, and a zombie still has it. To
read it takes a third of the time that `/proc/PID/stat` takes. Other systems have no tags.

As a program, this is the guardian of a process that starts bots: when that one is gone, it kills what has its tags.
It needs the standard library alone, so that it is small and starts quickly.
"""

import contextlib
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator

MOST = 1 << 24
"""Tags of one starting process; they begin at a multiple of this."""

_RLIMIT_LOCKS = 10  # the module resource does not name it
_PATIENCE = 10.0  # seconds of the guardian, until what cannot be killed is left alone
_LOOKS = (0.0, 0.02, 0.1)  # seconds before each look of the guardian: what was just being started comes up late

if sys.platform == "linux":

    @contextlib.contextmanager
    def tagging(tag: int) -> Iterator[bool]:
        """Tag what this process starts meanwhile; whether that is possible."""
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
        """The processes with a tag from the first to the last, newest first: those may be gone the soonest."""
        found = []
        prlimit = resource.prlimit
        for name in reversed(os.listdir("/proc")):
            if name.isdigit():
                try:
                    if first <= prlimit(int(name), _RLIMIT_LOCKS)[0] <= last:
                        found.append(int(name))
                except OSError:  # it is gone, or another user's
                    continue
        return found

else:

    @contextlib.contextmanager
    def tagging(tag: int) -> Iterator[bool]:
        """Not possible here."""
        yield False

    def tagged(first: int, last: int) -> list[int]:
        """None."""
        return []


def _guard(first: int) -> None:
    """Wait until standard input ends, that is, until all who held its other end are gone; then kill."""
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
    """Whether a process is more than a zombie, which its parent has to reap."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except OSError:
        return False


if __name__ == "__main__":
    _guard(int(sys.argv[1]))
