"""Painters: each draws the positions of games with one kind of board, and layers that an agent saw."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import ClassVar, NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.games.game import Game
from ludus.kernel.rules import State
from ludus.kernel.state import Array
from ludus.views.boards.canvas import Box, Canvas, Point
from ludus.views.boards.colours import INK, PAPER, PLAYERS
from ludus.views.boards.text_cells import Place, cells_in

LEAST_SHOWN = 0.004
"""Values of a layer below this are not drawn."""


class Layer(NamedTuple):
    """A layer seen by the player at a seat: a value from 0 to 1 for each row and column."""

    name: str
    values: Array
    seat: int
    asked_anew: bool = False
    """True if the record has no layer, so that the agent was asked afterwards."""


class Painter:
    """Draws the positions of a game; a painter without layers does not override `shape`."""

    noun: ClassVar[str] = "board"
    name: ClassVar[str] = ""
    """The kind of board, as in `Game.board`."""
    colours: Sequence[str] = PLAYERS
    """Colours of the players, seat by seat."""
    ground: tuple[str, str] | None = None
    """The colours of the board and its lines on a terminal, if stones would be hard to see without them."""
    round_word: str = "move"

    def __init__(self, game: Game) -> None:
        self.game = game

    def shape(self, state: State) -> tuple[int, int] | None:
        """Rows and columns, if a position has cells that a layer can describe."""
        return None

    def paint(self, canvas: Canvas, box: Box, state: State, before: State | None, layer: Layer | None) -> None:
        """Draw a position, and mark the changes since the previous one."""
        raise NotImplementedError

    def cells(self, state: State, lines: Sequence[str]) -> list[list[Place]]:
        """The cells in the lines that the game draws for a terminal, row by row."""
        return cells_in(lines, self.game.symbols)

    def owners(self, state: State, lines: Sequence[str]) -> dict[Place, int]:
        """The seat of each piece in these lines."""
        seats = {letter: seat for seat, letters in enumerate(self.game.symbols) for letter in letters}
        found = {(line, column): lines[line][column] for row in self.cells(state, lines) for line, column in row}
        return {place: seats[letter] for place, letter in found.items() if letter in seats}

    def status(self, state: State, seat: int) -> str:
        """A short description of a player, besides its name and its last move."""
        return ""

    def gauge(self, state: State, seat: int) -> tuple[int, int] | None:
        """A counter of a player: its value and its maximum."""
        return None

    def targets(self, box: Box, state: State, seat: int, moves: Mapping[str, int]) -> dict[str, list[Sequence[Point]]]:
        """The places to click for moves, as polygons in the drawing that `paint` makes in this box.

        `moves` has the numbers of a seat's legal moves by their texts. A move may need several clicks, such as from and
        to; one that is left out has none.
        """
        return {}

    def check(self, layer: Layer, state: State) -> None:
        """Refuse a layer that does not fit the board."""
        shape = self.shape(state)
        if shape is None:
            raise InvalidError(
                f"The board of {self.game.name} cannot show layers: it has no cells in rows and columns."
            )
        if layer.values.shape != shape:
            sizes = [f"{columns}×{rows}" for rows, columns in (layer.values.shape, shape)]
            raise InvalidError(f"The layer '{layer.name}' has {sizes[0]} cells, but the board has {sizes[1]}.")


def cells_of_path(values: Array, start: tuple[int, int] | None = None) -> list[tuple[int, int]]:
    """The cells (x, y) of a path in order.

    Among equal values, as in a long path, the nearest cell is next; `start` is the cell before the first.
    """
    left = [(-values[y, x], x, y) for y, x in np.argwhere(values > 0).tolist()]
    path: list[tuple[int, int]] = []
    last = start
    for _, cells in groupby(sorted(left), key=lambda cell: cell[0]):
        group = [(x, y) for _, x, y in cells]
        while group:
            last = group[0] if last is None else min(group, key=partial(math.dist, last))
            group.remove(last)
            path.append(last)
    return path


def paint_path(canvas: Canvas, points: Sequence[Point], size: float) -> None:
    """Draw a path from cell to cell, each `size` wide; the next cell is the strongest."""
    canvas.line(points, PAPER, size * 0.5)
    canvas.line(points, INK, size * 0.22)
    for step, point in reversed(list(enumerate(points))):
        share = 1 - step / len(points)
        canvas.disc(point, size * (0.18 + 0.2 * share), INK, PAPER, size * 0.07)
