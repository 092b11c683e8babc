"""CPU seconds of completions in the shell, with 1,000 tournaments in the store, beside importing Typer alone."""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from sqlalchemy import insert

from ludus.store import schema
from ludus.store.connect import connect, location, writing
from side_by_side import Row, compare, main

TOURNAMENTS, EPISODES = 1000, 200
MOST = 0.3  # seconds of CPU
LINES = ("pl", "play he", "play hex mcts:", "run --format s", "results 9", "replay 3/", "list games o", "check game h")
IMPORT = [sys.executable, "-c", "import typer"]


def fill(store: str) -> None:
    """Store tournaments, the third with episodes."""
    about = {"content": "{}", "versions": "{}", "created": 0}
    episode = {"repetition": 0, "match": 0, "played": 0, "wall": 0, "plies": 1, "result": 0, "course": 0}
    with writing(connect(location(store))) as connection:
        numbers = range(1, TOURNAMENTS + 1)
        rows = [{"id": n, "identity": str(n), "name": f"hex-{n}", **about} for n in numbers]
        connection.execute(insert(schema.tournaments), rows)
        rows = [{"tournament": 3, "number": n, **episode} for n in range(EPISODES)]
        connection.execute(insert(schema.episodes), rows)


def seconds(command: list[str], environment: dict[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env={**os.environ, **environment}, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.stdout or command == IMPORT, f"nothing was offered: {environment}"
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure() -> Iterator[Row]:
    ludus = [str(Path(sys.executable).with_name("ludus"))]
    with tempfile.TemporaryDirectory() as home:
        fill(f"{home}/ludus.db")
        first, rows = 0.0, []
        for line in LINES:
            asked = {"_LUDUS_COMPLETE": "complete_fish", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
            asked |= {"_TYPER_COMPLETE_ARGS": f"ludus {line}", "LUDUS_HOME": home, "LUDUS_STORE": f"{home}/ludus.db"}
            first = max(first, seconds(ludus, asked))  # which notes what the command takes
            ours, floor = partial(seconds, ludus, asked), partial(seconds, IMPORT, {})
            rows.append(compare(line, ours, floor, "s", "python -c 'import typer'", less_is_better=True))
            yield rows[-1]
        yield Row("slowest first answer of a command", first, None, "s", None, less_is_better=True)
        slowest = max(row.ludus for row in rows)
        yield Row("slowest answer, in seconds", slowest, None, "s", None, MOST, less_is_better=True)


if __name__ == "__main__":
    main("Completions in the shell", measure)
