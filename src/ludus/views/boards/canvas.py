"""A surface to draw on in units that are not pixels: shapes, and text in every script there is."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from ludus.kernel.state import Array
from ludus.views.boards.fonts import Font, cut, written

Point = tuple[float, float]

_SMALLEST = 0.7  # of its size, that a long text may have


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


class Canvas(ABC):
    """A picture of `width` × `height` units."""

    def __init__(self, width: int, height: int, fine: float) -> None:
        """`fine` is how many pixels a unit has for text that is measured."""
        self.width, self.height = width, height
        self._fine = fine

    @abstractmethod
    def pixels(self, units: float) -> float:
        """How wide something is in the picture."""

    @abstractmethod
    def rectangle(self, box: Box, fill: str | None = None, line: str | None = None, width: float = 1) -> None:
        """A rectangle."""

    @abstractmethod
    def rounded(self, box: Box, radius: float, fill: str) -> None:
        """A rectangle with round corners."""

    @abstractmethod
    def disc(
        self, centre: Point, radius: float, fill: str | None = None, line: str | None = None, width: float = 1
    ) -> None:
        """A disc, or a ring without `fill`; the line lies inside."""

    @abstractmethod
    def polygon(self, points: Sequence[Point], fill: str) -> None:
        """A closed shape."""

    @abstractmethod
    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None:
        """A line through the points."""

    def cross(self, centre: Point, reach: float, colour: str, width: float) -> None:
        """Two lines that cross each other, each `reach` to both sides."""
        x, y = centre
        self.line([(x - reach, y - reach), (x + reach, y + reach)], colour, width)
        self.line([(x - reach, y + reach), (x + reach, y - reach)], colour, width)

    @abstractmethod
    def cells(self, box: Box, colours: Array) -> None:
        """A board of squares; colours[row, column] are red, green and blue as uint8."""

    def text(
        self, at: Point, text: str, size: float, colour: str, anchor: str = "la", width: float | None = None
    ) -> None:
        """A line of text; the anchor is Pillow's: `mm` is its middle, `ls` its start.

        Where a width is given, a long text is written smaller, and what is still too long is cut.
        """
        font, shown = written(text, size * self._fine)
        if width is not None and font.getlength(shown) > width * self._fine:
            size *= max(_SMALLEST, width * self._fine / font.getlength(shown))
            font, shown = written(text, size * self._fine)
            shown = cut(font, shown, width * self._fine)
        self._write(at, shown, font, size, colour, anchor)

    @abstractmethod
    def _write(self, at: Point, text: str, font: Font, size: float, colour: str, anchor: str) -> None:
        """A text that fits, in a font that has its letters."""

    @abstractmethod
    def letter(self, at: Point, letter: str, size: float, colour: str) -> None:
        """A letter of a drawing for terminals, with the middle of its foot there."""

    def width_of(self, text: str, size: float) -> float:
        """How wide a text is."""
        font, shown = written(text, size * self._fine)
        return font.getlength(shown) / self._fine
