"""Cores for the workers."""

from typing import NamedTuple

from ludus.core.errors import InvalidError
from ludus.episode.cores import can_pin, usable_cores


class Cores(NamedTuple):
    """How many cores there are, the core of each worker (None: any), and the one that this process keeps to."""

    available: int
    workers: list[int | None]
    own: int | None

    @classmethod
    def plan(cls, workers: int | None, timed: bool, together: bool = False) -> "Cores":
        """So many workers, or as many as make sense; `timed` gives each a core of its own, apart from this process.

        `together` keeps a worker and the bots that it starts on one core, which others may use too.
        """
        usable = usable_cores()
        if not timed:
            count = len(usable) if workers is None else workers
            kept = together and can_pin()
            own = usable[0] if kept and not count else None
            return cls(len(usable), [usable[i % len(usable)] if kept else None for i in range(count)], own)
        if workers == 0:
            raise InvalidError("Timed episodes need worker processes of their own: give at least one worker.")
        if not can_pin():
            raise InvalidError("This system cannot give a process a core of its own: leave out --timed.")
        apart: list[int | None] = [*(usable[1:] or usable)]
        if workers is not None and workers > len(apart):
            raise InvalidError(
                f"{workers} workers cannot each have a core of its own: this machine has {len(usable)}, and one is for "
                f"Ludus itself; take {len(apart)}."
            )
        return cls(len(usable), apart[:workers], usable[0])
