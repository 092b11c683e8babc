"""Metrics that a bot writes to a file, move by move: CSV with semicolons, read after the episode.

The header is `Turn;Time;Iterations;…`, and there is a line for each move, with its text in the column `Turn`. Moves may
lack a line; a bot's first move often does.
"""

import csv
import os
import re
import stat
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ludus.core.text import finite_float, plural, spoken_size

LONGEST_TEXT = 200
"""Limit on the letters of a metric, and of its name."""
MOST_METRICS = 50
"""Limit on the metrics of a move."""
LARGEST = 1 << 20
"""Limit on the bytes of a file."""

_MOST_FILES = 100  # looked into for metrics under another name
_MOVE = "Turn"
_ENDING = ".csv"
_SLACK = 20_000_000  # nanoseconds that the clock of the file system may lag behind
_COARSE_SLACK = 2 * 10**9  # for file systems without fractions of a second


class Metrics(NamedTuple):
    """Metrics for each move, empty if the files have none, and notes on errors in the files."""

    of_moves: list[dict[str, Any]]
    remarks: list[str]


class _BadFileError(Exception):
    """A file is unusable; the message continues a sentence that begins with its name."""


def read_metrics(folder: Path, match_name: str, moves: Sequence[str], since: int) -> Metrics:
    """Read the metrics of these moves from files in a bot's folder whose names begin with the name of the match.

    Files older than `since`, in nanoseconds since 1970, belong to another episode of the same name. If there are none
    of this episode, metrics under another name are reported.
    """
    found = Metrics([{} for _ in moves], [])
    try:
        with os.scandir(folder) as entries:
            files = sorted(entry.name for entry in entries if entry.name.endswith(_ENDING))
    except OSError as error:
        found.remarks.append(f"runs in a folder that cannot be read: {error.strerror}")
        return found
    # The name of another match may begin with this one, as in cup_1_1_10.
    own = re.compile(rf"{re.escape(match_name)}(?!\d)")
    names = [name for name in files if own.match(name)]
    if not names:
        found.remarks.extend(_elsewhere(folder, files, match_name, since))
    for name in names:
        shown = name.encode(errors="replace").decode()
        try:
            for sentence in _read_file(folder / name, moves, since, found.of_moves):
                found.remarks.append(f"wrote {shown}, {sentence}")
        except _BadFileError as error:
            found.remarks.append(f"wrote {shown}, {error}")
    return found


def _elsewhere(folder: Path, files: Sequence[str], match_name: str, since: int) -> Iterator[str]:
    """Remarks on metrics of this episode under other names; those of other matches of the tournament are not meant."""
    tournament = match_name.partition("_")[0]
    for name in files[:_MOST_FILES]:
        if name.startswith(f"{tournament}_"):
            continue
        try:
            header = _text(folder / name, since).partition("\n")[0]
        except _BadFileError:
            continue
        if _MOVE in [cell.strip() for cell in header.split(";")]:
            shown = name.encode(errors="replace").decode()
            yield f"wrote metrics to {shown}, which was not read: their file's name must begin with {match_name}"


def _read_file(file: Path, moves: Sequence[str], since: int, of_moves: list[dict[str, Any]]) -> Iterator[str]:
    """Add the metrics of a file to the moves; yield errors in its lines."""
    rows = _rows(_text(file, since))
    header = [cell.strip() for cell in next(rows, (0, [""]))[1]]
    if _MOVE not in header:
        raise _BadFileError(f"which has no header with a column {_MOVE}")
    place = header.index(_MOVE)
    names = [name[:LONGEST_TEXT] for name in header]
    if sum(bool(name) for name in names) > MOST_METRICS + 1:
        raise _BadFileError(f"which has more than {MOST_METRICS} columns of metrics and was not read")
    even: list[list[str]] = []
    uneven = []
    for number, row in rows:
        if len(row) == len(header) or (len(row) > len(header) and not any(row[len(header) :])):
            even.append(row)
        else:
            uneven.append(number)
    if uneven:
        yield f"in which {_lines(len(uneven))} another number of columns than the header, such as line {uneven[0]}"
    found = _places([row[place] for row in even], moves)
    for row, move in zip(even, found, strict=True):
        if move is not None:
            cells = zip(names, row, strict=False)
            of_moves[move] |= {
                name: number_or_text(cell) for name, cell in cells if name and name != _MOVE and cell.strip()
            }
    if strangers := found.count(None):
        yield f"in which {_lines(strangers)} a move that it did not make"


def _text(file: Path, since: int) -> str:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
        with open(descriptor, "rb") as opened:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise _BadFileError("which is not a plain file")
            changed = status.st_mtime_ns
            if changed + (_SLACK if changed % 10**9 else _COARSE_SLACK) < since:
                raise _BadFileError("which is older than this episode and was not read")
            data = opened.read(LARGEST + 1)
    except IsADirectoryError:
        raise _BadFileError("which is a folder") from None
    except OSError as error:
        raise _BadFileError(f"which cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise _BadFileError(f"which is larger than {spoken_size(LARGEST)} and was not read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _BadFileError("which is not UTF-8") from None


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Lines that are not empty, with their numbers."""
    reader = csv.reader(text.splitlines(), delimiter=";")
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as error:
        raise _BadFileError(f"which is not CSV: {error}") from None


def _places(texts: Sequence[str], moves: Sequence[str]) -> list[int | None]:
    """Match the texts to moves: the earliest in the same order; all but the first if there is one text less."""
    wanted, made = [_plain(text) for text in texts], [_plain(move) for move in moves]
    if len(made) > 1 and wanted == made[1:]:
        return list(range(1, len(made)))
    places: dict[str, list[int]] = {}
    for place, text in enumerate(made):
        places.setdefault(text, []).append(place)
    found: list[int | None] = []
    begin = 0
    for text in wanted:
        among = places.get(text, [])
        at = bisect_left(among, begin)
        if at < len(among):
            found.append(among[at])
            begin = among[at] + 1
        else:
            found.append(None)
    return found


def _plain(text: str) -> str:
    return text.strip().lower()


def _lines(count: int) -> str:
    return plural(count, "line has", "lines have")


def number_or_text(text: str) -> int | float | str:
    """Convert a metric to a number if possible, or cut the text."""
    for read in (int, finite_float):
        try:
            return read(text)
        except ValueError:
            continue
    return text.strip()[:LONGEST_TEXT]
