"""Errors whose text is meant for the user: one sentence that says what, where and what to do.

LudusError               any of the following, or a failure: rules that hang, a package that is not installed
├── NotFoundError        no game, agent, tournament, episode or file has that name
├── InvalidError         a value, a spec, the content of a file or a combination that cannot be used
├── BusyError            a store, a tournament or a port is used by another process
└── FileError            a file or a folder, `path`, that cannot be read or written
"""

from collections.abc import Sequence
from pathlib import Path

_LONGEST = 1000  # letters of a sentence; what users gave, and it repeats, may have any length


class LudusError(Exception):
    """A problem that the user can fix, in one sentence on one line."""

    def __str__(self) -> str:
        sentence = " ".join(str(self.args[0]).split()) if self.args else ""
        return sentence if len(sentence) <= _LONGEST else f"{sentence[: _LONGEST // 2]} … {sentence[-_LONGEST // 2 :]}"


class NotFoundError(LudusError):
    """Nothing with the given name exists."""


class InvalidError(LudusError):
    """A given value cannot be used."""


class BusyError(LudusError):
    """A resource is used by another process; the same may work later."""


class FileError(LudusError):
    """A file or a folder cannot be read or written."""

    def __init__(self, sentence: str, path: str | Path) -> None:
        super().__init__(sentence, path)  # both, for pickling
        self.path = Path(path)


_KINDS = {kind.__name__: kind for kind in (NotFoundError, InvalidError, BusyError, FileError)}


def to_words(error: LudusError) -> list[str]:
    """An error as words that another process can read back: its kind, its sentence, and the path if it has one."""
    return [type(error).__name__, *map(str, error.args)]


def from_words(words: Sequence[str]) -> LudusError:
    """The error that another process wrote as words."""
    kind, *args = words
    return _KINDS.get(kind, LudusError)(*args)
