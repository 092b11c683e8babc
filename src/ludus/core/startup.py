"""Garbage collection of long-running processes."""

import gc

_NEW_OBJECTS = 10_000  # between two looks: a record has many small ones, and no cycles


def collect_rarely() -> None:
    """Look for garbage seldom, and never among what is there by now: modules stay.

    Otherwise it would take its time from episodes, and as long as reading a million of them from the store.
    """
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
