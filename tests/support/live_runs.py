"""Runs of other processes, to be seen while they play."""

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ludus.run.live_reader import LiveReader, RunNow
from ludus.store import Store
from support.places import SUPPORT
from support.running import PATIENCE, PROGRAM

Found = TypeVar("Found")
SLEEPER = f"{SUPPORT / 'simple_agents.py'}:Sleeper"
"""An agent whose moves take as long as it is told."""


@contextmanager
def running(store: Store, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """Ludus as another process, which plays into this store until the block ends."""
    process = subprocess.Popen(
        [PROGRAM, *words, "--store", store.url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def awaited(look: Callable[[], Found | None]) -> Found:
    """The first thing that a look finds."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = look()
        if found:
            return found
        time.sleep(0.02)
    raise TimeoutError


def the_run(store: Store) -> RunNow:
    """The run of a store that has something to watch."""
    reader = LiveReader(store)
    return awaited(lambda: next((run for run in reader.runs() if run.feeds), None))
