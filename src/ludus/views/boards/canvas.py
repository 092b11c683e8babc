"""A surface for drawing in units that are not pixels: shapes, and text in every script."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from ludus.kernel.state import Array
from ludus.views.boards.contours import Contour
from ludus.views.boards.fonts import Font, cut, written

Point = tuple[float, float]

_SMALLEST = 0.7  # smallest scale of a long text


class Box(NamedTuple):
    """A place on a canvas."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> Point:
        """The centre of the box."""
        return self.x + self.width / 2, self.y + self.height / 2

    def fitted(self, wide: float, high: float) -> "Box":
        """The largest box of these proportions in the centre."""
        size = min(self.width / wide, self.height / high)
        x, y = self.centre
        return Box(x - wide * size / 2, y - high * size / 2, wide * size, high * size)


class Canvas(ABC):
    """A picture of `width` × `height` units."""

    def __init__(self, width: int, height: int, fine: float) -> None:
        """`fine` is the number of pixels per unit for measuring text."""
        self.width, self.height = width, height
        self._fine = fine

    @abstractmethod
    def pixels(self, units: float) -> float:
        """The width of something in the picture."""

    @abstractmethod
    def rectangle(self, box: Box, fill: str | None = None, line: str | None = None, width: float = 1) -> None:
        """Draw a rectangle."""

    @abstractmethod
    def rounded(self, box: Box, radius: float, fill: str) -> None:
        """Draw a rectangle with round corners."""

    @abstractmethod
    def disc(
        self, centre: Point, radius: float, fill: str | None = None, line: str | None = None, width: float = 1
    ) -> None:
        """Draw a disc, or a ring without `fill`; the line is inside."""

    @abstractmethod
    def polygon(self, points: Sequence[Point], fill: str) -> None:
        """Draw a closed shape."""

    @abstractmethod
    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None:
        """Draw a line through the points."""

    def segments(self, segments: Sequence[tuple[Point, Point]], colour: str, width: float = 1) -> None:
        """Draw separate straight lines, such as a grid."""
        for segment in segments:
            self.line(segment, colour, width)

    @abstractmethod
    def contour(self, contour: Contour, box: Box, fill: str | None, line: str | None = None, width: float = 1) -> None:
        """Draw a contour in a square box; its line is centred on the outline."""

    def cross(self, centre: Point, reach: float, colour: str, width: float) -> None:
        """Draw two crossing lines, each `reach` long to both sides."""
        x, y = centre
        self.line([(x - reach, y - reach), (x + reach, y + reach)], colour, width)
        self.line([(x - reach, y + reach), (x + reach, y - reach)], colour, width)

    @abstractmethod
    def cells(self, box: Box, colours: Array) -> None:
        """Draw a board of squares; colours[row, column] are red, green and blue as uint8."""

    def text(
        self, at: Point, text: str, size: float, colour: str, anchor: str = "la", width: float | None = None
    ) -> None:
        """Draw a line of text; the anchor is Pillow's: `mm` is its middle, `ls` its start.

        With a width, a long text is made smaller and, if still too long, cut.
        """
        font, shown = written(text, size * self._fine)
        if width is not None and font.getlength(shown) > width * self._fine:
            size *= max(_SMALLEST, width * self._fine / font.getlength(shown))
            font, shown = written(text, size * self._fine)
            shown = cut(font, shown, width * self._fine)
        self._write(at, shown, font, size, colour, anchor)

    @abstractmethod
    def _write(self, at: Point, text: str, font: Font, size: float, colour: str, anchor: str) -> None:
        """Draw a text that fits, in a font with its letters."""

    @abstractmethod
    def letter(self, at: Point, letter: str, size: float, colour: str) -> None:
        """Draw a letter of a terminal drawing, with its baseline centred at a point."""

    def width_of(self, text: str, size: float) -> float:
        """The width of a text."""
        font, shown = written(text, size * self._fine)
        return font.getlength(shown) / self._fine
