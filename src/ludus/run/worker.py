"""A worker: a separate process that plays the episodes of its tasks, and never opens the store.

It is started with two open files: a socket to its parent, and the memory of its status.
"""

import ctypes
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection

import msgspec

from ludus.core.errors import LudusError, to_words
from ludus.core.startup import collect_rarely
from ludus.episode.cores import keep_to
from ludus.episode.finished import Episode
from ludus.episode.journal import Phase
from ludus.episode.record import Key
from ludus.episode.seating import prepare
from ludus.run.setup import Stage, failure
from ludus.run.status import Status
from ludus.tournaments.game_names import NamedMatch
from ludus.tournaments.tournament import Tournament

_SEND_AFTER = 50_000_000  # nanoseconds: often enough for a live view, rarely enough to cost nothing
_PR_SET_PDEATHSIG = 1


class Setup(msgspec.Struct, array_like=True, frozen=True):
    """The first message to a worker: the tournament, the worker's core, if any, and whether there are other workers.

    `with_memory` is true if the memory of any agent is limited.
    """

    tournament: Tournament
    core: int | None
    has_company: bool
    with_memory: bool


class Task(msgspec.Struct, array_like=True, frozen=True):
    """Episodes of one match; agents in `unready` are not prepared, because that failed before."""

    repetition: int
    match: int
    seats: tuple[int, ...]
    meeting: NamedMatch
    numbers: list[int]
    unready: list[int]


class Report(msgspec.Struct, array_like=True, frozen=True):
    """Played episodes, whether the task is done, and the error that ends the run, if any."""

    episodes: list[Episode]
    done: bool = False
    error: list[str] = []
    """Its kind and its sentence."""


class Worker:
    """The loop of a worker: take a task, play it, report."""

    def __init__(self, connection: Connection, status: Status, setup: Setup) -> None:
        self._connection = connection
        self._status = status
        self._stage = Stage(setup.tournament)
        self._has_company = setup.has_company
        self._ready: set[int] = set()

    @property
    def at(self) -> str:
        """The present episode, in words."""
        return str(self._status.now().key)

    def serve(self) -> None:
        """Play until the parent has gone."""
        try:
            while True:
                task = msgspec.msgpack.decode(self._connection.recv_bytes(), type=Task)
                self._status.bots = [
                    seat for seat, agent in enumerate(task.seats) if self._stage.player(agent).agent.has_processes
                ]
                self._make_ready(task)
                self._play(task)
        except EOFError:
            return
        finally:
            self._stage.close()

    def _make_ready(self, task: Task) -> None:
        key = Key(task.repetition, task.match, task.numbers[0])
        seats = [s for s, agent in enumerate(task.seats) if agent not in self._ready and agent not in task.unready]
        if not seats:
            return
        self._status.phase(Phase.IDLE, key, task.seats)  # it may wait for other workers to compile

        @contextmanager
        def during(place: int | None) -> Iterator[None]:
            self._status.phase(Phase.COMPILING, key, task.seats)
            if place is not None:
                self._status.thinking(seats[place], None)
            yield
            self._status.rest()

        prepare(self._stage.game, [self._stage.player(task.seats[seat]).agent for seat in seats], during)
        self._ready.update(task.seats[seat] for seat in seats)

    def _play(self, task: Task) -> None:
        played: list[Episode] = []
        due = time.monotonic_ns() + _SEND_AFTER
        for number in task.numbers:
            key = Key(task.repetition, task.match, number)
            self._status.phase(Phase.IDLE, key, task.seats)
            self._stage.claim(task.seats)
            self._status.phase(Phase.PLAYING, key, task.seats)
            played.append(self._stage.play(key, task.seats, task.meeting.game(number), self._status))
            if time.monotonic_ns() > due:
                self._send(Report(played))
                played = []
                due = time.monotonic_ns() + _SEND_AFTER
        self._status.rest()
        if self._has_company:
            self._stage.release(task.seats)
        self._send(Report(played, done=True))

    def _send(self, report: Report) -> None:
        self._connection.send_bytes(msgspec.msgpack.encode(report))


def main() -> None:
    """Serve the parent that started this process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent receives it, and decides
    _die_with_parent()
    connection = Connection(int(sys.argv[1]))
    worker = None
    try:
        setup = msgspec.msgpack.decode(connection.recv_bytes(), type=Setup)
        keep_to(setup.core)
        with open(int(sys.argv[2]), "r+b", buffering=0) as memory:
            status = Status(memory, with_memory=setup.with_memory)
        worker = Worker(connection, status, setup)
        collect_rarely()
        worker.serve()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception as error:
        where = f"in {worker.at}" if worker else "before an episode"
        found = failure(error, setup.tournament.game, where)
        connection.send_bytes(msgspec.msgpack.encode(Report([], error=to_words(found))))
        if not isinstance(error, LudusError | OSError):
            raise


def _die_with_parent() -> None:
    """Die as soon as the parent does, if the system can do that; otherwise the worker ends with its next report."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


if __name__ == "__main__":
    main()
