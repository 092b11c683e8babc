"""A tournament of 1,000,000 episodes: memory while it runs, bytes on disk, and seconds until its results are open.

`python benchmarks/million.py` takes some minutes; an argument gives another number of episodes.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from ludus.runner.running import Progress, run
from ludus.store import open_store
from ludus.tournaments.base import Entrant
from ludus.tournaments.making import make_tournament

POINTS = 10
"""Moments at which memory is read."""


def main() -> None:
    episodes = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    agents = [Entrant(f"random {number}", "random") for number in range(1, 6)]
    planned = make_tournament("connect-four", agents, name="million", episodes=episodes // 20, seed=1)
    memory: list[int] = []

    def watch(progress: Progress) -> None:
        if progress.done >= episodes * (len(memory) + 1) / POINTS:
            memory.append(psutil.Process().memory_info().rss >> 20)
            print(f"{progress.done:>9,} episodes: {memory[-1]} MiB", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "million.db")
        begin = time.perf_counter()
        with open_store(str(file)) as store:
            run(planned, store, watch=watch)
        spent = time.perf_counter() - begin
        print(
            f"{episodes / spent:,.0f} episodes a second, {file.stat().st_size / episodes:.0f} bytes an episode on disk"
        )
        command = [sys.executable, "-m", "ludus", "results", "million", "--store", str(file)]
        for attempt in ("first", "second"):
            begin = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ)
            print(f"results on the screen, {attempt} time: {time.perf_counter() - begin:.2f} s")


if __name__ == "__main__":
    main()
