"""Failures of code, mostly of users: what went wrong, and where."""

import os
import re
import sys
import traceback
from pathlib import Path

DEBUG = "LUDUS_DEBUG"
"""The variable in the environment that, if it is set, makes Ludus show tracebacks."""

users_folders: set[Path] = set()
"""Folders of the users' files that were imported."""

_LONGEST = 300
_COMPILED = re.compile(r'File "([^"\n]+)", line (\d+)')  # how Numba names a place


def gist(error: BaseException) -> str:
    """A summary of an exception on one line: its type, its message and, if known, the file and the line."""
    lines = [line.strip() for line in str(error).splitlines()]
    message = next((line for line in lines if line and not line.startswith("Failed in nopython mode")), "")
    words = f"{type(error).__name__}: {message}".removesuffix(": ").rstrip(".")[:_LONGEST]
    found = _place(error)
    return f"{words} ({Path(found[0]).name}, line {found[1]})" if found else words


def place_in_users_file(error: BaseException) -> tuple[str, int] | None:
    """The file and the line of a user's code that raised an exception, or called what raised it."""
    users = [place for place in _frames(error) if _is_users(place[0])]
    return users[-1] if users else None


def show_traceback(error: BaseException) -> None:
    """Print the traceback of an exception on standard error, if LUDUS_DEBUG is set."""
    if os.environ.get(DEBUG):
        traceback.print_exception(error, file=sys.stderr)


def _place(error: BaseException) -> tuple[str, int] | None:
    if isinstance(error, SyntaxError | NotImplementedError):  # its message says it
        return None
    compiled = [(file, int(line)) for file, line in _COMPILED.findall(str(error)) if _is_users(file)]
    if compiled:
        return compiled[-1]
    frames = _frames(error)
    deeper = [place for place in frames if place[0] != frames[0][0]]  # than where it is caught
    return place_in_users_file(error) or (deeper[-1] if deeper else None)


def _is_users(file: str) -> bool:
    return Path(file).parent in users_folders


def _frames(error: BaseException) -> list[tuple[str, int]]:
    return [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
