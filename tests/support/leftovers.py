"""Leftovers of bots in this process and on this machine."""

import gc
import os
import shlex
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from ludus.bots import bot_player
from ludus.bots.process.start import starter
from support.places import SUPPORT

PROGRAM = SUPPORT / "misbehaving_bots.py"
HOUR = 3600 * 10**9


def bot(kind: str, folder: Path, options: str = "") -> str:
    """The spec of a bot of this kind, which runs in this folder."""
    return f"stdio,folder={folder}{options}:{shlex.join([sys.executable, '-I', '-S', str(PROGRAM), kind])}"


def pids(folder: Path) -> list[int]:
    """The processes of bots that ran in this folder."""
    file = folder / "pids"
    return [int(line) for line in file.read_text().splitlines()] if file.exists() else []


def alive(folder: Path) -> list[int]:
    """Those of them that still run."""
    return [pid for pid in pids(folder) if _runs(pid)]


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def wait_until(happened: Callable[[], object], seconds: float = 60) -> None:
    """Wait for what must happen some time."""
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until, "it has not happened"
        time.sleep(0.01)


def stays(folder: Path) -> bool:
    """True if a bot in this folder has sent its last line and is in the state that it announced."""
    try:
        pid, state = (folder / "stays").read_text().split()
        return psutil.Process(int(pid)).status() == state
    except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
        return False


def let_time_fly(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an hour pass for code that waits for a bot in this folder, but only while the bot stays as it is.

    So its time is up at once, and never before it has done what it does, however slow the machine is.
    """
    looks = 0

    def now() -> int:
        nonlocal looks
        looks = looks + 1 if stays(folder) else 0
        return time.monotonic_ns() + (HOUR if looks > 1 else 0)  # between two looks its last line is read

    monkeypatch.setattr(bot_player, "monotonic_ns", now)


@contextmanager
def nothing_left(temporary: Path) -> Iterator[None]:
    """See to it that no process, no descriptor and no temporary file is left that was not there before."""
    starter()  # its guardian stays
    gc.collect()  # or what others left would go meanwhile
    before = tempfile.tempdir
    tempfile.tempdir = str(temporary)
    descriptors, processes = _descriptors(), _processes()
    try:
        yield
        assert _descriptors() == descriptors
        assert _processes() == processes
        assert list(temporary.iterdir()) == []
    finally:
        tempfile.tempdir = before


def _descriptors() -> dict[str, str]:
    """The open descriptors, by number."""
    found = {}
    for number in os.listdir("/proc/self/fd"):
        try:
            found[number] = os.readlink(f"/proc/self/fd/{number}")
        except FileNotFoundError:  # that of the folder itself
            continue
    return found


def _processes() -> set[int]:
    """All that come from this one: orphans come back to it."""
    return {child.pid for child in psutil.Process().children(recursive=True)}
