"""Heaps of objects, for games whose positions as text are their sizes and the player to move, as in `3-0-7/1`."""

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar

from ludus.core.text import plural
from ludus.games.game import Game
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import State
from ludus.views.boards.canvas import Box, Canvas, Point
from ludus.views.boards.colours import FIELD, INK, QUIET, mixed
from ludus.views.boards.painter import Layer, Painter

_OBJECT = "#d9a45b"
_HIGHEST = 12  # objects on top of each other, before a heap gets a second column
_BETWEEN = 0.9  # space between heaps, in objects
_BELOW = 1.7  # space for the numbers below


class HeapsPainter(Painter):
    """Draws each heap as a stack of objects; those taken last keep a ring in the colour of who took them."""

    name: ClassVar[str] = "heaps"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._start, _ = self._read(game.start(new_rng(0)))
        self._high = min(_HIGHEST, max(self._start))
        self._columns = [max(1, math.ceil(heap / self._high)) for heap in self._start]

    def _read(self, state: State) -> tuple[list[int], int]:
        """The sizes of the heaps, and the seat to move."""
        heaps, _, mover = self.game.save(state).partition("/")
        return [int(heap) for heap in heaps.split("-")], int(mover) - 1

    def paint(self, canvas: Canvas, box: Box, state: State, before: State | None, layer: Layer | None) -> None:
        heaps, _ = self._read(state)
        old, mover = (heaps, 0) if before is None else self._read(before)
        size = self._size(box)
        for number, heap in enumerate(heaps):
            for place in range(self._start[number]):
                centre = self._centre(box, number, place)
                if place < heap:
                    canvas.disc(centre, size * 0.42, _OBJECT, mixed(_OBJECT, INK, 0.35), size * 0.03)
                elif place < old[number]:
                    canvas.disc(centre, size * 0.42, None, self.colours[mover], size * 0.07)
                else:
                    canvas.disc(centre, size * 0.3, FIELD)
            x, y = self._centre(box, number, 0)
            x += (self._columns[number] - 1) * size / 2
            letters = min(24.0, size * 0.5)
            canvas.text((x, y + size * 0.95), plural(heap, "left", "left"), letters * 0.8, INK, "mm")
            canvas.text((x, y + size * 0.95 + letters * 1.15), f"heap {number + 1}", letters * 0.72, QUIET, "mm")

    def targets(self, box: Box, state: State, seat: int, moves: Mapping[str, int]) -> dict[str, list[Sequence[Point]]]:
        heaps, _ = self._read(state)
        half = self._size(box) / 2
        found: dict[str, list[Sequence[Point]]] = {}
        for text in moves:
            heap, _, taken = text.partition("-")
            number = int(heap) - 1
            x, y = self._centre(box, number, heaps[number] - int(taken))
            found[text] = [[(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]]
        return found

    def _size(self, box: Box) -> float:
        wide = sum(self._columns) + _BETWEEN * (len(self._columns) + 1)
        return min(box.width / wide, box.height / (self._high + _BELOW), box.width / 7)

    def _centre(self, box: Box, number: int, place: int) -> Point:
        """The centre of an object in a heap, counted from the bottom."""
        size = self._size(box)
        wide = (sum(self._columns) + _BETWEEN * (len(self._columns) - 1)) * size
        left = box.x + (box.width - wide) / 2 + (sum(self._columns[:number]) + _BETWEEN * number) * size
        bottom = box.centre[1] + (self._high + _BELOW) * size / 2 - _BELOW * size
        column, row = divmod(place, self._high)
        return left + (column + 0.5) * size, bottom - (row + 0.5) * size
