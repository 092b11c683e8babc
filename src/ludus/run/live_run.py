"""Runs that others on this machine can watch: a folder beside the store, with journals and progress.

Only its owner can read it. The folder is removed at the end; those of dead processes are removed by the next start.
"""

import os
import platform
import secrets
import shutil
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, TypeVar

import msgspec
import psutil

from ludus.episode.journal import Journal, new_file
from ludus.episode.rebuilt import GameCard

T = TypeVar("T")

CARD, PROGRESS, JOURNAL, GAME = "run.json", "progress.json", ".journal", ".json"
"""The files of a folder, and the endings of those of its feeds."""
_PART = ".part"
_OFTEN = 0.25  # seconds between two writings of the progress
_WINDOW = 20.0  # seconds of which the rate is the mean
_SAMPLE = 10  # episodes of which it is at least the mean
_SAME_START = 10.0  # seconds by which two readings of a start may differ, because clocks are set
_TRIES = 3
_LEFT = 86_400  # seconds without a change after which a folder counts as left, if its process cannot be asked for


class RunCard(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The fixed facts of a run: `kind` is its command, `started` the start of its process in seconds since 1970."""

    kind: str
    name: str
    game: str
    tournament: int | None = None
    begun: datetime
    pid: int
    started: float
    machine: str

    @property
    def alive(self) -> bool:
        """True if its process runs on this machine."""
        if self.machine != platform.node():
            return False
        try:
            return abs(psutil.Process(self.pid).create_time() - self.started) < _SAME_START
        except psutil.Error:
            return False


class ProgressCard(msgspec.Struct, omit_defaults=True):
    """The progress of a run: played and planned episodes, episodes per second, and agents being compiled.

    `total` is None if nobody knows it.
    """

    done: int = 0
    total: int | None = None
    rate: float | None = None
    compiling: list[str] = []


class LiveRun:
    """The folder of a run, for its writer."""

    def __init__(self, folder: Path, card: RunCard) -> None:
        self.folder = folder
        self._over = 0
        self._seen: deque[tuple[float, int]] = deque()
        self._written: ProgressCard | None = None
        self._due = 0.0
        part = folder.with_name(f"{_PART}{folder.name}")
        part.mkdir(0o700)
        _write(part / CARD, card)
        part.rename(folder)

    def journal_file(self, worker: int) -> BinaryIO | None:
        """A new file for the journal of a worker, in place of that of its predecessor; None if the disk is full."""
        return _new_file(self.folder / f"worker-{worker}{JOURNAL}")

    def journal(self) -> Journal | None:
        """The journal of this process, if it plays the episodes itself."""
        return _journal(self.folder / f"worker-1{JOURNAL}")

    def progress(self, done: int, total: int | None, compiling: Sequence[str] = ()) -> None:
        """Note the progress."""
        now = time.monotonic()
        if now < self._due and (self._written is None or self._written.compiling == list(compiling)):
            return
        self._due = now + _OFTEN
        self._note(now, done, total, compiling)

    def _note(self, now: float, done: int, total: int | None, compiling: Sequence[str]) -> None:
        noted = ProgressCard(done, total, self._rate(now, done), list(compiling))
        if noted != self._written:
            self._written = noted
            with suppress(OSError):
                _write(self.folder / PROGRESS, noted)

    def _rate(self, now: float, done: int) -> float | None:
        """Episodes per second up to the last one, over some seconds or else some episodes."""
        seen = self._seen
        if seen and seen[-1][1] == done:
            return None if self._written is None else self._written.rate  # readers need not hear of mere time
        seen.append((now, done))
        while len(seen) > 1 and now - seen[1][0] > _WINDOW and done - seen[1][1] >= _SAMPLE:
            seen.popleft()
        began, before = seen[0]
        return (done - before) / (now - began) if done > before else None

    # --- The ledger of games over a network -----------------------------------------------------------------------

    def open(self, card: GameCard) -> Journal | None:
        """A journal for a game, by the number on its card, in place of an earlier one; None if the disk is full."""
        path = self.folder / f"game-{card.number}{JOURNAL}"
        try:
            _write(path.with_suffix(GAME), card)
        except OSError:
            return None
        return _journal(path)

    def close(self, number: int) -> None:
        """Remove the journal of a game that is over; a viewer keeps what has been written."""
        with suppress(OSError):
            for ending in (JOURNAL, GAME):
                (self.folder / f"game-{number}{ending}").unlink(missing_ok=True)
        self._over += 1
        self._note(time.monotonic(), self._over, None, ())


@contextmanager
def live_run(live: Path, kind: str, name: str, game: str, tournament: int | None = None) -> Iterator[LiveRun | None]:
    """The folder of this run for as long as the block lasts; None if it cannot be made, for example on a full disk."""
    card = RunCard(
        kind=kind,
        name=name,
        game=game,
        tournament=tournament,
        begun=datetime.now(UTC),
        pid=os.getpid(),
        started=psutil.Process().create_time(),
        machine=platform.node(),
    )
    folder = live / secrets.token_hex(4)
    run = _made(folder, card)
    try:
        yield run
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        with suppress(OSError):  # others use it
            live.rmdir()


def _made(folder: Path, card: RunCard) -> LiveRun | None:
    live = folder.parent
    for _ in range(_TRIES):
        try:
            live.mkdir(0o700, parents=True, exist_ok=True)
            _remove_dead(live)
            return LiveRun(folder, card)
        except FileNotFoundError:  # another run has ended, and removed the folder of all
            continue
        except OSError:
            return None
    return None


def read_card(folder: Path) -> RunCard | None:
    """The card of a run; None if there is none that can be read."""
    return read_json(folder / CARD, RunCard)


def read_json(path: Path, kind: type[T]) -> T | None:
    """The content of a file; None if it is gone, or not of this version."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.MsgspecError):
        return None


def _remove_dead(live: Path) -> None:
    """Remove the folders of runs whose processes are gone."""
    for folder in live.iterdir():
        card = read_card(folder)
        if card is not None and card.machine == platform.node():
            is_dead = not card.alive
        else:  # being made, of another machine, or of another version
            is_dead = time.time() - _last_change(folder) > _LEFT
        if is_dead:
            shutil.rmtree(folder, ignore_errors=True)


def _last_change(folder: Path) -> float:
    try:
        return max(file.stat().st_mtime for file in (folder, *folder.iterdir()))
    except OSError:
        return time.time()


def _journal(path: Path) -> Journal | None:
    file = _new_file(path)
    if file is None:
        return None
    with file:
        return Journal(file)


def _new_file(path: Path) -> BinaryIO | None:
    try:
        return new_file(path)
    except OSError:
        return None


def _write(path: Path, content: msgspec.Struct) -> None:
    part = path.with_name(f"{_PART}{path.name}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(content))
    part.replace(path)
