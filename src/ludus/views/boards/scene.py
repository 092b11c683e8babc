"""A canvas of shapes: the one description of a board that SVG and the browser both draw."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from PIL import ImageFont

from ludus.kernel.state import Array
from ludus.views.boards.canvas import Box, Canvas, Point
from ludus.views.boards.contours import Contour
from ludus.views.boards.fonts import Font

Shape = tuple[str, tuple[tuple[str, str], ...], str]
"""A shape: its SVG tag, its attributes in order, and its text."""
Frame = list[int]
"""A position: the numbers of its shapes in a film, in drawing order."""
Edit = list[int]
"""A change of a frame: where, how many shapes go, and the shapes that come."""

_FINE = 8.0  # pixels per unit for measuring text
_SHARP = 2  # pixels per unit that painters assume
_ANCHORS = {"l": "start", "m": "middle", "r": "end"}


class Scene(Canvas):
    """A drawing of at most `width` × `height` units, as shapes without a background."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height, _FINE)
        self.shapes: list[Shape] = []
        self._left = self._top = math.inf
        self._right = self._bottom = -math.inf

    @property
    def extent(self) -> Box:
        """The smallest box around everything drawn so far."""
        if self._left > self._right:
            return Box(0, 0, self.width, self.height)
        return Box(self._left, self._top, self._right - self._left, self._bottom - self._top)

    def pixels(self, units: float) -> float:
        return units * _SHARP

    def rectangle(self, box: Box, fill: str | None = None, line: str | None = None, width: float = 1) -> None:
        self._reach(box.x, box.y, box.x + box.width, box.y + box.height)
        if line is not None:
            box = Box(box.x + width / 2, box.y + width / 2, box.width - width, box.height - width)
        self._add("rect", *_sides(box), *_paint(fill, line, width))

    def rounded(self, box: Box, radius: float, fill: str) -> None:
        self._reach(box.x, box.y, box.x + box.width, box.y + box.height)
        self._add("rect", *_sides(box), ("rx", _short(radius)), *_paint(fill))

    def disc(
        self, centre: Point, radius: float, fill: str | None = None, line: str | None = None, width: float = 1
    ) -> None:
        x, y = centre
        self._reach(x - radius, y - radius, x + radius, y + radius)
        if line is not None:
            radius -= width / 2
        self._add("circle", ("cx", _short(x)), ("cy", _short(y)), ("r", _short(radius)), *_paint(fill, line, width))

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        self._reach_points(points)
        self._add("polygon", ("points", _corners(points)), *_paint(fill))

    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None:
        self._reach_points(points, width / 2)
        self._add("polyline", ("points", _corners(points)), ("stroke-linejoin", "round"), *_paint(None, colour, width))

    def segments(self, segments: Sequence[tuple[Point, Point]], colour: str, width: float = 1) -> None:
        self._reach_points([point for segment in segments for point in segment], width / 2)
        way = "".join(f"M{_short(a)} {_short(b)}L{_short(c)} {_short(d)}" for (a, b), (c, d) in segments)
        self._add("path", ("d", way), *_paint(None, colour, width))

    def contour(self, contour: Contour, box: Box, fill: str | None, line: str | None = None, width: float = 1) -> None:
        self._reach(box.x, box.y, box.x + box.width, box.y + box.height)
        place = f"translate({_short(box.x)} {_short(box.y)}) scale({_short(box.width / contour.size, 4)})"
        stroke = _paint(fill, line, width * contour.size / box.width)
        joins = (("stroke-linejoin", "round"), ("stroke-linecap", "round")) if line is not None else ()
        self._add("path", ("d", contour.way), ("transform", place), *joins, *stroke)

    def cells(self, box: Box, colours: Array) -> None:
        """Draw the runs of each colour in a row as one shape, on a background of the most frequent colour.

        A move on the board thus changes few shapes.
        """
        self._reach(box.x, box.y, box.x + box.width, box.y + box.height)
        rows, columns = colours.shape[:2]
        wide, high = box.width / columns, box.height / rows
        codes = colours.astype(np.int64) @ np.array([1 << 16, 1 << 8, 1])
        kinds, counts = np.unique(codes, return_counts=True)
        ground = int(kinds[counts.argmax()])
        self._add("rect", *_sides(box), ("fill", f"#{ground:06x}"))
        for row in np.flatnonzero((codes != ground).any(axis=1)).tolist():
            self.shapes += _row(codes[row].tobytes(), ground, box.x, box.y + (row + 0.5) * high, wide, high)

    def _write(self, at: Point, text: str, font: Font, size: float, colour: str, anchor: str) -> None:
        ascent, descent = font.getmetrics() if isinstance(font, ImageFont.FreeTypeFont) else (size * _FINE, 0)
        down = {"a": ascent / _FINE, "m": (ascent - descent) / 2 / _FINE, "s": 0.0}[anchor[1]]
        if text:
            # The measured length, whatever font the viewer has.
            length = font.getlength(text) / _FINE
            left = at[0] - {"l": 0.0, "m": length / 2, "r": length}[anchor[0]]
            middle = at[1] + down - size * 0.36
            self._reach(left, middle - size * 0.5, left + length, middle + size * 0.5)
            more = (("textLength", _short(length)), ("lengthAdjust", "spacingAndGlyphs"))
            self._letters((at[0], at[1] + down), text, size, colour, _ANCHORS[anchor[0]], *more)

    def letter(self, at: Point, letter: str, size: float, colour: str) -> None:
        self._reach(at[0] - size / 2, at[1] - size, at[0] + size / 2, at[1] + size * 0.3)
        family = ("font-family", "DejaVu Sans Mono, Menlo, Consolas, monospace")
        self._letters(at, letter, size, colour, "middle", family)

    def _letters(self, at: Point, text: str, size: float, colour: str, anchor: str, *more: tuple[str, str]) -> None:
        place = (("x", _short(at[0])), ("y", _short(at[1])), ("font-size", _short(size)), ("text-anchor", anchor))
        self._add("text", *place, ("fill", colour), *more, text=_printable(text))

    def _add(self, tag: str, *attributes: tuple[str, str], text: str = "") -> None:
        self.shapes.append((tag, attributes, text))

    def _reach(self, left: float, top: float, right: float, bottom: float) -> None:
        self._left, self._top = min(self._left, left), min(self._top, top)
        self._right, self._bottom = max(self._right, right), max(self._bottom, bottom)

    def _reach_points(self, points: Sequence[Point], margin: float = 0.0) -> None:
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if xs:
            self._reach(min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)


class Film:
    """The different shapes of several positions, each once; a frame names those of one position."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self._numbers: dict[tuple[Shape, int], int] = {}

    def add(self, shapes: Iterable[Shape]) -> Frame:
        """The frame of a position; new shapes are added at the end of `shapes`.

        A shape that a position has twice gets two numbers, so that a number stands for one element.
        """
        frame: Frame = []
        seen: Counter[Shape] = Counter()
        for shape in shapes:
            which = shape, seen[shape]
            seen[shape] += 1
            number = self._numbers.get(which)
            if number is None:
                number = self._numbers[which] = len(self.shapes)
                self.shapes.append(shape)
            frame.append(number)
        return frame

    def plain(self, first: int = 0) -> list[list[Any]]:
        """The shapes from a number on, as JSON has them."""
        return [plain(shape) for shape in self.shapes[first:]]


def plain(shape: Shape) -> list[Any]:
    """A shape as JSON has it: `[tag, {attribute: value}, text]`."""
    tag, attributes, text = shape
    return [tag, dict(attributes), text] if text else [tag, dict(attributes)]


def runs(frame: Frame) -> list[list[int]]:
    """A frame as runs `[first, last]` of consecutive numbers."""
    found: list[list[int]] = []
    for number in frame:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def edits(before: Frame, after: Frame) -> list[Edit]:
    """The changes that make one frame of another: `[at, gone, come, …]`, in order, at places of the changed frame."""
    if before == after:
        return []
    old_place = {number: place for place, number in enumerate(before)}
    coming = Counter(after)
    found: list[Edit] = []
    i = at = 0
    open_at = -1  # the place right after the last edit, which may be extended
    for number in after:
        while i < len(before) and before[i] != number and (not coming[before[i]] or old_place.get(number, -1) >= i):
            if open_at != at:
                found.append([at, 0])
            found[-1][1] += 1
            open_at = at
            i += 1
        coming[number] -= 1
        if i < len(before) and before[i] == number:
            i += 1
        else:
            if open_at != at:
                found.append([at, 0])
            found[-1].append(number)
            open_at = at + 1
        at += 1
    if i < len(before):
        if open_at != at:
            found.append([at, 0])
        found[-1][1] += len(before) - i
    return found


def edited(frame: Frame, changes: Iterable[Edit]) -> Frame:
    """The frame that follows by these changes."""
    after = list(frame)
    for at, gone, *come in changes:
        after[at : at + gone] = come
    return after


@lru_cache(4096)
def _row(codes: bytes, ground: int, left: float, middle: float, wide: float, high: float) -> list[Shape]:
    """The shapes of a row of cells, one for each colour; most rows are as they were in the position before."""
    row = np.frombuffer(codes, np.int64)
    ways: dict[int, list[str]] = defaultdict(list)
    edges = [0, *(np.flatnonzero(np.diff(row)) + 1).tolist(), len(row)]
    for first, end in pairwise(edges):
        if row[first] != ground:
            start, length = _short(left + first * wide), _short((end - first) * wide)
            ways[int(row[first])].append(f"M{start} {_short(middle)}h{length}")
    found: list[Shape] = []
    for code, parts in ways.items():
        stroke = ("stroke", f"#{code:06x}"), ("stroke-width", _short(high)), ("shape-rendering", "crispEdges")
        found.append(("path", (("d", "".join(parts)), *stroke), ""))
    return found


@lru_cache(1 << 16)
def _short(number: float, digits: int = 2) -> str:
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")


def _sides(box: Box) -> tuple[tuple[str, str], ...]:
    return ("x", _short(box.x)), ("y", _short(box.y)), ("width", _short(box.width)), ("height", _short(box.height))


def _corners(points: Sequence[Point]) -> str:
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in points)


def _paint(fill: str | None, line: str | None = None, width: float = 1) -> tuple[tuple[str, str], ...]:
    stroke = () if line is None else (("stroke", line), ("stroke-width", _short(width)))
    return (("fill", fill or "none"), *stroke)


def _printable(text: str) -> str:
    """The text without characters that XML does not allow."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
