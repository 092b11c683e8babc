"""A core that several programs want at once."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells how long threads wait for a core")


@contextmanager
def crowded_core(rivals: int) -> Iterator[None]:
    """This thread, and all that it starts, share one core with so many programs that never rest."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [min(cores)])
    programs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(rivals)]
    try:
        yield
    finally:
        for program in programs:
            program.kill()
            program.wait()
        os.sched_setaffinity(0, cores)
