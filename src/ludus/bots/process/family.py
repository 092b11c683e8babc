"""All processes of a bot: found, and ended together."""

import contextlib
import os
import signal
import time
from collections.abc import Iterable

import psutil

from ludus.bots.process.tags import tagged

_PATIENCE = 10.0  # seconds until a process that cannot be killed is left alone


class Family:
    """A process that was started as a bot, and all that come from it.

    They are known by their tag. Without one, on other systems than Linux, they are those of its session: what calls
    setsid there leaves the family.
    """

    def __init__(self, main: int, tag: int | None) -> None:
        self.main = main
        self._tag = tag

    def members(self) -> list[int]:
        """All that are there, zombies included."""
        if self._tag is not None:
            return tagged(self._tag, self._tag)
        return [pid for pid in psutil.pids() if _session(pid) == self.main]

    def bring_down(self) -> list[str]:
        """Kill and reap all of them; the names of those that still ran.

        They are stopped first, until no new one turns up: so even those that start others all the time come to an end.
        """
        give_up = time.monotonic() + _PATIENCE
        stopped: set[int] = set()
        while (fresh := set(self.members()) - stopped) and time.monotonic() < give_up:
            _send(signal.SIGSTOP, fresh)
            stopped |= fresh
        if not stopped:
            return []
        names = [name for pid in stopped if (name := _name_if_running(pid)) is not None]
        pause = 0.0005
        while time.monotonic() < give_up:
            left = self.members()
            running = [pid for pid in left if _name_if_running(pid) is not None]
            if running:
                _send(signal.SIGKILL, running)
                time.sleep(pause)
                pause = min(2 * pause, 0.02)
            elif not [pid for pid in left if reap(pid)]:
                break  # a zombie is this process's own once its parent has ended, or it never will be
        return sorted(names)


def reap(pid: int) -> bool:
    """Release a process that has ended; False if the process still runs, or is not, or not yet, a child of this one."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return False


def _send(number: signal.Signals, pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _session(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return 0


def _name_if_running(pid: int) -> str | None:
    """The name of a process, which may be any bytes or none at all; None if the process has ended."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return process.name().encode(errors="replace").decode() or "?"
    except psutil.Error:
        return None
