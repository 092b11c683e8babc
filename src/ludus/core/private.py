"""Files and folders of the user alone: made so, and recognised where others could change them."""

import contextlib
import grp
import os
import pwd
import stat
from pathlib import Path

FOLDER = 0o700
FILE = 0o600


def make_folder(folder: Path) -> None:
    """Make a folder, and the missing ones above it, for its owner alone; an own one is taken from the others."""
    missing = [above for above in (folder, *folder.parents) if not above.exists()]
    for new in reversed(missing):
        new.mkdir(FOLDER, exist_ok=True)
    if not missing and is_changed_by_others(folder):
        with contextlib.suppress(PermissionError):
            folder.chmod(stat.S_IMODE(folder.stat().st_mode) & FOLDER)


def make_file(file: Path) -> None:
    """Make an empty file for its owner alone, unless it exists."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))


def is_changed_by_others(file: Path | int) -> bool:
    """True if the permissions of a file or a folder let users other than its owner and root change it.

    A folder such as /tmp, where users cannot touch each other's files, is safe, and so is the group that many systems
    make for each user.
    """
    status = os.stat(file)
    if stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX:
        return False
    return bool(status.st_mode & stat.S_IWOTH) or (
        bool(status.st_mode & stat.S_IWGRP) and not _is_group_of(status.st_gid, status.st_uid)
    )


def is_own(file: Path | int) -> bool:
    """True if a file or a folder belongs to this user or to root, and nobody else can change it."""
    return os.stat(file).st_uid in (0, os.geteuid()) and not is_changed_by_others(file)


def _is_group_of(group: int, user: int) -> bool:
    """True if a group is there for one user."""
    try:
        found = grp.getgrgid(group)
        name = pwd.getpwuid(user).pw_name
    except KeyError:
        return group == user
    return found.gr_name == name and set(found.gr_mem) <= {name}
