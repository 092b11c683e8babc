"""Cores for processes: those of one episode share a core, because waking another core takes longer than a move."""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def can_pin() -> bool:
    """True if this system can restrict a process to some cores."""
    return hasattr(os, "sched_setaffinity")


def usable_cores() -> list[int]:
    """Cores that this process may use, starting with its own, so that different processes spread out."""
    if not can_pin():
        return list(range(os.cpu_count() or 1))
    return _round_from(current_core(), sorted(os.sched_getaffinity(0)))


def current_core() -> int:
    """The core of this process; −1 if the system does not report it."""
    try:
        return int(ctypes.CDLL(None).sched_getcpu())
    except AttributeError:
        return -1


def _round_from(first: int, cores: list[int]) -> list[int]:
    return [core for core in cores if core >= first] + [core for core in cores if core < first]


_AT_FIRST = usable_cores()
"""Cores available to this process when it started; later it may be restricted to one."""


def keep_to(core: int | None, pid: int = 0) -> None:
    """Restrict a process, by default this one, to a core."""
    if core is not None and can_pin():
        os.sched_setaffinity(pid, [core])


def spread(pid: int, cores: int) -> None:
    """Let a process use this many cores: its present ones and the next."""
    if can_pin():
        with suppress(OSError):  # it has already ended
            own = sorted(os.sched_getaffinity(pid))
            others = [core for core in _round_from(own[0], sorted(_AT_FIRST)) if core not in own]
            os.sched_setaffinity(pid, [*own, *others][: max(cores, len(own))])


@contextmanager
def on_one_core(core: int | None) -> Iterator[None]:
    """Keep this process and its children to a core meanwhile, if one is given and the system can."""
    if core is None or not can_pin():
        yield
        return
    before = os.sched_getaffinity(0)
    keep_to(core)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
