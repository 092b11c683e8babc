"""Numbered tiles on a square board, for games whose positions as text are rows of numbers, as in `0-2/4-0`."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from ludus.agents.layers import PATH
from ludus.core.text import plural
from ludus.kernel.rules import State
from ludus.views.boards.canvas import Box, Canvas, Point
from ludus.views.boards.colours import FIELD, INK, QUIET, RIM, on_ramp, readable_on
from ludus.views.boards.painter import LEAST_SHOWN, Layer, Painter, cells_of_path, paint_path

_TILES = (
    "#efe6d5", "#e9d6ae", "#f2b878", "#ee9a5a", "#e8784c", "#dc553b", "#e9c75c",
    "#e0b53c", "#d5a11f", "#c58c0a", "#a97404", "#5b8f57", "#2f7d72", "#2c628f", "#4a4690",
)  # fmt: skip
"""Colours of 2, 4, 8 and so on; larger tiles have the last one."""
_EDGE = 0.42  # margin in cells for the names of rows and columns
_GAP = 0.05
_LETTER_SIZES = {1: 0.44, 2: 0.42, 3: 0.34, 4: 0.27}  # by the number of digits
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

Grid = list[list[int]]


class TilesPainter(Painter):
    """Draws tiles in colours by their powers of two, and marks the new one."""

    name: ClassVar[str] = "tiles"

    def grid(self, state: State) -> Grid:
        """The numbers of each row from the top, 0 for an empty cell."""
        rows = self.game.save(state).split("/")
        return [[int(number) for number in row.split("-")] for row in rows if "-" in row]

    def shape(self, state: State) -> tuple[int, int]:
        grid = self.grid(state)
        return len(grid), len(grid[0])

    def paint(self, canvas: Canvas, box: Box, state: State, before: State | None, layer: Layer | None) -> None:
        grid = self.grid(state)
        rows, columns = len(grid), len(grid[0])
        board, size = _placed(box, rows, columns)
        canvas.rounded(board, size * 0.12, RIM)
        shown = None if layer is None or layer.name == PATH else layer.values
        new = None if before is None else _new(grid, self.grid(before))
        for y, row in enumerate(grid):
            for x, number in enumerate(row):
                cell = _cell(board, size, x, y)
                value = 0.0 if shown is None else float(shown[y, x])
                canvas.rounded(cell, size * 0.08, on_ramp(value) if value > LEAST_SHOWN else FIELD)
                if number:
                    _draw_tile(canvas, cell, size, number, marked=(x, y) == new)
        for x in range(columns):
            canvas.text(
                (_cell(board, size, x, 0).centre[0], board.y - size * 0.2), _LETTERS[x], size * 0.17, QUIET, "mm"
            )
        for y in range(rows):
            canvas.text(
                (board.x - size * 0.2, _cell(board, size, 0, y).centre[1]), str(y + 1), size * 0.17, QUIET, "mm"
            )
        if layer is not None and layer.name == PATH:
            paint_path(canvas, [_cell(board, size, *cell).centre for cell in cells_of_path(layer.values)], size)

    def targets(self, box: Box, state: State, seat: int, moves: Mapping[str, int]) -> dict[str, list[Sequence[Point]]]:
        board, _ = _placed(box, *self.shape(state))
        left, top, right, bottom = board.x, board.y, board.x + board.width, board.y + board.height
        ways = {
            "up": [(left, top), (right, top), board.centre],
            "right": [(right, top), (right, bottom), board.centre],
            "down": [(right, bottom), (left, bottom), board.centre],
            "left": [(left, bottom), (left, top), board.centre],
        }
        return {text: [ways[text]] for text in moves if text in ways}

    def status(self, state: State, seat: int) -> str:
        return plural(int(self.game.scores(state)[seat]), "point")


def _placed(box: Box, rows: int, columns: int) -> tuple[Box, float]:
    """The board, and the size of a cell."""
    whole = box.fitted(columns + 2 * _EDGE, rows + 2 * _EDGE)
    size = whole.width / (columns + 2 * _EDGE)
    return Box(whole.x + _EDGE * size, whole.y + _EDGE * size, columns * size, rows * size), size


def _cell(board: Box, size: float, x: int, y: int) -> Box:
    gap = size * _GAP
    return Box(board.x + x * size + gap, board.y + y * size + gap, size - 2 * gap, size - 2 * gap)


def _draw_tile(canvas: Canvas, cell: Box, size: float, number: int, *, marked: bool) -> None:
    colour = _TILES[min(number.bit_length() - 2, len(_TILES) - 1)]
    if marked:
        canvas.rounded(cell, size * 0.08, INK)
        edge = size * 0.035
        cell = Box(cell.x + edge, cell.y + edge, cell.width - 2 * edge, cell.height - 2 * edge)
    canvas.rounded(cell, size * 0.07, colour)
    text = str(number)
    letters = size * _LETTER_SIZES.get(len(text), 0.22)
    canvas.text(cell.centre, text, letters, readable_on(colour), "mm")


def _new(grid: Grid, old: Grid) -> tuple[int, int] | None:
    """The cell of a tile that appeared while all others stayed where they were."""
    changed = np.argwhere(np.array(grid) != np.array(old)).tolist()
    if len(changed) == 1 and not old[changed[0][0]][changed[0][1]]:
        return changed[0][1], changed[0][0]
    return None
