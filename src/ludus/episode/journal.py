"""The journal of the episode being played, in memory that other processes can read: who thinks, and all answers.

Its writer never waits for a reader. A sequence lock tells readers to look again if they looked during a change.
"""

import mmap
import operator
import os
import time
from collections.abc import Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from struct import Struct, error
from typing import Any, BinaryIO, NamedTuple, Self

from msgspec.structs import asdict

from ludus.episode.cost import Cost
from ludus.episode.record import Fault, Key, Preparation
from ludus.episode.request import Answer
from ludus.kernel.numbers import MOST_PLAYERS

_FORMAT = 0x4C_55_44_55_53_01  # changed with the layout
_MARK, _PID, _SEQUENCE, _GENERATION, _PHASE, _REPETITION, _MATCH, _NUMBER = range(8)
_SEAT, _SINCE, _GRANTED, _ANSWERS, _SEATS = range(8, 13)
# In _SEAT, 0 means none, so that new memory is valid.
_AGENTS = 13
OWN = _AGENTS + MOST_PLAYERS
"""The first of three cells of the head that belong to a derived class."""
_HEAD = OWN + 3
_TEXT = 40  # bytes of a move that is not a number
_ENTRY = Struct(f"=7q{_TEXT}s")
MOST_ANSWERS = 1 << 15
"""Number of answers kept of an episode; further answers are lost."""
SIZE = 8 * _HEAD + _ENTRY.size * MOST_ANSWERS
_LIKELY = 8 * _HEAD + _ENTRY.size * 512
"""Bytes reserved on disk: a full disk must not surprise a game later."""

_NO_MOVE, _HAS_TEXT = -(2**63), -(2**63) + 1
_MARKS: dict[Fault | None, int] = {None: 0} | {fault: number for number, fault in enumerate(Fault, 1)}
_FAULTS = list(_MARKS)
_TRIES = 20


class Phase(IntEnum):
    """The present activity of a player of episodes."""

    IDLE = 0
    COMPILING = 1
    PLAYING = 2


class Head(NamedTuple):
    """The present activity: `seat` is None if no player is thinking.

    `seats` are the numbers of the agents, seat by seat. `generation` is different for every episode, also if one is
    played again. `since` is the monotonic time of the last change, and `granted` the nanoseconds of the thinking seat.
    """

    pid: int
    generation: int
    phase: Phase
    key: Key
    seats: tuple[int, ...]
    seat: int | None
    since: int
    granted: int | None
    answers: int


class Noted(NamedTuple):
    """An answer in the journal, of the player at a seat; a move that is not a number is a short text."""

    seat: int
    answer: Answer


class Journal:
    """The shared memory: its writer is the monitor of its episodes, and anyone with the file can read it."""

    def __init__(self, file: BinaryIO, *, writes: bool = True) -> None:
        if writes:
            file.truncate(SIZE)
        self._map = mmap.mmap(file.fileno(), SIZE, access=mmap.ACCESS_WRITE if writes else mmap.ACCESS_READ)
        self._cells = memoryview(self._map)[: 8 * _HEAD].cast("q")
        if writes:
            self._cells[_MARK], self._cells[_PID] = _FORMAT, os.getpid()

    @classmethod
    def create(cls, path: Path) -> Self:
        """A journal in a new file, which only its owner can read."""
        with new_file(path) as file:
            return cls(file)

    @classmethod
    def read(cls, path: Path) -> Self | None:
        """The journal in a file of another process; None if there is none that this version can read."""
        try:
            with path.open("rb") as file:
                if os.fstat(file.fileno()).st_size != SIZE:
                    return None
                found = cls(file, writes=False)
        except (OSError, ValueError):
            return None
        return found if found._cells[_MARK] == _FORMAT else None

    # --- The writer -----------------------------------------------------------------------------------------------

    def phase(self, phase: Phase, key: Key, seats: Sequence[int] = ()) -> None:
        """Note that a new activity begins, with these agents; the journal of the episode before is gone."""
        cells = self._cells
        cells[_SEQUENCE] += 1
        cells[_GENERATION] += 1  # first, so that nobody takes new answers for old ones
        cells[_SEAT] = 0
        cells[_ANSWERS] = 0
        cells[_SINCE] = time.monotonic_ns()
        cells[_REPETITION], cells[_MATCH], cells[_NUMBER] = key
        cells[_SEATS] = len(seats)
        for place, agent in enumerate(seats, _AGENTS):
            cells[place] = agent
        cells[_PHASE] = phase
        cells[_SEQUENCE] += 1

    def rest(self) -> None:
        """Note that nothing is being played; the journal of the last episode remains."""
        cells = self._cells
        cells[_SEQUENCE] += 1
        cells[_SEAT] = 0
        cells[_SINCE] = time.monotonic_ns()
        cells[_PHASE] = Phase.IDLE
        cells[_SEQUENCE] += 1

    def thinking(self, seat: int, granted: int | None) -> None:
        """Note that a seat is asked."""
        cells = self._cells
        cells[_SEQUENCE] += 1
        cells[_GRANTED] = -1 if granted is None else granted
        cells[_SINCE] = time.monotonic_ns()
        cells[_SEAT] = 1 + seat
        cells[_SEQUENCE] += 1

    def answered(self, seat: int, move: Any, fault: Fault | None, cost: Cost) -> None:
        """Note the answer of a seat; those of the preparation come first."""
        cells = self._cells
        count = cells[_ANSWERS]
        if count < MOST_ANSWERS:
            at, mark = 8 * _HEAD + count * _ENTRY.size, _MARKS[fault]
            number, text = (move, b"") if type(move) is int else _as_number(move)
            try:
                _ENTRY.pack_into(self._map, at, seat, number, mark, cost.wall, cost.cpu, cost.waited, cost.memory, text)
            except error:  # a move beyond 64 bits
                text = _as_text(move)
                _ENTRY.pack_into(
                    self._map, at, seat, _HAS_TEXT, mark, cost.wall, cost.cpu, cost.waited, cost.memory, text
                )
            count += 1
        cells[_SEQUENCE] += 1
        cells[_ANSWERS] = count
        cells[_SEAT] = 0
        cells[_SINCE] = time.monotonic_ns()
        cells[_SEQUENCE] += 1

    @property
    def asked(self) -> int | None:
        """The seat that is thinking."""
        seat = self._cells[_SEAT]
        return seat - 1 if seat else None

    # --- Readers --------------------------------------------------------------------------------------------------

    def head(self, *, torn: bool = False) -> Head | None:
        """The present activity, or the last one before the writer's death.

        None if the writer changes it all the time, or died while it did; with `torn`, what is there even so.
        """
        for _ in range(_TRIES):
            before = self._cells[_SEQUENCE]
            cells = self._cells[:OWN].tolist()
            if before % 2 == 0 and before == self._cells[_SEQUENCE]:
                return _head(cells)
        return _head(cells) if torn else None

    def noted(self, head: Head, known: int = 0) -> list[Noted] | None:
        """The answers of the episode of this head beyond the known ones; None if another episode has begun."""
        size = _ENTRY.size
        copied = self._map[8 * _HEAD + known * size : 8 * _HEAD + head.answers * size]
        return list(map(_noted, _ENTRY.iter_unpack(copied))) if self._cells[_GENERATION] == head.generation else None


def _as_number(move: Any) -> tuple[int, bytes]:
    """A move as a number, or else as a text."""
    if move is None:
        return _NO_MOVE, b""
    try:
        return operator.index(move), b""
    except Exception:  # an answer may be any object, with code of its own
        return _HAS_TEXT, _as_text(move)


def _as_text(move: Any) -> bytes:
    try:
        text = move if isinstance(move, str) else repr(move)
        return text.encode(errors="replace")[:_TEXT]
    except Exception:
        return type(move).__name__.encode(errors="replace")[:_TEXT]


def _head(cells: list[int]) -> Head:
    seat, granted = cells[_SEAT], cells[_GRANTED]
    return Head(
        pid=cells[_PID],
        generation=cells[_GENERATION],
        phase=Phase(cells[_PHASE]),
        key=Key(cells[_REPETITION], cells[_MATCH], cells[_NUMBER]),
        seats=tuple(cells[_AGENTS : _AGENTS + cells[_SEATS]]),
        seat=seat - 1 if seat else None,
        since=cells[_SINCE],
        granted=None if granted < 0 else granted,
        answers=cells[_ANSWERS],
    )


def _noted(entry: tuple[Any, ...]) -> Noted:
    seat, number, mark, wall, cpu, waited, memory, text = entry
    move: Any = number
    if number in (_NO_MOVE, _HAS_TEXT):
        move = None if number == _NO_MOVE else text.rstrip(b"\0").decode(errors="replace")
    cost = Cost(wall=wall, cpu=cpu, waited=waited, memory=memory)
    return Noted(seat, Answer(move, fault=_FAULTS[mark], cost=cost))


def preparations(noted: Sequence[Noted], seats: int) -> Iterator[Preparation]:
    """The preparations of this many seats, with which a journal begins."""
    for _, answer in noted[:seats]:
        yield Preparation(answer.fault, **asdict(answer.cost))


def new_file(path: Path) -> BinaryIO:
    """Open a new file for a journal, in place of an old one that others may be reading."""
    path.unlink(missing_ok=True)
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "r+b", buffering=0)
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file.fileno(), 0, _LIKELY)
    except OSError:
        file.close()
        path.unlink()
        raise
    return file
