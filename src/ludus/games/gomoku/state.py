"""The state of Gomoku, and the tables shared by all states of one board.

Stones are sets of bits over all cells, numbered row by row. For each line of five cells the state holds the number of
stones of either player in it, and for each player the numbers of lines open to it alone, by missing stones: so the end
and the evaluation of a position need no look at the board.
"""

import hashlib
from functools import cache
from typing import NamedTuple

import numpy as np

from ludus.kernel.rules import Array, Constant

RULES = ("freestyle", "standard", "caro", "exact-caro")
FREESTYLE, STANDARD, CARO, EXACT_CARO = range(4)
NOBODY = -1
MOST_ROWS = 60  # a row fits into an integer, and a cell's number into twelve bits
ONE = np.int64(1)  # not a Python integer, which has no sign bit

NEAR = 2  # index of a set of bits: 0 and 1 are the players' stones, this one is every cell on or beside a stone
STONES, WINNER, HASH, OPEN = range(4)  # of info; from OPEN on, for each player, four numbers of 16 bits
SIZE, CELLS, WORDS, LENGTH, RULE = range(5)  # of shape
TWO, THREE, FOUR, FIVE = range(4)  # of weights, and of the numbers of open lines
SECOND_STONE = 16  # in a line, a stone of the first player counts 1, of the second this
CONTENTS = 256  # number of values of a line
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (-1, 1))


class GomokuState(NamedTuple):
    """Stones as bits, the content of every line (uint8), and scalars."""

    bits: Array
    lines: Array
    info: Array
    shape: Constant
    inside: Constant  # all cells, as bits
    beside: Constant  # the cells around each cell and itself, as bits
    places: Constant  # column and row of each cell
    first_line: Constant  # start of the lines through a cell in `lines_through`
    lines_through: Constant
    counters: Constant  # contribution of a content to the open lines of each player
    codes: Constant  # random numbers for the hash
    weights: Constant


class Board(NamedTuple):
    """Tables shared by all states of one size and length."""

    lines: int
    inside: Constant
    beside: Constant
    places: Constant
    first_line: Constant
    lines_through: Constant
    counters: Constant
    codes: Constant


@cache
def board_for(size: int, length: int) -> Board:
    """The tables of a board, created once."""
    cells = range(size**2)
    words = (size**2 + 63) // 64
    lines = _lines(size, length)
    through: list[list[int]] = [[] for _ in cells]
    for number, line in enumerate(lines):
        for cell in line:
            through[cell].append(number)
    around = [
        {
            y * size + x
            for y in range(cell // size - 1, cell // size + 2)
            for x in range(cell % size - 1, cell % size + 2)
            if 0 <= x < size and 0 <= y < size
        }
        for cell in cells
    ]
    counters = np.zeros(2 * CONTENTS, np.int64)
    for stones in range(1, length + 1):
        for player, content in enumerate((stones, stones * SECOND_STONE)):
            if (kind := stones - (length - FIVE)) >= 0:
                counters[player * CONTENTS + content] = 1 << (16 * kind)
    code = hashlib.shake_256(b"gomoku").digest(16 * len(cells))
    return Board(
        lines=len(lines),
        inside=_bits(set(cells), words),
        beside=np.concatenate([_bits(some, words) for some in around]),
        places=np.array([place for cell in cells for place in (cell % size, cell // size)]),
        first_line=np.cumsum([0, *(len(some) for some in through)]),
        lines_through=np.array([number for some in through for number in some], np.uint16),
        counters=counters,
        codes=np.frombuffer(code, np.int64).copy(),
    )


def _lines(size: int, length: int) -> list[list[int]]:
    found = []
    for step_x, step_y in DIRECTIONS:
        for y in range(size - step_y * (length - 1)):
            for x in range(size):
                if 0 <= x + step_x * (length - 1) < size:
                    found.append([(y + i * step_y) * size + x + i * step_x for i in range(length)])
    return found


def _bits(cells: set[int], words: int) -> Constant:
    number = sum(1 << cell for cell in cells)
    return np.frombuffer(number.to_bytes(8 * words, "little"), np.int64).copy()
