"""A tournament of 200 agents and 39,800 episodes: seconds until its results are open, and its report is written.

`python benchmarks/wide.py` takes some minutes; an argument gives another number of agents.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from ludus.run.runner import run
from ludus.store import open_store
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.tournament import Entrant

RESULTS, REPORT = 2.0, 5.0
"""Seconds of each."""


def seconds(*command: str) -> tuple[float, float]:
    """Elapsed time and processor time of a command; on a busy machine, only the second one says much."""
    begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ)
    return time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    agents = [Entrant(f"random {number}", "random") for number in range(1, count + 1)]
    late = False
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "wide.db"))
        with open_store(file) as store:
            run(make_tournament("connect-four", agents, name="wide", seed=1), store)
        command = [sys.executable, "-m", "ludus", "results", "wide", "--store", file]
        report = [*command, "--html", str(Path(folder, "wide.html"))]
        for what, limit, words in (("results", RESULTS, command), ("report", REPORT, report)):
            seconds(*words)
            elapsed, used = seconds(*words)
            late |= elapsed > limit
            verdict = "yes" if elapsed <= limit else "NO"
            print(f"{what} within {limit:g} s: {verdict}, {elapsed:.2f} s, {used:.2f} s of processor time", flush=True)
    sys.exit(late)


if __name__ == "__main__":
    main()
