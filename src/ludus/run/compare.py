"""Comparisons: pairs of episodes with one opening and seats swapped, until a sequential test decides.

The pairs are a double round robin of two agents: pair n is episode n of both matches. It is stored like any other
tournament, so an interrupted one continues, and a test with other bounds or another length reuses the stored pairs.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import polars as pl

from ludus.core.errors import InvalidError
from ludus.episode.record import Ending
from ludus.run.conditions import Cores, overlooked_openings, unreliable_timings
from ludus.run.runner import Progress, run, versions
from ludus.run.setup import Stage
from ludus.stats.ratings.sprt import Sprt
from ludus.store import Store
from ludus.store.entries import Entry
from ludus.tournaments.determinism import deterministic_agents
from ludus.tournaments.field import Pick, pick_from
from ludus.tournaments.file import Plan, plan
from ludus.tournaments.plan import Parts, given_game
from ludus.tournaments.run_options import AS_USUAL, STARTS, RunOptions
from ludus.tournaments.tournament import Entrant, Tournament

OPENING_PLIES = 4
MOST_PAIRS = 1_000_000
"""Part of the identity of a comparison, so that a longer test is the same tournament as a shorter one."""
MOST_REPEATS = 100
"""Number of repeated pairs in a row after which no new ones are expected."""
KINDS = ("LL", "LD", "WL or DD", "WD", "WW")
"""The kinds of pairs, by the results of A."""
_LOOK_AFTER = 0.3  # seconds between two looks at the store, or more if looking takes long
_COLUMNS = ("match", "number", "scores", "ending", "course")


def comparison(game: str, one: str | Entrant, other: str | Entrant, **content: Any) -> Plan:
    """Plan the pairs between two agents as a tournament; `content` is passed on to `plan`.

    By default the pairs start with a few random plies.
    """
    agents = [pick_from(one), pick_from(other)]
    played = given_game(game)
    if played.seats != 2:
        raise InvalidError(
            f"'ludus compare' is for games of two players, but {game} has {played.seats}: use 'ludus run'."
        )
    if agents[0].entrant.name == agents[1].entrant.name:
        agents = [
            Pick(Entrant(f"{label} ({entrant.name})", entrant.spec), agent)
            for label, (entrant, agent) in zip("AB", agents, strict=True)
        ]
    if STARTS.isdisjoint(content):
        content["opening_plies"] = OPENING_PLIES
    return plan(game=played, agents=agents, format="double-round-robin", episodes=MOST_PAIRS, **content)


class Pairs:
    """The pairs in the order of their numbers, so that the verdict does not depend on the order of play.

    Agents that are `deterministic` may repeat an earlier pair; if anything is random, equal pairs are evidence too.
    """

    def __init__(self, test: Sprt, most: int = MOST_PAIRS, *, deterministic: bool = False) -> None:
        self.test = test
        self.most = most
        self.deterministic = deterministic
        self.wins, self.ties, self.losses = 0, 0, 0
        self.repeated = 0  # the same moves as in an earlier pair: no new evidence
        self.void = 0  # no result because of the machine
        self._taken = 0
        self._seen: set[tuple[int, int]] = set()
        self._in_a_row = 0

    @property
    def kinds(self) -> dict[str, int]:
        """The number of pairs of each kind; none in a test that counts single games."""
        return {} if self.test.trinomial else dict(zip(KINDS, self.test.bins, strict=True))

    @property
    def stuck(self) -> bool:
        """True if the agents only repeat themselves."""
        return self._in_a_row >= MOST_REPEATS

    @property
    def over(self) -> bool:
        """True if more pairs are not needed."""
        return self.test.verdict is not None or self.stuck or self._taken >= self.most

    def take(self, episodes: pl.DataFrame) -> None:
        """Add the pairs of the store's frame beyond those added before, up to the verdict."""
        first, second = (episodes.filter(pl.col("match") == match).select(_COLUMNS[1:]) for match in (0, 1))
        rows = first.join(second, on="number", suffix="_swapped").sort("number").slice(self._taken).iter_rows()
        for number, scores, ending, course, swapped_scores, swapped_ending, swapped_course in rows:
            if number != self._taken or self.over:
                return
            self._taken += 1
            if Ending.MACHINE in (ending, swapped_ending):
                self.void += 1
            elif self.deterministic and (course, swapped_course) in self._seen:
                self.repeated += 1
                self._in_a_row += 1
            else:
                self._seen.add((course, swapped_course))
                self._in_a_row = 0
                self._add(scores[0] - scores[1], swapped_scores[1] - swapped_scores[0])

    def _add(self, first: float, second: float) -> None:
        """Add a pair by the leads of A in its two episodes."""
        results = [1 + (lead > 0) - (lead < 0) for lead in (first, second)]
        self.wins += results.count(2)
        self.losses += results.count(0)
        self.ties += results.count(1)
        self.test.add(*results)


class Compared(NamedTuple):
    """The number of the tournament in the store, and its pairs."""

    id: int
    pairs: Pairs


class _Over(KeyboardInterrupt):
    """Stops a run cleanly although more could be played."""


def play_pairs(
    tournament: Tournament,
    store: Store,
    test: Sprt,
    options: RunOptions = AS_USUAL,
    *,
    parts: Parts | None = None,
    most: int = MOST_PAIRS,
    watch: Callable[[Pairs, Progress], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> Compared:
    """Play a `comparison` until the test decides, the agents only repeat themselves, or `most` pairs are played.

    `parts` are those of the plan, if there is one. `tell` receives notes for the user before anything is played.
    """
    stage = Stage(tournament, parts)
    with store.entered(tournament, versions(stage)) as entry:
        if entry.tournament.agents != tournament.agents:
            names = [entrant.name for entrant in entry.tournament.agents]
            raise InvalidError(
                f"'{entry.tournament.name}' compares {' with '.join(names)}: keep this order, or change --name."
            )
        if tell is not None:
            for sentence in _notes(entry, stage, options):
                tell(sentence)
        deterministic = len(deterministic_agents(entry.tournament)) == len(entry.tournament.agents)
        pairs = Pairs(test, most, deterministic=deterministic)
        return _play_pairs(tournament, store, entry, pairs, options, parts, watch)


def _play_pairs(
    tournament: Tournament,
    store: Store,
    entry: Entry,
    pairs: Pairs,
    options: RunOptions,
    parts: Parts | None,
    watch: Callable[[Pairs, Progress], None] | None,
) -> Compared:
    pairs.take(store.episodes(entry.id, _COLUMNS))
    looked, took = time.monotonic(), 0.0

    def look(progress: Progress) -> None:
        nonlocal looked, took
        at_most = progress.done >= 2 * pairs.most
        if time.monotonic() - looked < max(0.0 if at_most else _LOOK_AFTER, 10 * took):
            return
        begin = time.monotonic()
        pairs.take(store.episodes(entry.id, _COLUMNS))
        looked = time.monotonic()
        took = looked - begin
        if watch is not None:
            watch(pairs, progress)
        if pairs.over:
            raise _Over

    if not pairs.over:
        with suppress(_Over):
            run(tournament, store, options, parts=parts, kind="compare", watch=look)
            pairs.take(store.episodes(entry.id, _COLUMNS))
        store.finish(entry.id)
    return Compared(entry.id, pairs)


def _notes(entry: Entry, stage: Stage, options: RunOptions) -> Iterator[str]:
    if entry.tournament.name != stage.tournament.name:
        yield f"This comparison is already stored as '{entry.tournament.name}'."
    yield from entry.changed
    # Repeated openings do not matter here: repeated pairs are not counted.
    yield from unreliable_timings(stage, Cores.plan(options), options)
    yield from overlooked_openings(stage)
