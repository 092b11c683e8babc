"""Values that are computed once per state of the store, and served while the next ones are computed."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Event, Lock
from typing import Any, Generic, Protocol, TypeVar

PATIENCE = 0.1
"""Seconds that a visitor waits for a newer value before the one at hand is served."""
LEAST_REST = 0.5
"""Seconds between two looks at the store for the same value."""
_SHARE = 0.1  # of one core, at most, that computing one value anew takes


class Computed(Protocol):
    """A value that can be served while it is computed."""

    def compute(self) -> None:
        """Compute it."""
        ...


K = TypeVar("K", bound=Hashable)
V = TypeVar("V", bound=Computed)


class _Slot(Generic[V]):
    def __init__(self) -> None:
        self.value: V | None = None
        self.begun = Event()
        self.job: Future[None] | None = None
        self.next = 0.0


class Kept(Generic[K, V]):
    """Values by key; only the last used ones are kept.

    `make` returns the value that it is given, if that one still holds, or a new one that is not computed yet.
    """

    def __init__(self, pool: ThreadPoolExecutor, make: Callable[[K, V | None], V], most: int) -> None:
        self._pool = pool
        self._make = make
        self._most = most
        self._slots: OrderedDict[K, _Slot[V]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: K) -> V:
        """The value; if there is none yet, it is still being computed."""
        slot = self._asked(key)
        job = slot.job
        assert job is not None
        if slot.value is None:
            slot.begun.wait()
        else:
            wait([job], PATIENCE)
        return slot.value or self._failed(key, job)

    def at_hand(self, key: K) -> V | None:
        """The value if it can be had at once; if not, it will be computed."""
        return self._asked(key).value

    def _asked(self, key: K) -> _Slot[V]:
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
            self._slots.move_to_end(key)
            if len(self._slots) > self._most:
                self._slots.popitem(last=False)
            if slot.job is None or (slot.job.done() and time.monotonic() >= slot.next):
                slot.begun.clear()
                slot.job = self._pool.submit(self._renew, key, slot)
            return slot

    def _failed(self, key: K, job: "Future[None]") -> Any:
        with self._lock:
            self._slots.pop(key, None)
        job.result()  # raises what went wrong
        raise AssertionError("a value that is neither there nor failed")

    def _renew(self, key: K, slot: _Slot[V]) -> None:
        begin, before = time.monotonic(), slot.value
        try:
            new = self._make(key, before)
            if new is before:
                return
            if before is None:
                slot.value = new
                slot.begun.set()
            try:
                new.compute()
            except BaseException:
                slot.value = before
                raise
            slot.value = new
        finally:
            changed = slot.value is not before
            spent = time.monotonic() - begin
            slot.next = time.monotonic() + max(LEAST_REST, spent / _SHARE if changed and before is not None else 0)
            slot.begun.set()
