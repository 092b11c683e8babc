"""Is A better than B: pairs of episodes with one opening and seats swapped, until a sequential test decides.

The pairs are a double round robin of two agents: pair n is episode n of both matches. It is stored like any other
tournament, so what was cut off goes on, and a test with other bounds begins with the pairs that are there.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import polars as pl

from ludus.ratings.sprt import Sprt
from ludus.record import Ending
from ludus.runner.pool import PATIENCE
from ludus.runner.running import Progress, run, versions
from ludus.store import Store
from ludus.tournaments.base import Tournament

FORMAT = "double-round-robin"
MOST_REPEATS = 100
"""So many pairs in a row that were all played before mean that no new ones will come."""
_LOOK_AFTER = 0.3  # seconds between two looks at the store, or more where looking takes long


class Pairs:
    """The pairs in the order of their numbers, so that the verdict does not depend on which was played first."""

    def __init__(self, test: Sprt) -> None:
        self.test = test
        self.wins, self.ties, self.losses = 0, 0, 0
        self.repeated = 0  # the same moves as in an earlier pair: no new evidence
        self.spoilt = 0  # the machine's fault: no result
        self._taken = 0
        self._seen: set[tuple[int, int]] = set()
        self._in_a_row = 0

    @property
    def stuck(self) -> bool:
        """Whether the agents only repeat themselves."""
        return self._in_a_row >= MOST_REPEATS

    @property
    def over(self) -> bool:
        """Whether there is nothing more to play for."""
        return self.test.verdict is not None or self.stuck

    def take(self, episodes: pl.DataFrame) -> None:
        """Add the pairs that the frame of the store has beyond those added before, up to the verdict."""
        columns = ("number", "scores", "ending", "course")
        first, second = (episodes.filter(pl.col("match") == match).select(columns) for match in (0, 1))
        rows = first.join(second, on="number", suffix="_swapped").sort("number").slice(self._taken).iter_rows()
        for number, scores, ending, course, swapped_scores, swapped_ending, swapped_course in rows:
            if number != self._taken or self.over:
                return
            self._taken += 1
            if Ending.MACHINE in (ending, swapped_ending):
                self.spoilt += 1
            elif (course, swapped_course) in self._seen:
                self.repeated += 1
                self._in_a_row += 1
            else:
                self._seen.add((course, swapped_course))
                self._in_a_row = 0
                self._add(scores[0] - scores[1], swapped_scores[1] - swapped_scores[0])

    def _add(self, *leads: float) -> None:
        """A pair by the leads of A in its two episodes."""
        wins, losses = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
        self.wins += wins
        self.losses += losses
        self.ties += 2 - wins - losses
        self.test.add(2 + wins - losses)


class Compared(NamedTuple):
    """The number of the tournament in the store, its pairs, and what the user should know."""

    id: int
    pairs: Pairs
    warnings: list[str]


class _Over(KeyboardInterrupt):
    """Stops a run that has more to play, cleanly."""


def play_pairs(
    tournament: Tournament,
    store: Store,
    test: Sprt,
    *,
    workers: int | None = None,
    timed: bool = False,
    patience: int = PATIENCE,
    watch: Callable[[Pairs, Progress], None] | None = None,
) -> Compared:
    """Play until the test decides, the agents only repeat themselves, or all is played.

    The tournament is a double round robin of two agents with as many episodes as there may be pairs.
    """
    entry = store.enter(tournament, versions(tournament))
    pairs = Pairs(test)
    pairs.take(store.episodes(entry.id))
    looked, took = time.monotonic(), 0.0

    def look(progress: Progress) -> None:
        nonlocal looked, took
        if progress.done < progress.total and time.monotonic() - looked < max(_LOOK_AFTER, 10 * took):
            return
        begin = time.monotonic()
        pairs.take(store.episodes(entry.id))
        looked = time.monotonic()
        took = looked - begin
        if watch is not None:
            watch(pairs, progress)
        if pairs.over:
            raise _Over

    warnings = entry.changed
    if not pairs.over:
        with suppress(_Over):
            warnings = run(tournament, store, workers=workers, timed=timed, patience=patience, watch=look).warnings
        store.finish(entry.id)
    return Compared(entry.id, pairs, warnings)
