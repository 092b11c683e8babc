"""The number of files that a bot makes: empty files take no bytes, but a file system holds a limited number.

Every look compares how many files the file systems hold, which takes microseconds. Only if there are suspiciously many
more, the files themselves are counted, and only where the bot usually writes: others may be writing too.
"""

import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

_SHARED_MEMORY = "/dev/shm"
_SLACK = 20_000_000  # nanoseconds that the clock of a file system may lag behind
_MOST_SEEN = 200_000  # files and folders that are looked at: more would take seconds


class NewFiles:
    """Counts the files that have come into a bot's folder, the temporary folder and the shared memory."""

    def __init__(self, folder: Path) -> None:
        self._places = [place for place in (str(folder), tempfile.gettempdir(), _SHARED_MEMORY) if os.path.isdir(place)]
        self._file_systems = list({os.stat(place).st_dev: place for place in self._places}.values())
        self._since = time.time_ns() - _SLACK
        self._suspected = 0
        self._checked = 0
        self._last = self._held()

    def skip(self) -> None:
        """Leave out the files made since the last look, while the bot was stopped."""
        self._last = self._held()

    def exceed(self, limit: int) -> bool:
        """True if the bot has made more files than this."""
        now = self._held()
        self._suspected += max(0, now - self._last)
        self._last = now
        if self._suspected - self._checked <= limit:
            return False
        self._checked = self._suspected  # files of others: look again when as many have come
        return _more_than(limit, self._new())

    def _held(self) -> int:
        """Number of files, of anybody, on the file systems concerned."""
        held = 0
        for place in self._file_systems:
            try:
                status = os.statvfs(place)
            except OSError:
                continue
            held += status.f_files - status.f_ffree
        return held

    def _new(self) -> Iterator[str]:
        """Files and folders of this user that have been made or changed since the beginning."""
        me, seen = os.geteuid(), 0
        pending = list(self._places)
        while pending and seen < _MOST_SEEN:
            try:
                entries = list(os.scandir(pending.pop()))
            except OSError:
                continue
            seen += len(entries)
            for entry in entries:
                try:
                    status = entry.stat(follow_symlinks=False)
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                except OSError:
                    continue
                if status.st_uid == me and status.st_ctime_ns >= self._since:
                    yield entry.path


def _more_than(limit: int, files: Iterable[str]) -> bool:
    return any(number > limit for number, _ in enumerate(files, 1))
