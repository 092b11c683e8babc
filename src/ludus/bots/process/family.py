"""All processes of a bot: found, and ended together."""

import contextlib
import os
import signal
import time
from collections.abc import Iterable

import psutil

from ludus.bots.process.tags import tagged

_PATIENCE = 10.0  # seconds before a process that cannot be killed is given up


class Family:
    """A process that was started as a bot, and all its descendants.

    They are known by their tag. Without tags, on systems other than Linux, they are those of its session: a process
    that calls setsid there leaves the family.
    """

    def __init__(self, main: int, tag: int | None) -> None:
        self.main = main
        self._tag = tag

    def members(self) -> list[int]:
        """Process ids of all members, zombies included."""
        if self._tag is not None:
            return tagged(self._tag, self._tag)
        return [pid for pid in psutil.pids() if _session(pid) == self.main]

    def signal(self, number: signal.Signals, *, strays: bool) -> None:
        """Send a signal to the process group of the main process, and to members elsewhere, which are slow to find."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.main, number)
        if strays:
            _send(number, filter(self.is_stray, self.members()))

    def is_stray(self, pid: int) -> bool:
        """True if a member has left the process group of the main process."""
        try:
            return os.getpgid(pid) != self.main
        except OSError:
            return False

    def bring_down(self) -> list[str]:
        """Kill and reap all members; return the names of those that were still running.

        They are stopped first, until no new one turns up, so that even processes that keep starting others come to an
        end.
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
                break  # a zombie becomes a child of this process when its parent has ended, or never
        return sorted(names)


def reap(pid: int) -> bool:
    """Release a process that has ended; False if it still runs, or is not (yet) a child of this process."""
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
    """The name of a process, which may be any bytes or empty; None if the process has ended."""
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return process.name().encode(errors="replace").decode() or "?"
    except psutil.Error:
        return None
