"""The painter of all other games: their drawing for a terminal, letter by letter."""

from typing import ClassVar

from ludus.kernel.rules import State
from ludus.views.boards.canvas import Box, Canvas
from ludus.views.boards.colours import INK, QUIET
from ludus.views.boards.painter import Layer, Painter

_LARGEST = 30.0
_WIDE, _HIGH = 0.62, 1.3  # size of a letter relative to the font size
_FAINT = frozenset(".|+-_")


class TextPainter(Painter):
    """Draws a game's text for terminals."""

    name: ClassVar[str] = "text"

    def paint(self, canvas: Canvas, box: Box, state: State, before: State | None, layer: Layer | None) -> None:
        lines = [line.expandtabs().rstrip() for line in self.game.draw(state).splitlines()] or [""]
        columns = max(1, *map(len, lines))
        size = min(_LARGEST, box.width / (columns * _WIDE), box.height / (len(lines) * _HIGH))
        middle_x, middle_y = box.centre
        left, top = middle_x - columns * _WIDE * size / 2, middle_y - len(lines) * _HIGH * size / 2
        for row, line in enumerate(lines):
            for column, letter in enumerate(line):
                if not letter.isspace():
                    at = (left + (column + 0.5) * _WIDE * size, top + (row + 0.75) * _HIGH * size)
                    canvas.letter(at, letter, size, QUIET if letter in _FAINT else INK)
