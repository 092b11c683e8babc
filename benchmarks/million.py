"""A tournament of 1,000,000 episodes: memory while it runs, bytes on disk, and seconds until its results are open.

`python benchmarks/million.py` takes some minutes; an argument gives another number of episodes.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import psutil

from ludus.run.runner import Progress, run
from ludus.stats.results import load
from ludus.store import open_store
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.tournament import Entrant

POINTS = 10
"""Moments at which memory is read."""
FLAT = 0.1
"""By which share memory may grow from the second moment, when all is compiled and all caches are full, to the last."""
SOON = 2.0
"""Seconds until results are open."""


class Memory(NamedTuple):
    """MiB of this process, and of the largest worker."""

    parent: int
    worker: int

    @classmethod
    def now(cls) -> "Memory":
        """Resources in use now."""
        this = psutil.Process()
        sizes = [process.memory_info().rss >> 20 for process in (this, *this.children())]
        return cls(sizes[0], max(sizes[1:], default=0))


def main() -> None:
    episodes = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    agents = [Entrant(f"random {number}", "random") for number in range(1, 6)]
    planned = make_tournament("connect-four", agents, name="million", episodes=episodes // 20, seed=1)
    memory: list[Memory] = []

    def watch(progress: Progress) -> None:
        if len(memory) < POINTS and progress.done >= episodes * (len(memory) + 0.5) / POINTS:
            memory.append(Memory.now())
            print(f"{progress.done:>9,} episodes: {memory[-1].parent} MiB, a worker {memory[-1].worker}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "million.db")
        begin = time.perf_counter()
        with open_store(str(file)) as store:
            run(planned, store, watch=watch)
            spent = time.perf_counter() - begin
            load(planned.name, store).standings()  # as `ludus run` shows them at its end
        print(
            f"{episodes / spent:,.0f} episodes a second, {file.stat().st_size / episodes:.0f} bytes an episode on disk"
        )
        flat = all(last <= (1 + FLAT) * before for before, last in zip(memory[1], memory[-1], strict=True))
        command = [sys.executable, "-m", "ludus", "results", "million", "--store", str(file)]
        times = []
        for attempt in ("first", "second"):
            begin = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ)
            times.append(time.perf_counter() - begin)
            print(f"results on the screen, {attempt} time: {times[-1]:.2f} s")
    print(f"memory stayed flat: {'yes' if flat else 'NO'}")
    print(f"results open within {SOON:g} s: {'yes' if max(times) <= SOON else 'NO'}")
    sys.exit(not flat or max(times) > SOON)


if __name__ == "__main__":
    main()
