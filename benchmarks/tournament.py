"""Tournaments of random against random in Connect Four, with everything stored in SQLite: episodes a second and worker.

The peer is OpenSpiel's loop over Python bots in one process, which stores nothing.
"""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from episodes import openspiel_python_episodes
from ludus.run.runner import Progress, run
from ludus.store import open_store
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.run_options import RunOptions
from ludus.tournaments.tournament import Entrant
from side_by_side import Row, compare, main, per_second

EPISODES = 6000
"""Of each of the two matches: some seconds."""


def stored_a_second(workers: int, folder: Path) -> float:
    """Episodes a second and worker, from the first batch to the last: starting processes is left out."""
    seen: list[tuple[float, int]] = []

    def watch(progress: Progress) -> None:
        if progress.done:
            seen.append((time.perf_counter(), progress.done))

    seed = time.monotonic_ns()
    agents = [Entrant("one", "random"), Entrant("other", "random")]
    planned = make_tournament("connect-four", agents, name=f"cup {seed}", episodes=EPISODES, seed=seed)
    with open_store(str(folder / f"{seed}.db")) as store:
        run(planned, store, RunOptions(workers=workers), watch=watch)
    (begin, before), (end, after) = seen[0], seen[-1]
    return (after - before) / (end - begin) / max(1, workers)


def measure() -> Iterator[Row]:
    peer = per_second(openspiel_python_episodes("connect_four"), 10)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        figure = statistics.median(stored_a_second(1, place) for _ in range(3))
        yield Row("one worker, stored", figure, None, "episodes/s and worker", None, 3000)
        for workers in (0, 1, 2):
            name = "in this process" if workers == 0 else f"{workers} worker{'s' if workers > 1 else ''}"
            beside = "OpenSpiel, evaluate_bots in Python, nothing stored"
            ours = lambda workers=workers: stored_a_second(workers, place)  # noqa: E731
            yield compare(name, ours, peer, "episodes/s and worker", beside, turns=3)


if __name__ == "__main__":
    main("Stored episodes", measure)
