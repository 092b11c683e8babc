"""Seconds from the command to the result of one random game, with a cold and a warm cache, beside importing Numba."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from side_by_side import Row, compare, main

PLAY = [str(Path(sys.executable).with_name("ludus")), "play", "connect-four", "random", "random"]
IMPORT = [sys.executable, "-c", "import numba"]


def seconds(command: list[str], home: str) -> float:
    begin = time.perf_counter()
    subprocess.run(command, env={**os.environ, "LUDUS_HOME": home}, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def cold() -> float:
    with tempfile.TemporaryDirectory() as home:
        return seconds(PLAY, home)


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as home:
        seconds(PLAY, home)
        warm = sorted(seconds(PLAY, home) for _ in range(3))[1]
        yield Row("warm cache, in seconds", warm, None, "s", None, 3.0, less_is_better=True)
        for name, run, turns in (("cold cache", cold, 2), ("warm cache", lambda: seconds(PLAY, home), 5)):
            floor = lambda: seconds(IMPORT, home)  # noqa: E731
            yield compare(name, run, floor, "s", "python -c 'import numba'", turns=turns, less_is_better=True)


if __name__ == "__main__":
    main("From the command to the result", measure)
