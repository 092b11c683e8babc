"""The status of a worker, in memory shared with its parent, because compiled code cannot receive signals.

The memory holds the thinking seat with its starting time, and a journal of the answers of the episode so far. From the
journal the parent makes the record of an episode whose worker died.
"""

import mmap
import operator
import os
import time
from collections.abc import Collection
from enum import IntEnum
from typing import Any, BinaryIO, NamedTuple

import psutil

from ludus.episode.cost import Cost
from ludus.episode.record import Fault, Key
from ludus.episode.request import Answer
from ludus.episode.waiting import waited_by_me

_HEAD = 11
_REPETITION, _MATCH, _NUMBER, _PHASE, _SEAT, _BOT, _SINCE, _GRANTED, _WAITED_BEFORE, _ANSWERS, _MEMORY = range(_HEAD)
# In _SEAT, 0 means none, so that new memory is valid.
_MOVE, _FAULT, _COST = range(3)
_WIDTH = _COST + len(Cost.__struct_fields__)
MOST_ANSWERS = 1 << 15
"""Number of answers kept; further answers are lost when the worker dies."""
SIZE = 8 * (_HEAD + _WIDTH * MOST_ANSWERS)

_NO_MOVE = -(2**63)
_FAULTS = list(Fault)


class Phase(IntEnum):
    """The present activity of a worker."""

    IDLE = 0
    COMPILING = 1
    PLAYING = 2


class Now(NamedTuple):
    """The activity of a worker since some monotonic time; `seat` is None if no player is thinking.

    `bot` is true if a process of its own thinks for that seat. `granted` is the seat's time on the referee's clock and,
    if limited, `waited` is the time that the worker had waited for a core before. `answers` counts those of the episode
    so far, and `memory` is the worker's memory without that seat, if memory is limited and the seat is not a bot's.
    """

    phase: Phase
    key: Key
    seat: int | None
    bot: bool
    since: int
    granted: int | None
    waited: int
    answers: int
    memory: int


class Status:
    """The shared memory, which the worker writes as the monitor of its episodes and the parent reads."""

    def __init__(self, file: BinaryIO, *, with_memory: bool = False) -> None:
        file.truncate(SIZE)
        self._map = mmap.mmap(file.fileno(), SIZE)
        self._cells = memoryview(self._map).cast("q")
        self._with_memory = with_memory
        self._held: dict[int, int] = {}  # bytes by seat, if memory is limited
        self.bots: Collection[int] = ()
        """The seats of bots, whose memory is measured elsewhere."""

    # --- The worker -----------------------------------------------------------------------------------------------

    def phase(self, phase: Phase, key: Key) -> None:
        """Note that a new activity begins."""
        cells = self._cells
        cells[_SEAT] = 0
        cells[_ANSWERS] = 0
        cells[_SINCE] = time.monotonic_ns()
        cells[_REPETITION], cells[_MATCH], cells[_NUMBER] = key
        cells[_PHASE] = phase
        self._held.clear()

    def thinking(self, seat: int, granted: int | None) -> None:
        """Note that a seat is asked."""
        cells = self._cells
        self._note_held()  # of the seat asked before, if answers come only after all have thought
        cells[_BOT] = seat in self.bots
        cells[_MEMORY] = memory_of(os.getpid()) - self._held.get(seat, 0) if self._measures(seat) else 0
        cells[_GRANTED] = -1 if granted is None else granted
        cells[_SINCE] = time.monotonic_ns()
        cells[_WAITED_BEFORE] = 0 if granted is None else waited_by_me()
        cells[_SEAT] = 1 + seat

    def answered(self, move: Any, fault: Fault | None, cost: Cost) -> None:
        """Note the answer of the seat."""
        cells = self._cells
        count = cells[_ANSWERS]
        if count < MOST_ANSWERS:
            at = _HEAD + count * _WIDTH
            try:
                cells[at + _MOVE] = operator.index(move)
            except Exception:  # an answer may be any object
                cells[at + _MOVE] = _NO_MOVE
            cells[at + _FAULT] = 0 if fault is None else 1 + _FAULTS.index(fault)
            for place, name in enumerate(Cost.__struct_fields__, at + _COST):
                cells[place] = getattr(cost, name)
            cells[_ANSWERS] = count + 1
        self._note_held()
        cells[_SEAT] = 0
        cells[_SINCE] = time.monotonic_ns()

    def _note_held(self) -> None:
        seat = self._cells[_SEAT] - 1
        if self._measures(seat):
            self._held[seat] = memory_of(os.getpid()) - self._cells[_MEMORY]

    def _measures(self, seat: int) -> bool:
        return self._with_memory and seat >= 0 and seat not in self.bots

    # --- The parent -----------------------------------------------------------------------------------------------

    def now(self) -> Now:
        """The present activity of the worker, or the last one before its death."""
        cells = self._cells
        seat, granted = cells[_SEAT], cells[_GRANTED]
        return Now(
            phase=Phase(cells[_PHASE]),
            key=Key(cells[_REPETITION], cells[_MATCH], cells[_NUMBER]),
            seat=seat - 1 if seat else None,
            bot=bool(seat and cells[_BOT]),
            since=cells[_SINCE],
            granted=None if granted < 0 else granted,
            waited=cells[_WAITED_BEFORE],
            answers=cells[_ANSWERS],
            memory=cells[_MEMORY],
        )

    def journal(self) -> list[Answer]:
        """The answers of the episode so far, beginning with each seat's preparation."""
        found = []
        for at in range(_HEAD, _HEAD + self._cells[_ANSWERS] * _WIDTH, _WIDTH):
            number, mark, *costs = self._cells[at : at + _WIDTH]
            move, fault = None if number == _NO_MOVE else number, _FAULTS[mark - 1] if mark else None
            found.append(Answer(move, fault=fault, cost=Cost(**dict(zip(Cost.__struct_fields__, costs, strict=True)))))
        return found


def memory_of(pid: int) -> int:
    """Bytes of memory of a process; 0 if the process is dead."""
    try:
        return psutil.Process(pid).memory_info().rss
    except psutil.Error:
        return 0
