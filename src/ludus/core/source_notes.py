"""Notes on what would be slow to import again, kept until a source of Ludus or of a plugin changes."""

import os
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any

from ludus.core.entry_points import packages
from ludus.core.notes import notes


def noted(about: str, make: Callable[[], Any]) -> Any:
    """The note about something, made now unless it is known; it has to be fit for JSON."""
    path, stamp = f"{about} in {__file__}", _stamp()
    with notes() as kept:
        if kept.has(path, stamp):
            return kept.of(path, stamp, make)
    made = make()  # which may take notes too
    with notes() as kept:
        return kept.of(path, stamp, lambda: made)


@cache
def _stamp() -> list[int]:
    """The number of sources, and the sum of the moments when each was changed."""
    times = [time for package in sorted({"ludus", *packages()}) for time in _times(package)]
    return [len(times), sum(times)]


def _times(package: str) -> Iterator[int]:
    spec = find_spec(package)
    if spec is None:
        return
    for folder in spec.submodule_search_locations or ():
        yield from _times_in(folder)
    if spec.submodule_search_locations is None and spec.origin:
        yield os.stat(spec.origin).st_mtime_ns


def _times_in(folder: str) -> Iterator[int]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                yield entry.stat().st_mtime_ns
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _times_in(entry.path)
