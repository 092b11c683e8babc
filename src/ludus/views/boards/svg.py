"""A canvas of shapes: SVG, for print, which stays sharp at any size."""

from collections import defaultdict
from collections.abc import Sequence
from html import escape
from itertools import pairwise

import numpy as np
from PIL import ImageFont

from ludus.kernel.state import Array
from ludus.views.boards.canvas import Box, Canvas, Point
from ludus.views.boards.colours import PAPER
from ludus.views.boards.fonts import Font

_FINE = 8.0  # pixels of a unit for text that is measured
_SHARP = 2  # pixels of a unit that painters reckon with
_ANCHORS = {"l": "start", "m": "middle", "r": "end"}


class Svg(Canvas):
    """A picture of `width` × `height` units, as shapes."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height, _FINE)
        self._shapes: list[str] = []
        self.rectangle(Box(0, 0, width, height), PAPER)

    def source(self, width: float | None = None) -> str:
        """The picture as it is now, shown with this width in pixels; without, with one pixel a unit."""
        width = width or self.width
        height = width * self.height / self.width
        size = f'viewBox="0 0 {self.width} {self.height}" width="{_short(width)}" height="{_short(height)}"'
        fonts = 'font-family="Helvetica, Arial, Liberation Sans, DejaVu Sans, sans-serif"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {fonts}>'
        return "\n".join([head, *self._shapes, "</svg>", ""])

    def pixels(self, units: float) -> float:
        return units * _SHARP

    def rectangle(self, box: Box, fill: str | None = None, line: str | None = None, width: float = 1) -> None:
        if line is not None:
            box = Box(box.x + width / 2, box.y + width / 2, box.width - width, box.height - width)
        self._add(f"<rect {_sides(box)} {_paint(fill, line, width)}/>")

    def rounded(self, box: Box, radius: float, fill: str) -> None:
        self._add(f'<rect {_sides(box)} rx="{_short(radius)}" {_paint(fill)}/>')

    def disc(
        self, centre: Point, radius: float, fill: str | None = None, line: str | None = None, width: float = 1
    ) -> None:
        if line is not None:
            radius -= width / 2
        x, y = centre
        self._add(f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}" {_paint(fill, line, width)}/>')

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        self._add(f'<polygon points="{_corners(points)}" {_paint(fill)}/>')

    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None:
        self._add(f'<polyline points="{_corners(points)}" stroke-linejoin="round" {_paint(None, colour, width)}/>')

    def cells(self, box: Box, colours: Array) -> None:
        """Runs of one colour in a row are one shape, on a ground of the colour that most cells have."""
        rows, columns = colours.shape[:2]
        wide, high = box.width / columns, box.height / rows
        codes = colours.astype(np.int64) @ np.array([1 << 16, 1 << 8, 1])
        kinds, counts = np.unique(codes, return_counts=True)
        ground = int(kinds[counts.argmax()])
        shapes: dict[int, list[str]] = defaultdict(list)
        for row in range(rows):
            edges = [0, *(np.flatnonzero(np.diff(codes[row])) + 1).tolist(), columns]
            for left, right in pairwise(edges):
                x, y, width = box.x + left * wide, box.y + row * high, (right - left) * wide
                shape = f"M{_short(x)} {_short(y)}h{_short(width)}v{_short(high)}h-{_short(width)}z"
                shapes[int(codes[row, left])].append(shape)
        self._add(f'<rect {_sides(box)} fill="#{ground:06x}"/>')
        for code, parts in shapes.items():
            if code != ground:
                self._add(f'<path fill="#{code:06x}" shape-rendering="crispEdges" d="{"".join(parts)}"/>')

    def _write(self, at: Point, text: str, font: Font, size: float, colour: str, anchor: str) -> None:
        ascent, descent = font.getmetrics() if isinstance(font, ImageFont.FreeTypeFont) else (size * _FINE, 0)
        down = {"a": ascent / _FINE, "m": (ascent - descent) / 2 / _FINE, "s": 0.0}[anchor[1]]
        # As long as it was measured to be, whatever font the viewer has.
        length = f' textLength="{_short(font.getlength(text) / _FINE)}" lengthAdjust="spacingAndGlyphs"'
        self._letters((at[0], at[1] + down), text, size, colour, _ANCHORS[anchor[0]], length if text else "")

    def letter(self, at: Point, letter: str, size: float, colour: str) -> None:
        self._letters(at, letter, size, colour, "middle", ' font-family="DejaVu Sans Mono, Menlo, Consolas, monospace"')

    def _letters(self, at: Point, text: str, size: float, colour: str, anchor: str, more: str = "") -> None:
        place = f'x="{_short(at[0])}" y="{_short(at[1])}" font-size="{_short(size)}" text-anchor="{anchor}"'
        self._add(f'<text {place} fill="{colour}"{more}>{escape(_printable(text))}</text>')

    def _add(self, shape: str) -> None:
        self._shapes.append(shape)


def _short(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _sides(box: Box) -> str:
    return f'x="{_short(box.x)}" y="{_short(box.y)}" width="{_short(box.width)}" height="{_short(box.height)}"'


def _corners(points: Sequence[Point]) -> str:
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in points)


def _paint(fill: str | None, line: str | None = None, width: float = 1) -> str:
    stroke = "" if line is None else f' stroke="{line}" stroke-width="{_short(width)}"'
    return f'fill="{fill or "none"}"{stroke}'


def _printable(text: str) -> str:
    """Without what XML has no place for."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)
