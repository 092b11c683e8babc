"""Which cores processes run on: those of one episode share one, since waking another core takes longer than a move."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def can_pin() -> bool:
    """Whether this system can keep a process to some cores."""
    return hasattr(os, "sched_setaffinity")


USABLE: list[int] = sorted(os.sched_getaffinity(0)) if can_pin() else list(range(os.cpu_count() or 1))
"""The cores that this process could use when it began."""


def keep_to(core: int | None, pid: int = 0) -> None:
    """Keep a process, this one if none is named, to a core."""
    if core is not None and can_pin():
        os.sched_setaffinity(pid, [core])


def spread(pid: int, cores: int) -> None:
    """Let a process use so many cores, the one that it is on among them."""
    if can_pin():
        with suppress(OSError):  # it is dead already
            own = os.sched_getaffinity(pid)
            others = [core for core in USABLE if core not in own]
            os.sched_setaffinity(pid, [*own, *others][: max(cores, len(own))])


@contextmanager
def on_one_core(wanted: bool) -> Iterator[None]:
    """Keep this process, and what it starts, to one core meanwhile."""
    if not wanted or not can_pin():
        yield
        return
    before = os.sched_getaffinity(0)
    keep_to(max(before))  # the first one is where systems do their own work
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
