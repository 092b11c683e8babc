"""Start of bots: tags for their families, adoption of orphans, and a guardian in case this process dies.

A bot is started by vfork, which is as fast from a large process as from a small one: 0.6 ms. Fork takes 3 ms from a
process of 250 MiB, and a program such as setpriv in between takes 1.8 ms.
"""

import contextlib
import ctypes
import itertools
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType

from ludus.bots.process import tags
from ludus.bots.process.environment import environment
from ludus.bots.process.family import Family

_PR_SET_CHILD_SUBREAPER = 36


class Starter:
    """The means of this process for starting bots; one per process."""

    def __init__(self) -> None:
        first = random.SystemRandom().getrandbits(38) * tags.MOST
        self._tags = itertools.cycle(range(first + 1, first + tags.MOST))
        self._guarded_by: int | None = None
        if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # an inherited SIG_IGN would hide how a bot ended
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
            self._start_guardian(first)

    def start(
        self, argv: Sequence[str], folder: Path, own: Mapping[str, str], stdin: int, stdout: int, stderr: int
    ) -> Family:
        """Start a program in a session of its own, with its own variables and these as its standard streams."""
        tag = next(self._tags)
        with tags.tagging(tag) as is_tagged, _usual_signals():
            process = subprocess.Popen(
                argv,
                cwd=folder,
                env=environment(own),
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
                restore_signals=False,
            )
        process.returncode = 0  # the module subprocess must not wait for it
        return Family(process.pid, tag if is_tagged else None)

    def forget(self) -> None:
        """In a fork of this process: keep the guardian from waiting for the fork as well."""
        if self._guarded_by is not None:
            os.close(self._guarded_by)

    def _start_guardian(self, first: int) -> None:
        ours, self._guarded_by = os.pipe()
        command = [sys.executable, "-I", "-S", tags.__file__, str(first)]
        null = subprocess.DEVNULL
        try:
            guardian = subprocess.Popen(command, stdin=ours, stdout=null, stderr=null, cwd="/", start_new_session=True)
        finally:
            os.close(ours)
        guardian.returncode = 0  # it outlives this process


@contextlib.contextmanager
def _usual_signals() -> Iterator[None]:
    """Give processes started meanwhile their usual signals if this process ignores them, except SIGXFSZ.

    Ignored signals stay ignored in a new program, caught ones do not: a shell's background job ignores SIGINT and
    SIGQUIT, and so would all bots that it starts. SIGXFSZ stays ignored, because .NET tries to create a file of 2 TiB
    in memory as it starts: it copes with a refusal, but the signal would kill it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may change them
        return
    others = signal.valid_signals() - {signal.SIGXFSZ}
    ignored = [number for number in others if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, _take_no_notice)
    try:
        yield
    finally:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)


def _take_no_notice(number: int, frame: FrameType | None) -> None:
    pass


_starter: Starter | None = None


def starter() -> Starter:
    """The starter of this process."""
    global _starter
    if _starter is None:
        _starter = Starter()
    return _starter


def _forget() -> None:
    global _starter
    if _starter is not None:
        _starter.forget()
        _starter = None


os.register_at_fork(after_in_child=_forget)
