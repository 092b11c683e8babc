"""The run of a tournament: rounds from its format, episodes from workers, everything into the store.

The stored episodes are the only state. A second run asks the store for them and plays the rest.
"""

import hashlib
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext, suppress
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from ludus.core.errors import BusyError, InvalidError, LudusError
from ludus.core.version import __version__
from ludus.episode.cores import on_one_core
from ludus.episode.finished import Episode
from ludus.episode.journal import Phase
from ludus.episode.record import Ending, Key
from ludus.episode.seating import prepare
from ludus.run.conditions import Cores, advice, refuse_unsuited
from ludus.run.live_run import LiveRun, live_run
from ludus.run.pool import Death, Pool
from ludus.run.schedule import Schedule
from ludus.run.seeding import seeded_by_ratings
from ludus.run.setup import Stage, failure
from ludus.run.stopping import Stop, stopping
from ludus.stats.evidence import match_results
from ludus.store import Lock, Store
from ludus.tournaments.arrangement import arranged, most_matches
from ludus.tournaments.formats import Format, Match, format_from, place_points
from ludus.tournaments.game_names import MatchNames, NamedMatch
from ludus.tournaments.plan import Parts
from ludus.tournaments.run_options import AS_USUAL, RunOptions
from ludus.tournaments.tournament import Tournament

_WRITE_AFTER = 0.1  # seconds that episodes wait to be written together
_TASK = 0.1  # seconds per task
_MOST_IN_TASK = 256
_OUTAGE = 60.0  # seconds for which a store may be away, as while its server restarts
_KNOCK = 0.5  # seconds between two attempts to reach it
_T = TypeVar("_T")
_MOST_DEATHS = 3
"""Number of workers that may die in one episode with the same player to move, or none, before it is cut off."""


class Progress(NamedTuple):
    """Progress of a run: stored and planned episodes, and for each agent its name, its points and its episodes.

    At this moment some agents are `compiling`, and matches between others are `playing`.
    """

    done: int
    total: int
    names: Sequence[str]
    points: np.ndarray
    played: np.ndarray
    compiling: Sequence[str] = ()
    playing: Sequence[Sequence[str]] = ()


class Ran(NamedTuple):
    """A tournament after a run: its number in the store, and the number of episodes played now."""

    id: int
    played: int


Watcher = Callable[[Progress], None]


def run(
    tournament: Tournament,
    store: Store,
    options: RunOptions = AS_USUAL,
    *,
    parts: Parts | None = None,
    kind: str = "run",
    watch: Watcher | None = None,
    tell: Callable[[str], None] | None = None,
) -> Ran:
    """Play the episodes that are not stored yet; without workers (0) in this process, where a hanging player hangs all.

    KeyboardInterrupt stops it cleanly: played episodes are stored, and the next run continues. `parts` are those of the
    plan, if there is one. `kind` is the command, for those who watch. `tell` receives notes for the user before
    anything is played.
    """
    tournament, parts = seeded_by_ratings(tournament, parts, store)
    stage = Stage(tournament, parts)
    format = format_from(tournament.format) if parts is None else parts.format
    found = Parts(stage.game, stage.agents, format)
    has_bots = any(agent.has_processes for agent in found.agents)
    cores = Cores.plan(options, together=has_bots and not stage.game.simultaneous)
    refuse_unsuited(stage, cores, options)
    with store.entered(tournament, versions(stage)) as entry, store.lock(entry.id) as lock:
        stored = store.grow(entry.id, tournament, versions(stage))
        stage = Stage(stored, found.reordered(tournament.agents, stored.agents))
        if tell is not None:
            for sentence in [*_stored_as(tournament, stored), *entry.changed, *advice(stage, cores, options)]:
                tell(sentence)
        sitting = store.sitting(entry.id, len(cores.workers), cores.available, options.timed)
        live_folder = live_run(store.live, kind, stored.name, stored.game, entry.id)
        with sitting, closing(stage), live_folder as live, on_one_core(cores.own), stopping() as stop:
            limits = [stage.limits(agent) for agent in range(len(stored.agents))]
            pool = Pool(stored, limits, cores.workers, options.patience, live) if cores.workers else None
            runner = _Runner(stage, format, store, entry.id, lock, pool, live, watch, stop)
            with pool or nullcontext():
                try:
                    runner.run()
                except KeyboardInterrupt:
                    runner.save()
                    runner.tell()
                    raise
                except LudusError:
                    runner.save()
                    raise
    return Ran(entry.id, runner.played)


def _stored_as(given: Tournament, stored: Tournament) -> list[str]:
    return (
        []
        if given.name == stored.name
        else [f"This tournament is already stored as '{stored.name}'; 'ludus store rename' changes its name."]
    )


def versions(stage: Stage) -> dict[str, str]:
    """Versions besides the tournament that influence results: of Ludus, and of the files of games, agents and bots."""
    found = {"ludus": __version__}
    for file in itertools.chain(stage.game.files(), *(agent.files() for agent in stage.agents)):
        if file.is_file():
            with suppress(PermissionError), file.open("rb") as content:  # some files may be executable but not readable
                found[str(file)] = hashlib.file_digest(content, "sha256").hexdigest()[:16]
    return found


class _Runner:
    def __init__(
        self,
        stage: Stage,
        format: Format,
        store: Store,
        id: int,
        lock: Lock,
        pool: Pool | None,
        live: LiveRun | None,
        watch: Watcher | None,
        stop: Stop,
    ) -> None:
        self._stage = stage
        self._tournament = stage.tournament
        self._store = store
        self._id = id
        self._lock = lock
        self._pool = pool
        self._live = live
        self._journal = live.journal() if live is not None and pool is None else None
        self._watch = watch
        self._stop = stop
        self._format = format
        self._exclusive = {n: agent.place for n, agent in enumerate(stage.agents) if agent.exclusive}
        self._meetings = MatchNames(self._tournament)
        self._meeting: dict[int, NamedMatch] = {}  # by the number of the match, of the present round
        self._deaths: Counter[tuple[Key, int | None]] = Counter()  # by the episode and the seat to move
        self._waiting: list[Episode] = []
        self._written = time.monotonic()
        self._pace: dict[tuple[int, ...], float] = {}  # seconds per episode of these agents
        self._names = [entrant.name for entrant in self._tournament.agents]
        self._playing: list[tuple[int, ...]] = []  # the match in this process
        self._points = np.zeros(len(self._tournament.agents))
        self._played = np.zeros(len(self._tournament.agents), np.int64)
        self._done = 0
        self._resuming = False
        self._arranged: dict[tuple[int, int], tuple[int, ...]] = {}
        seats = stage.game.seats
        matches = most_matches(self._tournament, self._format, seats)
        self._total = matches * self._tournament.episodes * self._tournament.repetitions
        self.played = 0

    def run(self) -> None:
        """Run every repetition, round after round."""
        self._recall()
        if self._live is not None:
            self._live.progress(self._done, max(self._total, self._done))
        seats = self._stage.game.seats
        for repetition in range(self._tournament.repetitions):
            rounds = arranged(self._tournament, self._format, seats, repetition)
            matches: list[Match] = next(rounds, [])
            first = 0
            while matches:
                self._refuse_other_matches(repetition, first, matches)
                self._outlast(partial(self._store.add_matches, self._id, repetition, first, matches))
                self._play(repetition, first, matches)
                last = first + len(matches)
                results = match_results(self._outlast(partial(self._store.tallies, self._id, repetition, first, last)))
                first = last
                try:
                    matches = rounds.send(results)
                except StopIteration:
                    break
        self._outlast(partial(self._store.finish, self._id))
        self.tell()

    def _refuse_other_matches(self, repetition: int, first: int, matches: Sequence[Match]) -> None:
        """Refuse a match of another version of a format: its episodes would be counted for the wrong agents."""
        for number, match in enumerate(matches, first):
            if self._arranged.get((repetition, number), match.seats) != match.seats:
                raise InvalidError(
                    f"Match {number + 1} of the stored '{self._tournament.name}' has different agents: this version "
                    "of Ludus and its libraries cannot continue it; play it under another name."
                )

    def _outlast(self, do: Callable[[], _T]) -> _T:
        """Do something with the store, again and again if it is away or busy; everything here can be done twice.

        A server that restarts has lost the lock of this tournament.
        """
        give_up = time.monotonic() + _OUTAGE
        while True:
            try:
                return do()
            except BusyError:
                self._stop.check()
                if time.monotonic() > give_up:
                    raise
            while True:
                time.sleep(_KNOCK)
                self._stop.check()
                try:
                    self._lock.renew()
                    break
                except BusyError:
                    if time.monotonic() > give_up:
                        raise

    def save(self) -> None:
        """Write played episodes before the workers are ended."""
        self._write()
        if self._pool is not None:
            self._waiting.extend(self._pool.drain())
            before = self.played
            self._write()
            self._done += self.played - before

    # --- A round --------------------------------------------------------------------------------------------------

    def _play(self, repetition: int, first: int, matches: Sequence[Match]) -> None:
        schedule = Schedule(
            matches,
            first,
            self._tournament.episodes,
            lambda matches, numbers: self._stored(repetition, matches, numbers),
            self._exclusive,
        )
        seats = {number: match.seats for number, match in enumerate(matches, first)}
        self._meeting = {
            number: self._meetings.add(repetition, match.round, match.seats)
            for number, match in enumerate(matches, first)
        }
        for episode in self._in_workers(repetition, schedule) if self._pool else self._here(repetition, schedule):
            self._take(episode, seats[episode.key.match])
        self._write()

    def _stored(self, repetition: int, matches: range, numbers: range) -> dict[int, np.ndarray]:
        if not self._resuming:
            return {}
        return self._outlast(partial(self._store.stored, self._id, repetition, matches, numbers))

    def _here(self, repetition: int, schedule: Schedule) -> Iterator[Episode]:
        ready: set[int] = set()
        while work := schedule.take(lambda _: _MOST_IN_TASK):
            prepare(self._stage.game, [self._stage.player(agent).agent for agent in work.seats if agent not in ready])
            ready.update(work.seats)
            self._playing = [work.seats]
            for number in work.numbers:
                self._stop.check()
                yield self._played_here(Key(repetition, work.match, number), work.seats)
            if self._journal is not None:
                self._journal.rest()
            schedule.done(work.seats)

    def _played_here(self, key: Key, seats: tuple[int, ...]) -> Episode:
        if self._journal is not None:
            self._journal.phase(Phase.PLAYING, key, seats)
        try:
            return self._stage.play(key, seats, self._meeting[key.match].game(key.number), self._journal)
        except LudusError:
            raise
        except Exception as error:
            raise failure(error, self._tournament.game, f"in {key}") from error

    def _in_workers(self, repetition: int, schedule: Schedule) -> Iterator[Episode]:
        pool = self._pool
        assert pool is not None
        while True:
            self._stop.check()
            while pool.can_take(ahead=False) and (work := schedule.take(self._most_in_task)):
                pool.give(repetition, work, self._meeting[work.match])
            while pool.can_take(ahead=True) and (work := schedule.take(self._most_ahead)):
                pool.give(repetition, work, self._meeting[work.match])
            if not pool.busy:
                return
            events = pool.listen()
            yield from events.episodes
            for seats in events.done:
                schedule.done(seats)
            for death in events.deaths:
                yield from self._after_death(death, schedule)
            self._write_if_due()

    def _most_in_task(self, seats: tuple[int, ...]) -> int:
        pace = self._pace.get(tuple(sorted(seats)))
        return max(1, min(_MOST_IN_TASK, int(_TASK / pace))) if pace else 1

    def _most_ahead(self, seats: tuple[int, ...]) -> int:
        """Slow episodes wait for a worker that is idle."""
        most = self._most_in_task(seats)
        return most if most > 1 else 0

    def _after_death(self, death: Death, schedule: Schedule) -> Iterator[Episode]:
        """Play again the episodes left by a dead worker; the one of its death only without blame.

        Compiling is without blame: an agent that cannot be compiled in advance plays without, and loses if it must.
        """
        for work in death.left:
            schedule.done(work.seats)
        first, *rest = death.left
        key = death.now.key
        if death.now.phase is Phase.PLAYING and key.match == first.match and key.number in first.numbers:
            at = key, death.now.seat
            self._deaths[at] += 1
            if death.blame is not None or self._deaths[at] == _MOST_DEATHS:
                if death.by_rules:
                    game = self._tournament.game
                    raise LudusError(f"The rules of {game} kill their process in {key}: run 'ludus check game {game}'.")
                # The step being played then is left out: it might kill this process too.
                journal = death.journal if death.now.seat is not None else death.journal[:-1]
                yield self._stage.cut_off(key, first.seats, journal, death.blame or death.suspect)
                first = first._replace(numbers=[number for number in first.numbers if number != key.number])
        for work in [*reversed(rest), first]:
            if work.numbers:
                schedule.again(work)

    # --- Episodes -------------------------------------------------------------------------------------------------

    def _take(self, episode: Episode, seats: tuple[int, ...]) -> None:
        agents = tuple(sorted(seats))
        pace = self._pace.get(agents)
        self._pace[agents] = episode.wall / 1e9 if pace is None else 0.9 * pace + 0.1 * episode.wall / 1e9
        self._waiting.append(episode)
        self._done += 1
        if episode.ending is not Ending.MACHINE:
            self._count(seats, episode.scores, 1)
        self._write_if_due()

    def _count(self, seats: Sequence[int], scores: Sequence[float], episodes: int) -> None:
        for agent, points in zip(seats, place_points(scores), strict=True):
            self._points[agent] += points * episodes
            self._played[agent] += episodes

    def _write_if_due(self) -> None:
        if time.monotonic() - self._written > _WRITE_AFTER:
            self._write()
            self.tell()

    def _write(self) -> None:
        if self._waiting:
            self.played += self._outlast(partial(self._store.add, self._id, self._waiting))
            self._waiting = []
        self._written = time.monotonic()

    def _recall(self) -> None:
        """Count the episodes stored before; while this process holds the lock, no other adds any."""
        for row in self._store.tallies(self._id).iter_rows(named=True):
            self._done += row["episodes"]
            if row["ending"] != Ending.MACHINE:
                self._count(row["seats"], row["scores"], row["episodes"])
        self._resuming = self._done > 0
        self._arranged = {
            (repetition, match): tuple(seats)
            for repetition, match, _, seats in self._store.matches(self._id).iter_rows()
        }

    def tell(self) -> None:
        """Report the progress to the watcher, if there is one."""
        compiling = self._pool.compiling() if self._pool else []
        total = max(self._total, self._done)
        if self._live is not None:
            self._live.progress(self._done, total, compiling)
        if self._watch is not None:
            names, pool = self._names, self._pool
            playing = [[names[agent] for agent in seats] for seats in (pool.playing() if pool else self._playing)]
            self._watch(Progress(self._done, total, names, self._points, self._played, compiling, playing))
