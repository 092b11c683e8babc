"""Worker processes seen from their parent: tasks out, episodes in, and a watch for workers that hang or die."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from multiprocessing.connection import Connection, wait
from typing import BinaryIO, NamedTuple

import msgspec

from ludus.core.errors import LudusError, from_words
from ludus.core.temporary import temporary_folder
from ludus.core.text import spoken_size
from ludus.episode import verdict
from ludus.episode.finished import Episode
from ludus.episode.journal import Noted, Phase
from ludus.episode.limits import Limits
from ludus.episode.record import Fault
from ludus.episode.waiting import waited_by
from ludus.run.live_run import LiveRun
from ludus.run.schedule import Work
from ludus.run.status import Now, Status, memory_of
from ludus.run.worker import Report, Setup, Task
from ludus.tournaments.game_names import NamedMatch
from ludus.tournaments.run_options import PATIENCE
from ludus.tournaments.tournament import Tournament

COMPILING = 600 * 10**9
"""Nanoseconds allowed for compiling an agent in advance; after that it compiles on its own clock."""

_SLACK = 500_000_000  # nanoseconds beyond that, before a worker is ended
_TURNS = 0.05  # seconds between two looks at the workers; less if memory is limited
_TURNS_FOR_MEMORY = 0.01
_GUILTY = {signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP, signal.SIGSYS}
_MOST_STARTS = 20
_FAREWELL = 2.0  # seconds for an idle worker to release its bots
_MOST_LOG = 1 << 20


class Blame(NamedTuple):
    """The blame for a worker's death: a seat, its fault with the evidence, and the time it had been thinking."""

    seat: int
    fault: Fault
    evidence: str
    wall: int


class Death(NamedTuple):
    """The death of a worker; without blame the worker may have been killed from outside.

    `left` is its unplayed work; the episode of its death, if any, is the first of the first part.
    """

    now: Now
    journal: list[Noted]
    blame: Blame | None
    suspect: Blame | None
    left: list[Work]
    by_rules: bool
    """True if it died by itself while no player was thinking."""


class Events(NamedTuple):
    """Events since the last call: played episodes, finished tasks (by their seats), and deaths."""

    episodes: list[Episode]
    done: list[tuple[int, ...]]
    deaths: list[Death]


class Process:
    """One worker process."""

    def __init__(self, setup: Setup, temporary: str, journal: BinaryIO | None) -> None:
        self.core = setup.core
        self.works: deque[Work] = deque()  # work not played yet; the first is current
        ours, theirs = socket.socketpair()
        with journal or tempfile.TemporaryFile() as memory, theirs:
            self.status = Status(memory)
            self._log = tempfile.TemporaryFile("a+b")  # noqa: SIM115
            fds = theirs.fileno(), memory.fileno()
            self._process = subprocess.Popen(
                # -P, because a user's file called random.py would replace Python's.
                [sys.executable, "-P", "-m", "ludus.run.worker", *map(str, fds)],
                pass_fds=fds,
                stdin=subprocess.DEVNULL,
                stdout=self._log,
                stderr=self._log,
                env={**os.environ, "TMPDIR": temporary},
                process_group=0,
            )
        self.connection = Connection(ours.detach())
        self.send(setup)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, message: msgspec.Struct) -> None:
        """Send a message; a dead worker is noticed elsewhere."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.connection.send_bytes(msgspec.msgpack.encode(message))

    @property
    def dead(self) -> bool:
        """True if the process has ended."""
        return self._process.poll() is not None

    def end(self, patience: float = 0) -> int:
        """Kill the worker and its children if they are alive after this many seconds; return the exit status."""
        if patience:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
        with suppress(ProcessLookupError, PermissionError):  # macOS raises PermissionError for dead processes
            os.killpg(self.pid, signal.SIGKILL)
        return self._process.wait()

    def keep_log_short(self) -> None:
        """Truncate the worker's log if it is long, since an agent may print endlessly."""
        if os.fstat(self._log.fileno()).st_size > _MOST_LOG:
            self._log.truncate(0)

    def last_words(self) -> str:
        """The last line that the worker wrote to its standard streams."""
        self._log.seek(max(0, os.fstat(self._log.fileno()).st_size - 4096))
        lines = self._log.read().decode(errors="replace").split("\n")
        return next((line.strip()[:300] for line in reversed(lines) if line.strip()), "")


class Pool:
    """Workers, each with at most two tasks: a current one and a next one. A dead worker is replaced."""

    def __init__(
        self,
        tournament: Tournament,
        limits: Sequence[Limits],
        cores: Sequence[int | None],
        patience: int = PATIENCE,
        live: LiveRun | None = None,
    ) -> None:
        """`limits` are those of each agent; a worker is started for each core."""
        self._live = live
        self._tournament = tournament
        self._limits = limits
        self._with_memory = any(each.memory is not None for each in limits)
        self._patience = patience
        self._unready: set[int] = set()
        self._starts = 0  # consecutive failures to start
        self._events = Events([], [], [])  # received, until `listen` returns them
        self._open = ExitStack()
        self._temporary = self._open.enter_context(temporary_folder())
        """Folder for files of the workers and their bots, since killed processes do not clean up."""
        self._has_company = len(cores) > 1
        self._processes = [self._start(place, core) for place, core in enumerate(cores)]
        self._turns = _TURNS_FOR_MEMORY if self._with_memory else _TURNS

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, *exception: object) -> None:
        for process in self._processes:
            process.connection.close()
        for process in self._processes:
            process.end(_FAREWELL if not process.works else 0)
        self._open.close()

    def _start(self, place: int, core: int | None) -> Process:
        journal = self._live.journal_file(place + 1) if self._live is not None else None
        try:
            setup = Setup(self._tournament, core, self._has_company, self._with_memory)
            return Process(setup, str(self._temporary), journal)
        except OSError as error:
            raise LudusError(
                f"This machine cannot start another worker: {error.strerror}; use fewer workers."
            ) from None

    def can_take(self, ahead: bool) -> bool:
        """True if a worker can take a task: an idle one, or with `ahead` one without a next task."""
        return len(self._freest().works) <= ahead

    @property
    def busy(self) -> bool:
        """True if any worker has work to do."""
        return any(process.works for process in self._processes)

    def compiling(self) -> list[str]:
        """Names of the agents that are being compiled now."""
        names = []
        for process in self._processes:
            now = process.status.now()
            if now.phase is Phase.COMPILING and process.works and now.seat is not None:
                names.append(self._tournament.agents[process.works[0].seats[now.seat]].name)
        return names

    def playing(self) -> list[tuple[int, ...]]:
        """The agents, seat by seat, of each match that is being played now."""
        return [
            process.works[0].seats
            for process in self._processes
            if process.works and process.status.now().phase is Phase.PLAYING
        ]

    def give(self, repetition: int, work: Work, meeting: NamedMatch) -> None:
        """Give episodes to the worker with the least work."""
        process = self._freest()
        process.works.append(work)
        process.send(Task(repetition, work.match, work.seats, meeting, list(work.numbers), sorted(self._unready)))

    def _freest(self) -> Process:
        return min(self._processes, key=lambda process: len(process.works))

    def listen(self) -> Events:
        """Wait a moment, and return the events."""
        events = self._events
        ready = set(wait([process.connection for process in self._processes], self._turns))
        for place, process in enumerate(self._processes):
            process.keep_log_short()
            accused = None
            dead = process.dead  # checked before its last message is read, so that none is lost
            if process.connection in ready:
                dead = not self._receive(process, events) or dead
            elif not dead:
                accused = self._overrun(process)
                dead = accused is not None
            if dead:
                events.deaths.extend(self._collect_dead(process, accused, events))
                self._processes[place] = self._start(place, process.core)
        self._events = Events([], [], [])
        return events

    def drain(self) -> list[Episode]:
        """Episodes that workers have sent but `listen` has not returned yet."""
        events = self._events
        for process in self._processes:
            with suppress(LudusError, OSError):  # a broken worker must not hold back the episodes of others
                self._receive_all(process, events)
        return events.episodes

    def _receive_all(self, process: Process, events: Events) -> None:
        while process.connection.poll() and self._receive(process, events):
            pass

    def _receive(self, process: Process, events: Events) -> bool:
        """Read a report; False if there was none, or the worker has ended."""
        try:
            report = msgspec.msgpack.decode(process.connection.recv_bytes(), type=Report)
        except (EOFError, OSError):  # OSError if it was killed while sending
            return False
        if report.error:
            raise from_words(report.error)
        self._starts = 0
        events.episodes.extend(report.episodes)
        work = process.works[0]
        played = {episode.key.number for episode in report.episodes}
        process.works[0] = work._replace(numbers=[number for number in work.numbers if number not in played])
        if report.done:
            events.done.append(process.works.popleft().seats)
        return True

    def _overrun(self, process: Process) -> tuple[Now, Blame] | None:
        """The seat that has been thinking for too long or holds too much memory."""
        now = process.status.now()
        if now.phase is Phase.IDLE or not process.works:
            return None
        took = time.monotonic_ns() - now.since
        if now.seat is None:
            self._watch_rules(now, took)
            return None
        seats = process.works[0].seats
        limits = self._limits[seats[now.seat]]
        if now.phase is Phase.COMPILING:
            granted, did = COMPILING, "compiling"
        else:
            ready = now.answers >= len(seats)
            granted, did = self._allowed(limits, now.granted, ready), "thinking" if ready else "getting ready"
        waited = waited_by(process.pid) - now.waited if took > granted and now.granted is not None else 0
        if took - waited > granted:
            return now, Blame(now.seat, *verdict.overrun(did, took, waited), took)
        most = limits.memory
        if most is None or now.bot or now.phase is not Phase.PLAYING:
            return None
        if (held := memory_of(process.pid) - now.memory) > most:
            evidence = f"held {spoken_size(held)} with a limit of {spoken_size(most)}, and was ended"
            return now, Blame(now.seat, Fault.FAILED, evidence, took)
        return None

    def _watch_rules(self, now: Now, took: int) -> None:
        if took > (COMPILING if now.phase is Phase.COMPILING else self._patience):
            game = self._tournament.game
            raise LudusError(f"The rules of {game} hang in {now.key}: run 'ludus check game {game}'.")

    def _allowed(self, limits: Limits, granted: int | None, ready: bool) -> int:
        """Nanoseconds after which a player counts as hanging; late answers that may still count are waited for."""
        if granted is None:
            return self._patience
        return verdict.patience(limits, granted, starting=not ready) + _SLACK

    def _collect_dead(self, process: Process, accused: tuple[Now, Blame] | None, events: Events) -> Iterator[Death]:
        """Collect the results of a dead worker; an accused one is killed first.

        A bot is at most suspected: it has its own process, and the worker would have ended it in time, but it may have
        killed the worker.
        """
        status = process.end()
        self._receive_all(process, events)
        process.connection.close()
        if not process.works:
            return  # it was idle, or finished its task after all
        now, works = process.status.now(), list(process.works)
        blame = accused[1] if accused and accused[0] == now and not now.bot else None
        suspect = None
        if accused is None and now.seat is not None:
            did = f"{_how(status, process)}{' each time that it was to move' if now.bot else ''}"
            suspect = Blame(now.seat, Fault.FAILED, f"its worker process {did}", time.monotonic_ns() - now.since)
            if _self_inflicted(status) and not now.bot:
                blame = suspect
        if blame is None and now.phase is not Phase.PLAYING:
            self._count_start(now, status, process)
        if blame and now.phase is Phase.COMPILING:
            self._unready.add(works[0].seats[blame.seat])
        is_rules = accused is None and now.seat is None and now.phase is Phase.PLAYING and _self_inflicted(status)
        yield Death(now, process.status.journal(), blame, suspect, works, is_rules)

    def _count_start(self, now: Now, status: int, process: Process) -> None:
        """Count a worker that died before an episode without an agent's fault; too many of them end the run."""
        self._starts += 1
        if now.phase is Phase.COMPILING and _self_inflicted(status):
            game = self._tournament.game
            raise LudusError(f"The rules of {game} kill their process: run 'ludus check game {game}'.")
        if self._starts > _MOST_STARTS:
            raise LudusError(
                f"Worker processes fail to start: {process.last_words() or 'one ' + _how(status, process)}."
            )


def _self_inflicted(status: int) -> bool:
    return status >= 0 or -status in _GUILTY


def _how(status: int, process: Process) -> str:
    if status >= 0:
        words = process.last_words()
        return f"ended with status {status}" + (f": {words}" if words else "")
    try:
        return f"was killed by signal {-status} ({signal.Signals(-status).name})"
    except ValueError:  # an unnamed signal
        return f"was killed by signal {-status}"
