"""What a worker is doing, in memory that it shares with its parent: compiled code hears no signals.

The memory holds who is thinking and since when, and a journal of the answers of the episode so far. From the journal
the parent makes the record of an episode whose worker died.
"""

import mmap
import operator
import struct
import time
from enum import IntEnum
from typing import Any, BinaryIO, NamedTuple

from ludus.record import Fault
from ludus.tournaments.base import Key

_HEAD = 8
_REPETITION, _MATCH, _NUMBER, _PHASE, _SEAT, _SINCE, _ANSWERS, _MEMORY = range(_HEAD)
# In _SEAT, 0 is nobody: so memory that is new says that nobody is thinking.
_WIDTH = 4
_MOVE, _WALL, _CPU, _FAULT = range(_WIDTH)
MOST_ANSWERS = 1 << 15
"""Answers that are kept; those of a longer episode are lost when its worker dies."""
SIZE = 8 * (_HEAD + _WIDTH * MOST_ANSWERS)

_NO_MOVE = -(2**63)
_FAULTS = list(Fault)


class Phase(IntEnum):
    """What a worker is busy with."""

    IDLE = 0
    COMPILING = 1
    PLAYING = 2


class Answer(NamedTuple):
    """What a seat answered: a move (None if it is no number) or a fault, and the nanoseconds it took."""

    move: int | None
    wall: int
    cpu: int
    fault: Fault | None


class Now(NamedTuple):
    """What a worker is doing; `seat` is None where none of the players is thinking, `since` a monotonic time.

    `answers` counts those of the episode so far, `memory` the bytes held when it began, where memory is limited.
    """

    phase: Phase
    key: Key
    seat: int | None
    since: int
    answers: int
    memory: int


class Status:
    """The shared memory: the worker writes it as a monitor of its episodes, the parent reads it."""

    def __init__(self, file: BinaryIO) -> None:
        file.truncate(SIZE)
        self._map = mmap.mmap(file.fileno(), SIZE)
        self._cells = memoryview(self._map).cast("q")

    # --- The worker -----------------------------------------------------------------------------------------------

    def phase(self, phase: Phase, key: Key, seat: int | None = None, memory: int = 0) -> None:
        """Something new begins."""
        cells = self._cells
        cells[_SEAT] = 0
        cells[_ANSWERS] = 0
        cells[_MEMORY] = memory
        cells[_REPETITION], cells[_MATCH], cells[_NUMBER] = key
        cells[_PHASE] = phase
        if seat is not None:
            self.thinking(seat)

    def thinking(self, seat: int) -> None:
        """A seat is asked."""
        self._cells[_SINCE] = time.monotonic_ns()
        self._cells[_SEAT] = 1 + seat

    def answered(self, move: Any, wall: int, cpu: int, fault: Fault | None) -> None:
        """It answered."""
        cells = self._cells
        count = cells[_ANSWERS]
        if count < MOST_ANSWERS:
            at = _HEAD + count * _WIDTH
            try:
                cells[at + _MOVE] = operator.index(move)
            except (TypeError, ValueError, struct.error):
                cells[at + _MOVE] = _NO_MOVE
            cells[at + _WALL] = wall
            cells[at + _CPU] = cpu
            cells[at + _FAULT] = 0 if fault is None else 1 + _FAULTS.index(fault)
            cells[_ANSWERS] = count + 1
        cells[_SEAT] = 0

    # --- The parent -----------------------------------------------------------------------------------------------

    def now(self) -> Now:
        """What the worker is doing, or was doing when it died."""
        cells = self._cells
        seat = cells[_SEAT]
        key = Key(cells[_REPETITION], cells[_MATCH], cells[_NUMBER])
        return Now(
            Phase(cells[_PHASE]), key, seat - 1 if seat else None, cells[_SINCE], cells[_ANSWERS], cells[_MEMORY]
        )

    def journal(self) -> list[Answer]:
        """The answers of the episode so far, each seat's readiness first."""
        found = []
        for at in range(_HEAD, _HEAD + self._cells[_ANSWERS] * _WIDTH, _WIDTH):
            move, wall, cpu, fault = self._cells[at : at + _WIDTH]
            found.append(Answer(None if move == _NO_MOVE else move, wall, cpu, _FAULTS[fault - 1] if fault else None))
        return found
