"""Garbage collection of long-running processes."""

import gc

_NEW_OBJECTS = 10_000  # between two collections: a record has many small objects, and no cycles


def collect_rarely() -> None:
    """Collect garbage rarely, and never among the present objects, such as modules.

    Otherwise collections would delay episodes, and take as long as reading a million of them from the store.
    """
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS)
