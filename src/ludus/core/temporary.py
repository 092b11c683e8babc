"""Temporary folders; those of killed processes are removed by the next process that needs one."""

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

_PREFIX = "ludus-temporary-"
_NEW = 60.0  # seconds for which a folder may not be locked yet


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder for the user alone, and remove it at the end.

    A lock shows that its process still lives: the system releases it even if that was killed.
    """
    _remove_stale(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some file systems have no locks
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        yield folder
    finally:
        os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


def _remove_stale(parent: Path) -> None:
    """Remove the folders of processes that are gone."""
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):
                    _remove_if_stale(entry.path)


def _remove_if_stale(path: str) -> None:
    lock = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        status = os.fstat(lock)
        if status.st_uid == os.geteuid() and time.time() - status.st_mtime > _NEW:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(lock)
