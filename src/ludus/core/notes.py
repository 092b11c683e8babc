"""Cached facts about files and folders, valid until these change."""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ludus.core.paths import cache_folder
from ludus.core.private import FILE, is_own, make_folder

_FILE = "names-1.json"  # change the number with the format of the facts
_MOST = 1000


class Notes:
    """The facts about each path, with a stamp that shows if they are still valid."""

    def __init__(self, kept: dict[str, Any]) -> None:
        self.kept = kept
        self.used: set[str] = set()
        self.is_new = False

    def has(self, path: str, stamp: list[int]) -> bool:
        """True if there is a note on a path with this stamp."""
        found = self.kept.get(path)
        return isinstance(found, list) and len(found) == 2 and found[0] == stamp

    def of(self, path: str, stamp: list[int], make: Callable[[], Any]) -> Any:
        """The fact about a path, computed if there is none with this stamp; it must be convertible to JSON."""
        self.used.add(path)
        if self.has(path, stamp):
            return self.kept[path][1]
        note = make()
        self.kept[path] = [stamp, note]
        self.is_new = True
        return note


@contextlib.contextmanager
def notes() -> Iterator[Notes]:
    """The cached facts, which are written at the end. A damaged or unwritable file does no harm."""
    file = cache_folder() / _FILE
    kept: Any = None
    with contextlib.suppress(OSError, ValueError, RecursionError):
        if is_own(file):
            kept = json.loads(file.read_bytes())
    found = Notes(kept if isinstance(kept, dict) else {})
    yield found
    if not found.is_new:
        return
    if len(found.kept) > _MOST:
        found.kept = {path: note for path, note in found.kept.items() if path in found.used}
    with contextlib.suppress(OSError):
        make_folder(file.parent)
        part = file.with_name(f"{_FILE}.{os.getpid()}")
        with open(part, "w", encoding="utf-8", opener=partial(os.open, mode=FILE)) as written:
            written.write(json.dumps(found.kept))
        part.replace(file)
