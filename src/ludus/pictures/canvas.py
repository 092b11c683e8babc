"""A surface to draw on in units that are not pixels: shapes without jagged edges, and text in every script there is."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ludus.pictures.colours import PAPER, rgb
from ludus.states import Array

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
Point = tuple[float, float]

_FINER = 2  # times finer than the picture is the drawing
_SMALLEST = 0.7  # of its size, that a long text may have
_NO_LETTER = "\uffff"
_PLAIN = str.maketrans("–—−×", "---x")
_WITH_MORE_LETTERS = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "Arial Unicode.ttf",
    "arial.ttf",
    "Arial.ttf",
)
_FOR_TERMINALS = ("DejaVuSansMono.ttf", "LiberationMono-Regular.ttf", "Menlo.ttc", "consola.ttf", "cour.ttf")


class Box(NamedTuple):
    """A place on a canvas."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        """Its middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def fitted(self, wide: float, high: float) -> "Box":
        """The largest box of these proportions in its middle."""
        size = min(self.width / wide, self.height / high)
        x, y = self.centre
        return Box(x - wide * size / 2, y - high * size / 2, wide * size, high * size)


class Canvas:
    """A picture of `width` × `height` units, each of which is `scale` pixels."""

    def __init__(self, width: int, height: int, scale: float) -> None:
        self._size = round(width * scale), round(height * scale)
        self._fine = scale * _FINER
        self._image = Image.new("RGB", (self._size[0] * _FINER, self._size[1] * _FINER), PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def image(self) -> Image.Image:
        """The picture as it is now."""
        return self._image.reduce(_FINER)

    def pixels(self, units: float) -> float:
        """How wide something is in the picture."""
        return units * self._fine / _FINER

    def rectangle(self, box: Box, fill: str | None = None, line: str | None = None, width: float = 1) -> None:
        """A rectangle."""
        self._draw.rectangle(self._corners(box), fill, line, self._line(width))

    def rounded(self, box: Box, radius: float, fill: str) -> None:
        """A rectangle with round corners."""
        self._draw.rounded_rectangle(self._corners(box), radius * self._fine, fill)

    def disc(
        self, centre: Point, radius: float, fill: str | None = None, line: str | None = None, width: float = 1
    ) -> None:
        """A disc, or a ring without `fill`."""
        x, y = centre
        self._draw.ellipse(
            self._corners(Box(x - radius, y - radius, 2 * radius, 2 * radius)), fill, line, self._line(width)
        )

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        """A closed shape."""
        self._draw.polygon([(x * self._fine, y * self._fine) for x, y in points], fill)

    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None:
        """A line through the points."""
        corners = [(x * self._fine, y * self._fine) for x, y in points]
        self._draw.line(corners, colour, self._line(width), joint="curve")

    def cross(self, centre: Point, reach: float, colour: str, width: float) -> None:
        """Two lines that cross each other, each `reach` to both sides."""
        x, y = centre
        self.line([(x - reach, y - reach), (x + reach, y + reach)], colour, width)
        self.line([(x - reach, y + reach), (x + reach, y - reach)], colour, width)

    def cells(self, box: Box, colours: Array) -> None:
        """A board of squares; colours[row, column] are red, green and blue as uint8."""
        left, top, right, bottom = (round(edge) for edge in self._corners(box))
        picture = Image.fromarray(np.ascontiguousarray(colours)).resize(
            (right - left, bottom - top), Image.Resampling.NEAREST
        )
        self._image.paste(picture, (left, top))

    def text(
        self, at: Point, text: str, size: float, colour: str, anchor: str = "la", width: float | None = None
    ) -> None:
        """A line of text; the anchor is Pillow's: `mm` is its middle, `ls` its start.

        Where a width is given, a long text is written smaller, and what is still too long is cut.
        """
        font, shown = _written(text, size * self._fine)
        if width is not None and font.getlength(shown) > width * self._fine:
            share = max(_SMALLEST, width * self._fine / font.getlength(shown))
            font, shown = _written(text, size * self._fine * share)
            shown = _cut(font, shown, width * self._fine)
        self._draw.text((at[0] * self._fine, at[1] * self._fine), shown, rgb(colour), font, anchor)

    def letter(self, at: Point, letter: str, size: float, colour: str) -> None:
        """A letter of a drawing for terminals, with the middle of its foot there."""
        font = next(
            filter(None, (_font(name, round(size * self._fine)) for name in _FOR_TERMINALS if _has(name, letter))), None
        )
        if font is None:
            self.text(at, letter, size, colour, "ms")
        else:
            self._draw.text((at[0] * self._fine, at[1] * self._fine), letter, rgb(colour), font, "ms")

    def width_of(self, text: str, size: float) -> float:
        """How wide a text is."""
        font, shown = _written(text, size * self._fine)
        return font.getlength(shown) / self._fine

    def _corners(self, box: Box) -> tuple[float, float, float, float]:
        fine = self._fine
        return box.x * fine, box.y * fine, (box.x + box.width) * fine, (box.y + box.height) * fine

    def _line(self, width: float) -> int:
        return max(1, round(width * self._fine))


def _cut(font: Font, text: str, width: float) -> str:
    if font.getlength(text) <= width:
        return text
    while text and font.getlength(text + "…") > width:
        text = text[:-1]
    return text.rstrip() + "…"


def _written(text: str, size: float) -> tuple[Font, str]:
    """A font that has all letters of a text; where there is none, the text in letters that Pillow's own font has."""
    pixels = max(1, round(size))
    plain = text.translate(_PLAIN)
    for name in ("", *_WITH_MORE_LETTERS):
        font = _font(name, pixels)
        if font is not None and all(_has(name, letter) for letter in plain):
            return font, plain
    own = _font("", pixels)
    assert own is not None
    taken_apart = unicodedata.normalize("NFKD", plain)
    bare = "".join(letter for letter in taken_apart if not unicodedata.combining(letter))
    return own, "".join(letter if _has("", letter) else "?" for letter in bare)


@cache
def _font(name: str, pixels: int) -> Font | None:
    try:
        return ImageFont.truetype(name, pixels) if name else ImageFont.load_default(pixels)
    except OSError:
        return None


@cache
def _has(name: str, letter: str) -> bool:
    font = _font(name, 32)
    return font is not None and (letter == " " or _drawn(font, letter) != _drawn(font, _NO_LETTER))


def _drawn(font: Font, letter: str) -> tuple[float, bytes]:
    return font.getlength(letter), bytes(font.getmask(letter))
