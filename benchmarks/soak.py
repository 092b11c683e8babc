"""10,000 episodes between bots, a tenth of them with some that misbehave: how fast, and that nothing is left of them.

`python benchmarks/soak.py` takes some minutes; an argument gives another number of episodes.
"""

import gc
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from ludus.episode.limits import Limits
from ludus.run.runner import Progress, run
from ludus.store import Store, open_store
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.run_options import RunOptions
from ludus.tournaments.tournament import Entrant, Tournament

BLOCKS = 10
"""Into which the episodes are divided: at the end of each the memory is read."""
INSTANT = Path(__file__).with_name("instant_bot.c")
ODD = Path(__file__).parents[1] / "tests" / "support" / "misbehaving_bots.py"
KINDS = ["exits_in_mid_game", "talks_nonsense", "says_metrics_without_end", "leaves_a_daemon", "is_silent"]
LIMITS = Limits(preparation=30 * 10**9, move=200 * 10**6)
BRAIN = """
import sys
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word in ("START", "RESTART"):
        size, taken = int(rest or size), set()
        print("OK", flush=True)
    elif word in ("BEGIN", "TURN"):
        taken.add(rest)
        move = next(cell for y in range(size) for x in range(size) if (cell := f"{x},{y}") not in taken)
        taken.add(move)
        print(move, flush=True)
    elif word == "END":
        break
"""
"""Speaks the protocol of the Gomocup: its process stays from one episode to the next."""
FLAT = 0.1
"""By which share memory may grow: of this process from the second block to the last, of a worker within a run."""
AT_HAND = 20
"""Descriptors that are open or not when a worker is looked at: those of two bots."""
LEAST_LOOKS = 20
"""At a worker, in each half of a run: before that nothing can be said."""
SOON = 10.0
"""Seconds in which all that was started must be gone."""


class There(NamedTuple):
    """Counts of processes of this run, open descriptors of this process, and temporary files."""

    processes: int
    descriptors: int
    files: int

    @classmethod
    def now(cls, folder: Path) -> "There":
        """The present counts."""
        gc.collect()
        processes = {child.pid for child in psutil.Process().children(recursive=True)} | set(_in_folder(folder))
        return cls(len(processes), len(os.listdir("/proc/self/fd")), len(list((folder / "temporary").iterdir())))


def _in_folder(folder: Path) -> Iterator[int]:
    """Processes that run in this folder, as all bots do."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if process.cwd().startswith(str(folder)):
                yield process.pid


class Most(NamedTuple):
    """The most that a process had: MiB of memory, and open descriptors."""

    memory: int
    descriptors: int

    @classmethod
    def of(cls, each: Iterable["Most"]) -> "Most":
        """The most of several."""
        return cls(*map(max, zip(*each, strict=True)))


class Watch:
    """Sees the speed of a run, from the first episodes that are stored, and what its workers have."""

    def __init__(self) -> None:
        self._moments: list[tuple[float, int]] = []
        self._workers: defaultdict[int, list[Most]] = defaultdict(list)

    def __call__(self, progress: Progress) -> None:
        self._moments.append((time.perf_counter(), progress.done))
        if progress.done < progress.total // 10:
            return  # workers are still being started
        for child in psutil.Process().children():
            with suppress(psutil.Error):
                self._workers[child.pid].append(Most(child.memory_info().rss >> 20, child.num_fds()))

    @property
    def worker(self) -> Most:
        """The most that a worker had."""
        return Most.of(seen for each in self._workers.values() for seen in each)

    @property
    def grew(self) -> list[str]:
        """The growth of a worker from the first to the second half of the run, in words."""
        found = []
        for seen in self._workers.values():
            half = len(seen) // 2
            if half < LEAST_LOOKS:
                continue
            early, late = Most.of(seen[:half]), Most.of(seen[half:])
            if late.memory > (1 + FLAT) * early.memory or late.descriptors > early.descriptors + AT_HAND:
                found.append(f"from {early} to {late}")
        return found

    @property
    def pace(self) -> str:
        """Episodes a second, where there were enough to tell."""
        (began, first), (ended, last) = self._moments[0], self._moments[-1]
        return f"{(last - first) / (ended - began):,.0f}" if last > first else "?"


def tournaments(folder: Path, episodes: int, block: int) -> Iterator[Tournament]:
    """Instant bots that play well, brains that stay, then one that plays well against all kinds that do not."""
    instant = [Entrant(name, f"stdio,safe=yes:{folder / name / 'bot'}") for name in ("first", "second")]
    yield make_tournament(
        "gomoku:size=7", instant, name=f"instant {block}", episodes=max(1, episodes * 4 // 10 // BLOCKS), seed=block
    )
    python = shlex.join([sys.executable, "-I", "-S"])
    brains = [
        Entrant("kept", f"gomocup,safe=yes:{python} {folder / 'kept' / 'brain.py'}"),
        Entrant("alone", f"gomocup:{python} {folder / 'alone' / 'brain.py'}"),
    ]
    yield make_tournament(
        "gomoku:size=7", brains, name=f"brains {block}", episodes=max(1, episodes // 20 // BLOCKS), seed=block
    )
    command = shlex.join([sys.executable, "-I", "-S", str(ODD)])
    odd = [Entrant(kind, f"stdio,folder={folder / kind}:{command} {kind}") for kind in ("good", *KINDS)]
    yield make_tournament(
        "tic-tac-toe",
        odd,
        name=f"odd {block}",
        format="gauntlet",
        episodes=max(1, episodes // 10 // BLOCKS // (2 * len(KINDS))),
        seed=block,
        opening_plies=1,
        limits=LIMITS,
    )


def prepare(folder: Path) -> None:
    """Folders for all bots, and the instant one compiled."""
    for name in ("temporary", "first", "second", "kept", "alone", "good", *KINDS):
        (folder / name).mkdir()
    for name in ("kept", "alone"):
        (folder / name / "brain.py").write_text(BRAIN)
    for name in ("first", "second"):
        subprocess.run(["cc", "-O2", "-o", folder / name / "bot", INSTANT], check=True)
    tempfile.tempdir = os.environ["TMPDIR"] = str(folder / "temporary")


def warm_up(store: Store, folder: Path) -> None:
    """An episode of each match: libraries open what they keep open, and all is compiled."""
    for planned in tournaments(folder, 0, BLOCKS):
        run(planned, store, RunOptions(workers=2))
        store.tallies(store.find(planned.name))


def soak(store: Store, folder: Path, episodes: int) -> tuple[list[int], list[str]]:
    """Play; MiB of this process after each block, and what grew in workers."""
    memory, grew, endings = [], [], Counter[str]()
    for block in range(BLOCKS):
        watches = [Watch(), Watch(), Watch()]
        for planned, watch in zip(tournaments(folder, episodes, block), watches, strict=True):
            ran = run(planned, store, RunOptions(workers=2), watch=watch)
            for row in store.tallies(ran.id).iter_rows(named=True):
                endings[row["ending"]] += row["episodes"]
        memory.append(psutil.Process().memory_info().rss >> 20)
        grew += [words for watch in watches for words in watch.grew]
        worker = Most.of(watch.worker for watch in watches)
        instant, kept, odd = (watch.pace for watch in watches)
        print(
            f"{endings.total():>7,} episodes: {instant} a second between instant bots, {kept} between brains, {odd} "
            f"with odd ones; {memory[-1]} MiB, a worker {worker.memory} and {worker.descriptors} descriptors",
            flush=True,
        )
    print("endings: " + ", ".join(f"{count:,} {ending}" for ending, count in endings.most_common()))
    return memory, grew


def settled(before: There, folder: Path) -> There:
    """Leftovers, after the longest time that they may take to go."""
    until = time.monotonic() + SOON
    while (left := There.now(folder)) != before and time.monotonic() < until:
        time.sleep(0.1)
    return left


def main() -> None:
    episodes = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        with open_store(str(folder / "soak.db")) as store:
            warm_up(store, folder)
            before = settled(There.now(folder)._replace(processes=0, files=0), folder)
            memory, grew = soak(store, folder, episodes)
            after = settled(before, folder)
    for what, was, now in zip(There._fields, before, after, strict=True):
        print(f"{what}: {was} before, {now} after")
    flat = memory[-1] <= (1 + FLAT) * memory[1]
    print(f"nothing is left: {'yes' if after == before else 'NO'}")
    print(f"memory stayed flat: {'yes' if flat else 'NO'}")
    print(f"workers did not grow: {'NO, ' + '; '.join(grew) if grew else 'yes'}")
    sys.exit(after != before or not flat or bool(grew))


if __name__ == "__main__":
    main()
