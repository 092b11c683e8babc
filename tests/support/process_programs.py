"""Small programs that behave as bots do, or should not, and what tests need to talk to them."""

import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil

from ludus.bots.process.child import Child
from ludus.episode.limits import Limits

LIMITS = Limits(memory=1 << 30)
LONG = 60
"""Seconds after which something that must happen is taken not to: far more than the slowest machine needs."""


def python(source: str) -> list[str]:
    """The command that runs these lines of Python, with `os`, `sys` and `time` at hand."""
    return [sys.executable, "-I", "-S", "-u", "-c", f"import os, sys, time\n{source}"]


def start(argv: list[str], folder: Path, limits: Limits = LIMITS) -> Child:
    return Child(argv, folder, limits)


def say(child: Child, line: str = "go") -> None:
    os.write(child.stdin, f"{line}\n".encode())


def read_line(child: Child, waiting: Callable[[], object] = lambda: None) -> str:
    """The next line that it says; meanwhile something is done every 5 ms."""
    said = b""
    give_up = time.monotonic() + LONG
    while not said.endswith(b"\n"):
        assert time.monotonic() < give_up, f"it said no line, only {said!r}, and {child.status()}"
        if select.select([child.stdout], [], [], 0.005)[0]:
            part = os.read(child.stdout, 1)
            assert part, f"it sent {said!r}, and {child.status()}"
            said += part
        else:
            waiting()
    return said.decode().strip()


def wait_until(happened: Callable[[], object]) -> None:
    give_up = time.monotonic() + LONG
    while not happened():
        assert time.monotonic() < give_up, "it did not happen"
        time.sleep(0.005)


def is_there(pid: int) -> bool:
    """True if a process runs, or is a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def runs(pid: int) -> bool:
    """True if a process runs and is not a zombie."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
