"""Maps of ReversiXT: their text, those that come with Ludus, and a short form that fits into a spec."""

import base64
import binascii
import os
import re
import zlib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import NamedTuple

from ludus.errors import LudusError
from ludus.spec import did_you_mean

HOLE = "-"
SYMBOLS = "012345678-bcix"
"""Empty, the stones of players, a hole, and the special fields: bonus, choice, inversion, expansion."""
DX, DY = (0, 1, 1, 1, 0, -1, -1, -1), (-1, -1, 0, 1, 1, 1, 0, -1)
"""The eight directions, from north clockwise."""
MOST_FIELDS = 1 << 16
"""Larger maps are refused: their sides are numbers of two bytes, and a board must fit into memory many times."""

_PACKED = "~"
"""What the short form begins with."""
_LONGEST_TEXT = 1 << 22  # bytes of a map's text
_TRANSITION = re.compile(r"(\d+)\s+(\d+)\s+(\d)\s*<->\s*(\d+)\s+(\d+)\s+(\d)")


class Transition(NamedTuple):
    """Leaving (x1, y1) in direction r1 arrives at (x2, y2) and goes on in the direction opposite to r2; and back."""

    x1: int
    y1: int
    r1: int
    x2: int
    y2: int
    r2: int


class Map(NamedTuple):
    """What a map says."""

    players: int
    overrides: int
    bombs: int
    radius: int
    rows: tuple[str, ...]
    transitions: tuple[Transition, ...] = ()

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    def text(self) -> str:
        """The map as servers send it and files hold it."""
        head = f"{self.players}\n{self.overrides}\n{self.bombs} {self.radius}\n{self.height} {self.width}\n"
        rows = "".join(" ".join(row) + "\n" for row in self.rows)
        return head + rows + "".join("{} {} {} <-> {} {} {}\n".format(*way) for way in self.transitions)

    def packed(self) -> str:
        """The map in letters that may stand in a spec."""
        return _PACKED + base64.urlsafe_b64encode(zlib.compress(self.text().encode(), 9)).decode().rstrip("=")


def find_map(named: str) -> Map:
    """The map of that name, in that file, or in that short form."""
    if named.startswith(_PACKED):
        return _unpacked(named)
    if named in shipped_maps():
        return shipped_map(named)
    if not os.path.isfile(named):
        raise LudusError(
            f"reversixt: there is no map '{named}'{did_you_mean(named, shipped_maps())}: name a file, or one of "
            f"{', '.join(shipped_maps())}."
        )
    return read_map(named)


def is_named(text: str) -> bool:
    """Whether a text is the name of a map that comes with Ludus."""
    return text in shipped_maps()


@cache
def shipped_maps() -> tuple[str, ...]:
    """The names of the maps that come with Ludus."""
    return tuple(sorted(file.name.removesuffix(".map") for file in _folder().iterdir() if file.name.endswith(".map")))


@cache
def shipped_map(name: str) -> Map:
    """A map that comes with Ludus."""
    return parse_map(_folder().joinpath(f"{name}.map").read_text(encoding="ascii"))


def _folder() -> Traversable:
    return files("ludus.games.reversixt").joinpath("maps")


def read_map(path: str | Path) -> Map:
    """The map in a file; one sentence if it holds none."""
    try:
        with open(path, "rb") as file:
            data = file.read(_LONGEST_TEXT + 1)
        return parse_map(data.decode("ascii"))
    except OSError as error:
        raise LudusError(f"The map {path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise LudusError(f"{path} holds no map: it is not text.") from None
    except LudusError as error:
        raise LudusError(f"{path} holds no map: {error}") from None


def parse_map(text: str) -> Map:
    """The map that a text describes; one sentence with the line where it does not."""
    if len(text) > _LONGEST_TEXT:
        raise LudusError(f"it is longer than {_LONGEST_TEXT:,} characters.")
    lines = _Lines(text)
    (players,) = lines.numbers("the number of players", 1)
    if not 2 <= players <= 8:
        raise lines.wrong(f"{players} is no number of players from 2 to 8")
    (overrides,) = lines.numbers("the number of override stones", 1)
    bombs, radius = lines.numbers("the number of bombs and their radius", 2)
    height, width = lines.numbers("the height and the width", 2)
    if not 0 < height * width <= MOST_FIELDS:
        raise lines.wrong(f"a map of {height}×{width} fields should have 1 to {MOST_FIELDS:,}")
    rows = tuple(lines.row(width, players) for _ in range(height))
    transitions = tuple(lines.transitions(rows))
    return Map(players, overrides, bombs, radius, rows, transitions)


def _unpacked(named: str) -> Map:
    letters = named.removeprefix(_PACKED)
    try:
        data = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
        text = zlib.decompressobj().decompress(data, _LONGEST_TEXT).decode("ascii")
        return parse_map(text)
    except (ValueError, binascii.Error, zlib.error, LudusError):
        raise LudusError(
            f"reversixt: '{named[:20]}…' is no map: what begins with '{_PACKED}' is the short form that Ludus writes."
        ) from None


class _Lines:
    """The lines of a map, which know where they are."""

    def __init__(self, text: str) -> None:
        self._lines = [line.strip() for line in text.splitlines()]
        self._at = 0

    def wrong(self, what: str) -> LudusError:
        return LudusError(f"line {self._at}: {what}.")

    def _next(self, wanted: str) -> str:
        if self._at == len(self._lines):
            raise LudusError(f"line {self._at + 1} is missing, which should hold {wanted}.")
        self._at += 1
        return self._lines[self._at - 1]

    def numbers(self, what: str, count: int) -> list[int]:
        line = self._next(what)
        words = line.split()
        if len(words) != count or not all(re.fullmatch("[0-9]{1,9}", word) for word in words):
            raise self.wrong(f"'{line[:40]}' is not {what}")
        return [int(word) for word in words]

    def row(self, width: int, players: int) -> str:
        symbols = "".join(self._next(f"a row of {width} fields").split())
        allowed = set(SYMBOLS) - set(map(str, range(players + 1, 9)))
        if strange := sorted(set(symbols) - allowed):
            raise self.wrong(f"'{strange[0]}' is no field of a map for {players} players")
        if len(symbols) != width:
            raise self.wrong(f"the row has {len(symbols)} fields, not {width}")
        return symbols

    def transitions(self, rows: tuple[str, ...]) -> list[Transition]:
        found, ends = [], set()
        while self._at < len(self._lines):
            if not (line := self._next("a transition")):
                continue
            match = _TRANSITION.fullmatch(line)
            if match is None:
                raise self.wrong(f"'{line[:40]}' is no transition: write x1 y1 r1 <-> x2 y2 r2")
            way = Transition(*map(int, match.groups()))
            for end in {way[:3], way[3:]}:
                self._check_end(rows, *end)
                if end in ends:
                    raise self.wrong(f"{end[0]} {end[1]} {end[2]} has a transition already")
                ends.add(end)
            found.append(way)
        return found

    def _check_end(self, rows: tuple[str, ...], x: int, y: int, direction: int) -> None:
        if y >= len(rows) or x >= len(rows[0]):
            raise self.wrong(f"{x} {y} is not on the map")
        if rows[y][x] == HOLE:
            raise self.wrong(f"{x} {y} is a hole, from which nothing leads")
        if direction > 7:
            raise self.wrong(f"{direction} is no direction from 0 to 7")
