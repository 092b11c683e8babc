"""Samples of paths round after round, in several threads; paths found in one round help in the next."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludus.contests.speed.agents.analysis import action_between
from ludus.contests.speed.agents.paths import LONGEST_PATH, PATHS, ROUNDS, carry_over, new_paths, sample_paths
from ludus.contests.speed.agents.walking import Ground, board_of
from ludus.contests.speed.game import ACTIONS
from ludus.core.kinds import MOST_COUNT
from ludus.kernel.deadline import new_watch
from ludus.kernel.rng import new_rng
from ludus.kernel.state import Array


@dataclass(frozen=True)
class Found:
    """The result of a sampling, by the first action of the paths that are long enough to count."""

    counts: Array  # int64[action]
    risks: Array  # float64[action]: the probability of others on the cells of a path, the mean over paths
    lengths: Array  # int64[action]: of the longest path
    best: Array  # int8[action, round]: the longest path
    paths: int
    rounds: int

    def path(self, action: int) -> list[int]:
        """The longest path that begins with an action."""
        found: list[int] = self.best[action, : self.lengths[action]].tolist()
        return found

    def metrics(self) -> dict[str, Any]:
        """Metrics of the sampling."""
        counts = {name: int(count) for name, count in zip(ACTIONS, self.counts, strict=True)}
        longest = int(self.lengths.max())
        return {"simulations": self.paths, "rounds": self.rounds, "longest": longest, "paths": counts}


class Sampler:
    """Samples paths for one player in one episode."""

    def __init__(self, ground: Ground, least: float, kept: int, unrepeated: bool, threads: int, seed: int) -> None:
        height, width = board_of(ground, ground.cells).shape
        self._spaces = [new_paths(width, height, -(-kept // threads), unrepeated) for _ in range(threads)]
        self._rngs = [new_rng(seed, thread) for thread in range(threads)]
        self.least = least
        """The minimum length of counted paths, relative to the longest."""
        self._unrepeated = unrepeated
        self._nobody = np.zeros(len(ground.cells))
        self._last_head, self._last_now = np.zeros(3, np.int64), -1

    def sample(
        self,
        ground: Ground,
        head: Array,
        now: int,
        mark: int,
        simulations: int | None,
        until: int,
        table: Array | None = None,
        surveyed: bool = False,
    ) -> Found:
        """Sample until a moment, or a number of paths.

        `table` has for each place the probability of others; visits of places are counted for `heat` if `surveyed`.
        """
        threads = len(self._spaces)
        action = action_between(self._last_head, head) if now == self._last_now + 1 else -1
        self._last_head, self._last_now = head.copy(), now
        looked_at = surveyed or table is not None

        def run(thread: int) -> None:
            space = self._spaces[thread]
            share = MOST_COUNT if simulations is None else (simulations + threads - 1 - thread) // threads
            carried = carry_over(space, action, self.least)
            space.watch[:] = new_watch(until)
            options = np.array([now, mark, share, carried, looked_at, self._unrepeated])
            weights = self._nobody if table is None else table
            sample_paths(ground, head, weights, space, options, self.least, self._rngs[thread])

        in_threads(run, threads)
        return self._found()

    def _found(self) -> Found:
        counters = np.stack([space.counters for space in self._spaces])
        longest = int(counters[:, LONGEST_PATH].max())
        long_enough = slice(int(np.ceil(self.least * longest)), longest + 1)
        counts = sum(space.counts[:, long_enough].sum(axis=1) for space in self._spaces)
        risks = sum(space.risks[:, long_enough].sum(axis=1) for space in self._spaces)
        lengths = np.stack([space.best_length for space in self._spaces])
        best = [self._spaces[thread].best[action] for action, thread in enumerate(lengths.argmax(axis=0))]
        return Found(
            counts=np.asarray(counts),
            risks=risks / np.maximum(counts, 1),
            lengths=lengths.max(axis=0),
            best=np.stack(best),
            paths=int(counters[:, PATHS].sum()),
            rounds=int(counters[:, ROUNDS].sum()),
        )

    def heat(self) -> Array:
        """Number of visits of each place in the last sampling."""
        return np.sum([space.heat for space in self._spaces], axis=0)


def in_threads(run: Callable[[int], None], threads: int) -> None:
    """Call run(0), run(1) and so on in parallel, the last one in this thread."""
    running: Sequence[threading.Thread] = [threading.Thread(target=run, args=(i,)) for i in range(threads - 1)]
    for thread in running:
        thread.start()
    run(threads - 1)
    for thread in running:
        thread.join()
