"""The status of a worker, in memory shared with its parent, because compiled code cannot receive signals.

It is the journal of the worker, with what its parent needs to end a hanging agent. From the journal the parent makes
the record of an episode whose worker died.
"""

import os
from collections.abc import Collection, Sequence
from typing import Any, BinaryIO, NamedTuple

import psutil

from ludus.episode.cost import Cost
from ludus.episode.journal import OWN, Journal, Noted, Phase
from ludus.episode.record import Fault, Key
from ludus.episode.waiting import waited_by_me

_BOT, _WAITED_BEFORE, _MEMORY = range(OWN, OWN + 3)


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


class Status(Journal):
    """The shared memory, which the worker writes as the monitor of its episodes and the parent reads."""

    def __init__(self, file: BinaryIO, *, writes: bool = True, with_memory: bool = False) -> None:
        super().__init__(file, writes=writes)
        self._with_memory = with_memory
        self._held: dict[int, int] = {}  # bytes by seat, if memory is limited
        self.bots: Collection[int] = ()
        """The seats of bots, whose memory is measured elsewhere."""

    # --- The worker -----------------------------------------------------------------------------------------------

    def phase(self, phase: Phase, key: Key, seats: Sequence[int] = ()) -> None:
        super().phase(phase, key, seats)
        self._held.clear()

    def thinking(self, seat: int, granted: int | None) -> None:
        cells = self._cells
        self._note_held()  # of the seat asked before, if answers come only after all have thought
        cells[_BOT] = seat in self.bots
        cells[_MEMORY] = memory_of(os.getpid()) - self._held.get(seat, 0) if self._measures(seat) else 0
        cells[_WAITED_BEFORE] = 0 if granted is None else waited_by_me()
        super().thinking(seat, granted)

    def answered(self, seat: int, move: Any, fault: Fault | None, cost: Cost) -> None:
        self._note_held()
        super().answered(seat, move, fault, cost)

    def _note_held(self) -> None:
        if self._with_memory and (seat := self.asked) is not None and self._measures(seat):
            self._held[seat] = memory_of(os.getpid()) - self._cells[_MEMORY]

    def _measures(self, seat: int) -> bool:
        return self._with_memory and seat not in self.bots

    # --- The parent -----------------------------------------------------------------------------------------------

    def now(self) -> Now:
        """The present activity of the worker, or the last one before its death."""
        head = self.head(torn=True)
        assert head is not None
        bot, waited, memory = self._cells[_BOT], self._cells[_WAITED_BEFORE], self._cells[_MEMORY]
        return Now(
            phase=head.phase,
            key=head.key,
            seat=head.seat,
            bot=head.seat is not None and bool(bot),
            since=head.since,
            granted=head.granted,
            waited=waited,
            answers=head.answers,
            memory=memory,
        )

    def journal(self) -> list[Noted]:
        """The answers of the episode so far, beginning with each seat's preparation."""
        head = self.head(torn=True)
        assert head is not None
        return self.noted(head) or []


def memory_of(pid: int) -> int:
    """Bytes of memory of a process; 0 if the process is dead."""
    try:
        return psutil.Process(pid).memory_info().rss
    except psutil.Error:
        return 0
