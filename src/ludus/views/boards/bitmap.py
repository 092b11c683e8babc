"""A canvas of pixels, without jagged edges."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from ludus.kernel.state import Array
from ludus.views.boards.canvas import Box, Canvas, Point
from ludus.views.boards.colours import PAPER, rgb
from ludus.views.boards.contours import Contour
from ludus.views.boards.fonts import Font, for_terminals

_FINER = 2  # resolution of the drawing relative to the picture


class Bitmap(Canvas):
    """A picture of `width` × `height` units, each of which is `scale` pixels."""

    def __init__(self, width: int, height: int, scale: float) -> None:
        super().__init__(width, height, scale * _FINER)
        size = round(width * scale) * _FINER, round(height * scale) * _FINER
        self._image = Image.new("RGB", size, PAPER)
        self._draw = ImageDraw.Draw(self._image)

    def image(self) -> Image.Image:
        """The picture in its present state."""
        return self._image.reduce(_FINER)

    def pixels(self, units: float) -> float:
        return units * self._fine / _FINER

    def rectangle(self, box: Box, fill: str | None = None, line: str | None = None, width: float = 1) -> None:
        self._draw.rectangle(self._corners(box), fill, line, self._line(width))

    def rounded(self, box: Box, radius: float, fill: str) -> None:
        self._draw.rounded_rectangle(self._corners(box), radius * self._fine, fill)

    def disc(
        self, centre: Point, radius: float, fill: str | None = None, line: str | None = None, width: float = 1
    ) -> None:
        x, y = centre
        self._draw.ellipse(
            self._corners(Box(x - radius, y - radius, 2 * radius, 2 * radius)), fill, line, self._line(width)
        )

    def polygon(self, points: Sequence[Point], fill: str) -> None:
        self._draw.polygon([(x * self._fine, y * self._fine) for x, y in points], fill)

    def line(self, points: Sequence[Point], colour: str, width: float = 1) -> None:
        corners = [(x * self._fine, y * self._fine) for x, y in points]
        self._draw.line(corners, colour, self._line(width), joint="curve")

    def contour(self, contour: Contour, box: Box, fill: str | None, line: str | None = None, width: float = 1) -> None:
        scale = box.width / contour.size
        for outline, closed in contour.outlines:
            points = [((box.x + x * scale) * self._fine, (box.y + y * scale) * self._fine) for x, y in outline]
            if fill is not None:
                self._draw.polygon(points, fill)
            if line is not None:
                ends = points[:2] if closed else []
                self._draw.line([*points, *ends], line, self._line(width), joint="curve")

    def cells(self, box: Box, colours: Array) -> None:
        left, top, right, bottom = (round(edge) for edge in self._corners(box))
        picture = Image.fromarray(np.ascontiguousarray(colours)).resize(
            (right - left, bottom - top), Image.Resampling.NEAREST
        )
        self._image.paste(picture, (left, top))

    def _write(self, at: Point, text: str, font: Font, size: float, colour: str, anchor: str) -> None:
        self._draw.text((at[0] * self._fine, at[1] * self._fine), text, rgb(colour), font, anchor)

    def letter(self, at: Point, letter: str, size: float, colour: str) -> None:
        font = for_terminals(letter, size * self._fine)
        if font is None:
            self.text(at, letter, size, colour, "ms")
        else:
            self._write(at, letter, font, size, colour, "ms")

    def _corners(self, box: Box) -> tuple[float, float, float, float]:
        fine = self._fine
        return box.x * fine, box.y * fine, (box.x + box.width) * fine, (box.y + box.height) * fine

    def _line(self, width: float) -> int:
        return max(1, round(width * self._fine))
