"""Painters: each draws the positions of games with one kind of board, and what an agent saw of them."""

import math
from collections.abc import Sequence
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
    """What the player at a seat saw: a value from 0 to 1 for each row and column."""

    name: str
    values: Array
    seat: int
    asked_anew: bool = False
    """Whether the agent was asked for it afterwards, since the record has none."""


class Painter:
    """Draws the positions of a game; one that draws no layers leaves `shape` alone."""

    noun: ClassVar[str] = "board"
    name: ClassVar[str] = ""
    """The kind of board, as `Game.board` names it."""
    colours: Sequence[str] = PLAYERS
    """Of the players, seat by seat."""
    ground: tuple[str, str] | None = None
    """The colours of the board and its lines on a terminal, where stones would be hard to see without them."""
    round_word: str = "move"

    def __init__(self, game: Game) -> None:
        self.game = game

    def shape(self, state: State) -> tuple[int, int] | None:
        """Rows and columns, where a position has cells that a layer can stand for."""
        return None

    def paint(self, canvas: Canvas, box: Box, state: State, before: State | None, layer: Layer | None) -> None:
        """Draw a position, and what is new since the one before."""
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
        """What to say of a player besides its name and its last move."""
        return ""

    def gauge(self, state: State, seat: int) -> tuple[int, int] | None:
        """Something of a player that is counted: how much, of how much."""
        return None

    def check(self, layer: Layer, state: State) -> None:
        """Refuse a layer that does not fit the board, in one sentence."""
        shape = self.shape(state)
        if shape is None:
            raise InvalidError(f"{self.game.name} is drawn as text, so that no layer can be shown on its board.")
        if layer.values.shape != shape:
            sizes = [f"{columns}×{rows}" for rows, columns in (layer.values.shape, shape)]
            raise InvalidError(f"The layer '{layer.name}' has {sizes[0]} cells, but the board has {sizes[1]}.")


def cells_of_path(values: Array, start: tuple[int, int] | None = None) -> list[tuple[int, int]]:
    """The cells (x, y) of a path in their order. Of those that are equally strong, as in a long path, the nearest is
    next; `start` is the cell before the first.
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
    """A path from cell to cell, which are `size` wide; the next is strongest."""
    canvas.line(points, PAPER, size * 0.5)
    canvas.line(points, INK, size * 0.22)
    for step, point in reversed(list(enumerate(points))):
        share = 1 - step / len(points)
        canvas.disc(point, size * (0.18 + 0.2 * share), INK, PAPER, size * 0.07)
