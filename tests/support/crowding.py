"""A core that several programs want at once."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_RESTLESS = """
import time
until = time.monotonic() + 600  # should nobody end it
print(flush=True)
while time.monotonic() < until: pass
"""
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux reports waits of threads for a core")


@contextmanager
def crowded_core(rivals: int) -> Iterator[None]:
    """Make this thread, and all processes it starts, share one core with this many busy programs."""
    cores = os.sched_getaffinity(0)
    programs: list[subprocess.Popen[bytes]] = []
    try:
        for _ in range(rivals):
            programs.append(subprocess.Popen([sys.executable, "-I", "-S", "-c", _RESTLESS], stdout=subprocess.PIPE))
        for program in programs:
            assert program.stdout
            program.stdout.readline()  # a program that still starts rests now and then
        for thread in (0, *(program.pid for program in programs)):
            os.sched_setaffinity(thread, [min(cores)])
        yield
    finally:
        os.sched_setaffinity(0, cores)
        for program in programs:
            program.kill()
        for program in programs:
            program.communicate()
