"""Boards with stones on cells, for games whose positions as text begin with the rows."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

import numpy as np

from ludus.agents.layers import PATH
from ludus.core.text import plural
from ludus.games.text_board import STONES
from ludus.kernel.rules import State, duplicate, play
from ludus.views.boards.canvas import Box, Canvas, Point
from ludus.views.boards.colours import (
    BLACK_AND_WHITE,
    FELT,
    FELT_LINE,
    FIELD,
    HAIRLINE,
    HOLE,
    INK,
    PAPER,
    QUIET,
    RIM,
    WOOD,
    WOOD_LINE,
    mixed,
    on_ramp,
    readable_on,
)
from ludus.views.boards.painter import LEAST_SHOWN, Layer, Painter, cells_of_path, paint_path

Rows = Sequence[str]

_LETTERS = [chr(ord("a") + column) for column in range(26)]
_LARGEST_LABEL = 18.0
_EDGE = 0.75  # margin in cells around the board for the names of rows and columns


class StonesPainter(Painter):
    """Draws stones on square cells; subclasses draw the board and the stones."""

    margin = _EDGE

    def rows(self, state: State) -> Rows:
        """The letters of each row from the top."""
        return self.game.save(state).split()[0].split("/")

    def shape(self, state: State) -> tuple[int, int]:
        rows = self.rows(state)
        return len(rows), len(rows[0])

    def paint(self, canvas: Canvas, box: Box, state: State, before: State | None, layer: Layer | None) -> None:
        rows = self.rows(state)
        self._place(box, len(rows), len(rows[0]))
        self.paint_board(canvas, len(rows), len(rows[0]))
        if layer is not None and layer.name != PATH:
            for row, column in np.argwhere(layer.values > LEAST_SHOWN).tolist():
                canvas.polygon(self.outline(column, row), on_ramp(float(layer.values[row, column])))
        for x, y, letter in _cells(rows):
            if letter in STONES:
                self.paint_stone(canvas, self.centre(x, y), STONES.index(letter))
        if before is not None:
            old = self.rows(before)
            for x, y, letter in _cells(rows):
                if letter in STONES and old[y][x] not in STONES:
                    self.paint_mark(canvas, self.centre(x, y), STONES.index(letter))
        if layer is not None and layer.name == PATH:
            paint_path(canvas, [self.centre(*cell) for cell in cells_of_path(layer.values)], self.size)

    def targets(self, box: Box, state: State, seat: int, moves: Mapping[str, int]) -> dict[str, list[Sequence[Point]]]:
        rows = self.rows(state)
        self._place(box, len(rows), len(rows[0]))
        found: dict[str, list[Sequence[Point]]] = {}
        for text, move in moves.items():
            after = duplicate(state)
            play(after, np.array([move], np.int64))
            new = [(x, y) for x, y, letter in _cells(self.rows(after)) if letter in STONES and rows[y][x] not in STONES]
            if new:
                found[text] = [self.target(*new[0])]
        return found

    def target(self, x: int, y: int) -> Sequence[Point]:
        """The place to click for a stone on a cell."""
        return self.outline(x, y)

    def _place(self, box: Box, rows: int, columns: int) -> None:
        board = box.fitted(columns + 2 * self.margin, rows + 2 * self.margin)
        self.size = board.width / (columns + 2 * self.margin)
        self.board = Box(
            board.x + self.margin * self.size, board.y + self.margin * self.size, columns * self.size, rows * self.size
        )

    def centre(self, x: int, y: int) -> Point:
        """The centre of a cell, once the board is placed."""
        return self.board.x + (x + 0.5) * self.size, self.board.y + (y + 0.5) * self.size

    def outline(self, x: int, y: int) -> Sequence[Point]:
        """The corners of a cell."""
        left, top, size = self.board.x + x * self.size, self.board.y + y * self.size, self.size
        return [(left, top), (left + size, top), (left + size, top + size), (left, top + size)]

    def paint_board(self, canvas: Canvas, rows: int, columns: int) -> None:
        """Draw the board without stones."""
        raise NotImplementedError

    def paint_stone(self, canvas: Canvas, centre: Point, player: int) -> None:
        """Draw a stone."""
        colour = self.colours[player]
        canvas.disc(centre, self.size * 0.42, colour, mixed(colour, INK, 0.35), self.size * 0.025)

    def paint_mark(self, canvas: Canvas, centre: Point, player: int) -> None:
        """Mark the newest stone."""
        canvas.disc(centre, self.size * 0.12, readable_on(self.colours[player]))

    def label(self, canvas: Canvas, columns: Sequence[str], rows: Sequence[str]) -> None:
        """Write the names of columns above and of rows to the left."""
        size = min(_LARGEST_LABEL, self.size * 0.42)
        for x, name in enumerate(columns):
            canvas.text((self.centre(x, 0)[0], self.board.y - size), name, size, QUIET, "mm")
        for y, name in enumerate(rows):
            canvas.text((self.board.x - size, self.centre(0, y)[1]), name, size, QUIET, "mm")


class DiscsPainter(StonesPainter):
    """Draws discs behind a board with holes."""

    name: ClassVar[str] = "discs"

    def paint_board(self, canvas: Canvas, rows: int, columns: int) -> None:
        board, edge = self.board, self.size * 0.12
        frame = Box(board.x - edge, board.y - edge, board.width + 2 * edge, board.height + 2 * edge)
        canvas.rounded(frame, self.size * 0.25, RIM)
        for y in range(rows):
            for x in range(columns):
                canvas.disc(self.centre(x, y), self.size * 0.42, PAPER, HOLE, self.size * 0.02)
        for x in range(columns):
            below = (self.centre(x, 0)[0], board.y + board.height + self.size * 0.35)
            canvas.text(below, str(x + 1), min(_LARGEST_LABEL, self.size * 0.4), QUIET, "mm")

    def target(self, x: int, y: int) -> Sequence[Point]:
        """The whole column, into which the disc falls."""
        left, right = self.board.x + x * self.size, self.board.x + (x + 1) * self.size
        bottom = self.board.y + self.board.height
        return [(left, self.board.y), (right, self.board.y), (right, bottom), (left, bottom)]


class LinesPainter(StonesPainter):
    """Draws stones at the crossings of a wooden board's lines."""

    name: ClassVar[str] = "lines"

    colours = BLACK_AND_WHITE
    ground = (WOOD, WOOD_LINE)

    def paint_board(self, canvas: Canvas, rows: int, columns: int) -> None:
        canvas.rounded(self.board, self.size * 0.15, WOOD)
        across = [(self.centre(i, 0), self.centre(i, rows - 1)) for i in range(columns)]
        down = [(self.centre(0, i), self.centre(columns - 1, i)) for i in range(rows)]
        canvas.segments([*across, *down], WOOD_LINE, self.size * 0.03)
        self.label(canvas, [str(i) for i in range(columns)], [str(i) for i in range(rows)])


class SquaresPainter(StonesPainter):
    """Draws black and white stones on green squares, and counts them."""

    name: ClassVar[str] = "squares"

    colours = BLACK_AND_WHITE
    ground = (FELT, FELT_LINE)

    def paint_board(self, canvas: Canvas, rows: int, columns: int) -> None:
        canvas.rectangle(self.board, FELT)
        _draw_lines(canvas, self.board, rows, columns, FELT_LINE, self.size * 0.03)
        self.label(canvas, _LETTERS[:columns], [str(i + 1) for i in range(rows)])

    def status(self, state: State, seat: int) -> str:
        count = "".join(self.rows(state)).count(STONES[seat])
        return plural(count, "stone")


class NoughtsPainter(StonesPainter):
    """Draws crosses and noughts."""

    name: ClassVar[str] = "noughts"

    def paint_board(self, canvas: Canvas, rows: int, columns: int) -> None:
        canvas.rounded(self.board, self.size * 0.08, FIELD)
        _draw_lines(canvas, self.board, rows, columns, PAPER, self.size * 0.05, outside=False)
        self.label(canvas, _LETTERS[:columns], [str(i + 1) for i in range(rows)])

    def paint_stone(self, canvas: Canvas, centre: Point, player: int) -> None:
        if player == 0:
            canvas.cross(centre, self.size * 0.26, self.colours[0], self.size * 0.13)
        else:
            canvas.disc(centre, self.size * 0.33, None, self.colours[1], self.size * 0.12)

    def paint_mark(self, canvas: Canvas, centre: Point, player: int) -> None:
        x, y = centre
        half = self.size * 0.45
        canvas.rectangle(Box(x - half, y - half, 2 * half, 2 * half), None, HAIRLINE, self.size * 0.03)


class HexagonsPainter(StonesPainter):
    """Draws stones on hexagons, each row half a cell further to the right."""

    name: ClassVar[str] = "hexagons"

    margin = 1.0

    def _place(self, box: Box, rows: int, columns: int) -> None:
        wide, high = columns + (rows - 1) / 2 + 2 * self.margin, (rows - 1) * _ROW + _TALL + 2 * self.margin
        place = box.fitted(wide, high)
        self.size = place.width / wide
        self.board = Box(
            place.x + self.margin * self.size, place.y + self.margin * self.size, place.width, place.height
        )

    def centre(self, x: int, y: int) -> Point:
        return self.board.x + (x + y / 2 + 0.5) * self.size, self.board.y + (y * _ROW + _TALL / 2) * self.size

    def outline(self, x: int, y: int) -> Sequence[Point]:
        return _hexagon(self.centre(x, y), self.size * _TALL / 2)

    def paint_board(self, canvas: Canvas, rows: int, columns: int) -> None:
        last_x, last_y = columns - 1, rows - 1
        edges = (
            [(x, 0, corner) for x in range(columns) for corner in (5, 0, 1)],
            [(x, last_y, corner) for x in range(columns) for corner in (4, 3, 2)],
            [(0, y, corner) for y in range(rows) for corner in (5, 4, 3)],
            [(last_x, y, corner) for y in range(rows) for corner in (0, 1, 2)],
        )
        for number, edge in enumerate(edges):
            canvas.line(
                [self.outline(x, y)[corner] for x, y, corner in edge], self.colours[number // 2], self.size * 0.4
            )
        for y in range(rows):
            for x in range(columns):
                canvas.polygon(_hexagon(self.centre(x, y), self.size * _TALL * 0.51), PAPER)  # without seams
                canvas.polygon(_hexagon(self.centre(x, y), self.size * 0.55), FIELD)
        size = min(_LARGEST_LABEL, self.size * 0.42)
        for x in range(columns):
            at_x, at_y = self.centre(x, 0)
            canvas.text((at_x - self.size * 0.3, at_y - self.size * 0.95), _LETTERS[x], size, QUIET, "mm")
        for y in range(rows):
            at_x, at_y = self.centre(0, y)
            canvas.text((at_x - self.size * 0.95, at_y), str(y + 1), size, QUIET, "mm")


_TALL = 2 / math.sqrt(3)  # height of a hexagon relative to its width
_ROW = _TALL * 0.75


def _hexagon(centre: Point, radius: float) -> list[Point]:
    x, y = centre
    angles = [math.radians(60 * corner - 90) for corner in range(6)]
    return [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]


def _cells(rows: Rows) -> Iterator[tuple[int, int, str]]:
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            yield x, y, letter


def _draw_lines(
    canvas: Canvas, board: Box, rows: int, columns: int, colour: str, width: float, *, outside: bool = True
) -> None:
    """Draw the lines between cells, and those around them."""
    skip = 0 if outside else 1
    across = [board.x + board.width * i / columns for i in range(skip, columns + 1 - skip)]
    down = [board.y + board.height * i / rows for i in range(skip, rows + 1 - skip)]
    canvas.segments([((x, board.y), (x, board.y + board.height)) for x in across], colour, width)
    canvas.segments([((board.x, y), (board.x + board.width, y)) for y in down], colour, width)
