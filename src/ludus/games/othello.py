"""Othello: enclosed stones turn over, and most stones win.

The board is two sets of bits, square 0 at the top left, 63 at the bottom right. Smaller boards use its top left corner,
so that a square has the same number on all of them:

     0  1  2 …  7
     8  9 10 … 15
     …
    56 57 58 … 63
"""

from functools import cache
from typing import ClassVar, NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.core.spec import param
from ludus.games import text_board
from ludus.games.game import Game, Weight
from ludus.games.notation import Notation
from ludus.games.sgf import SgfNotation, Special
from ludus.kernel.bitset import count_bits, lowest_bit
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.rules import Array, Constant, rule

PASS = 64

MINE, THEIRS, MOVES, TURN, OVER = range(5)  # of board, for the player to move
INSIDE = 0  # of squares; three sets for each corner follow: the corner, its X square, its C squares

# 64-bit sets are unsigned, and so are all shifts: mixed types become floats.
NONE, ONE, TWICE = (np.uint64(n) for n in (0, 1, 2))
INNER_COLUMNS = np.uint64(0x7E7E7E7E7E7E7E7E)
NOT_WEST, NOT_EAST = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
EAST, SOUTH, SOUTH_EAST, SOUTH_WEST = (np.uint64(n) for n in (1, 8, 9, 7))

CORNER, X_SQUARE, C_SQUARE, MOBILITY, FRONTIER, STONES, ENDGAME = range(7)  # of weights


class OthelloState(NamedTuple):
    """Bitboards (uint64) of the player to move, its legal squares, and the player to move."""

    board: Array
    squares: Constant
    ranks: Constant  # of each move, the most promising lowest
    weights: Constant


@rule
def most_moves(state: OthelloState) -> int:
    return count_bits(state.squares[INSIDE])


@rule
def movers(state: OthelloState, out: Array) -> int:
    out[0] = state.board[TURN]
    return 1


@rule
def legal(state: OthelloState, player: int, out: Array) -> int:
    moves = state.board[MOVES]
    if moves == NONE:
        out[0] = PASS
        return 1
    n = 0
    while moves != NONE:
        out[n] = lowest_bit(moves)
        moves &= moves - ONE
        n += 1
    return n


@rule
def sample(state: OthelloState, player: int, rng: Rng) -> int:
    moves = state.board[MOVES]
    if moves == NONE:
        return PASS
    for _ in range(below(rng, count_bits(moves))):
        moves &= moves - ONE
    return lowest_bit(moves)


@rule
def play(state: OthelloState, moves: Array) -> None:
    board = state.board
    mine, theirs = board[MINE], board[THEIRS]
    if moves[0] != PASS:
        square = ONE << np.uint64(moves[0])
        turned = enclosed(square, mine, theirs)
        mine |= square | turned
        theirs ^= turned
    board[MINE], board[THEIRS] = theirs, mine
    board[TURN] ^= ONE
    settle(state)


@compiled
def settle(state: OthelloState) -> None:
    """Find the squares that the player to move may take, and note if neither player can move."""
    board = state.board
    mine, theirs = board[MINE], board[THEIRS]
    board[MOVES] = moves_of(mine, theirs, state.squares[INSIDE])
    if board[MOVES] == NONE:
        board[OVER] = moves_of(theirs, mine, state.squares[INSIDE]) == NONE


@compiled
def moves_of(mine: np.uint64, theirs: np.uint64, inside: np.uint64) -> np.uint64:
    """The empty squares from which a row of their stones ends at one of mine."""
    inner = theirs & INNER_COLUMNS
    rows = (
        (upward(mine, inner, EAST) << EAST)
        | (upward(mine, theirs, SOUTH) << SOUTH)
        | (upward(mine, inner, SOUTH_EAST) << SOUTH_EAST)
        | (upward(mine, inner, SOUTH_WEST) << SOUTH_WEST)
        | (downward(mine, inner, EAST) >> EAST)
        | (downward(mine, theirs, SOUTH) >> SOUTH)
        | (downward(mine, inner, SOUTH_EAST) >> SOUTH_EAST)
        | (downward(mine, inner, SOUTH_WEST) >> SOUTH_WEST)
    )
    return rows & inside & ~(mine | theirs)


@compiled
def enclosed(square: np.uint64, mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """Their stones between a square and mine."""
    inner = theirs & INNER_COLUMNS
    return (
        enclosed_upward(square, mine, inner, EAST)
        | enclosed_upward(square, mine, theirs, SOUTH)
        | enclosed_upward(square, mine, inner, SOUTH_EAST)
        | enclosed_upward(square, mine, inner, SOUTH_WEST)
        | enclosed_downward(square, mine, inner, EAST)
        | enclosed_downward(square, mine, theirs, SOUTH)
        | enclosed_downward(square, mine, inner, SOUTH_EAST)
        | enclosed_downward(square, mine, inner, SOUTH_WEST)
    )


@compiled
def enclosed_upward(square: np.uint64, mine: np.uint64, theirs: np.uint64, step: np.uint64) -> np.uint64:
    row = upward(square, theirs, step)
    return row if (row << step) & mine != NONE else NONE


@compiled
def enclosed_downward(square: np.uint64, mine: np.uint64, theirs: np.uint64, step: np.uint64) -> np.uint64:
    row = downward(square, theirs, step)
    return row if (row >> step) & mine != NONE else NONE


@compiled
def upward(origins: np.uint64, through: np.uint64, step: np.uint64) -> np.uint64:
    """The squares of `through` in an unbroken row from `origins` towards higher bits, six at most."""
    row = through & (origins << step)
    row |= through & (row << step)
    pairs = through & (through << step)
    row |= pairs & (row << (step * TWICE))
    return row | (pairs & (row << (step * TWICE)))


@compiled
def downward(origins: np.uint64, through: np.uint64, step: np.uint64) -> np.uint64:
    """The squares of `through` in an unbroken row from `origins` towards lower bits, six at most."""
    row = through & (origins >> step)
    row |= through & (row >> step)
    pairs = through & (through >> step)
    row |= pairs & (row >> (step * TWICE))
    return row | (pairs & (row >> (step * TWICE)))


@rule
def over(state: OthelloState) -> bool:
    return state.board[OVER] != NONE


@rule
def scores(state: OthelloState, out: Array) -> None:
    lead = count_bits(state.board[MINE]) - count_bits(state.board[THEIRS])
    if state.board[TURN] != NONE:
        lead = -lead
    out[0] = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
    out[1] = -out[0]


@rule
def heuristic(state: OthelloState, player: int) -> float:
    board, weights = state.board, state.weights
    mine, theirs = board[MINE], board[THEIRS]
    total = weights[MOBILITY] * (count_bits(board[MOVES]) - count_bits(moves_of(theirs, mine, state.squares[INSIDE])))
    empty = state.squares[INSIDE] & ~(mine | theirs)
    for corner in range(1, 13, 3):
        owned = lead(mine, theirs, state.squares[corner])
        if owned != 0:
            total += weights[CORNER] * owned
        elif empty & state.squares[corner] != NONE:
            total += weights[X_SQUARE] * lead(mine, theirs, state.squares[corner + 1])
            total += weights[C_SQUARE] * lead(mine, theirs, state.squares[corner + 2])
    total += weights[FRONTIER] * lead(mine, theirs, beside(empty))
    filled = 1.0 - count_bits(empty) / count_bits(state.squares[INSIDE])
    total += (weights[STONES] + weights[ENDGAME] * filled**8) * lead(mine, theirs, state.squares[INSIDE])
    if player != np.int64(board[TURN]):
        total = -total
    return total / (1.0 + abs(total))


@compiled
def lead(mine: np.uint64, theirs: np.uint64, squares: np.uint64) -> int:
    """The difference between my stones and theirs on these squares."""
    return count_bits(mine & squares) - count_bits(theirs & squares)


@compiled
def beside(squares: np.uint64) -> np.uint64:
    """All neighbours of a set of squares; the set itself may be among them."""
    row = squares | ((squares & NOT_WEST) >> EAST) | ((squares & NOT_EAST) << EAST)
    return row | (row << SOUTH) | (row >> SOUTH)


@rule
def order(state: OthelloState, player: int, moves: Array, n: int) -> int:
    for i in range(1, n):
        move, j = moves[i], i
        while j > 0 and state.ranks[moves[j - 1]] > state.ranks[move]:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move
    return n


class Othello(Game):
    """A move encloses the opponent's stones, which turn over; at the end most stones win.

    Black (`x`) begins. A move is a square: the letter of its column and the number of its row, from the top left, as in
    `d3`; a player that can enclose nothing must `pass`. A position lists the rows from the top in the letters `.xo`,
    joined by `/`, then a space and the letter of the player to move.
    """

    name: ClassVar[str] = "othello"
    board: ClassVar[str] = "squares"
    weights: ClassVar[dict[str, Weight]] = {
        "corner": Weight(0.8, "a corner"),
        "x_square": Weight(-0.4, "a stone diagonally beside an empty corner"),
        "c_square": Weight(-0.15, "a stone on the edge beside an empty corner"),
        "mobility": Weight(0.08, "a possible move"),
        "frontier": Weight(-0.04, "a stone beside an empty square"),
        "stones": Weight(0.0, "a stone, at any time"),
        "endgame": Weight(0.1, "a stone, increasing as the board fills"),
    }

    size: int = param(8, "rows and columns of the board: 4, 6 or 8", low=4, high=8)

    def __post_init__(self) -> None:
        if self.size % 2:
            raise InvalidError(f"othello: size={self.size} is invalid: use 4, 6 or 8.")

    def start(self, rng: Rng) -> OthelloState:
        squares, ranks = _tables(self.size)
        state = OthelloState(
            board=np.zeros(5, np.uint64),
            squares=squares,
            ranks=ranks,
            weights=self.default_weights(),
        )
        middle = self.size // 2
        state.board[MINE] = square(middle, middle - 1) | square(middle - 1, middle)
        state.board[THEIRS] = square(middle - 1, middle - 1) | square(middle, middle)
        settle(state)
        return state

    def format(self, state: OthelloState, player: int, move: int) -> str:
        return "pass" if move == PASS else text_board.cell_name(move % 8, move // 8)

    def draw(self, state: OthelloState) -> str:
        return text_board.drawn(self._rows(state))

    @classmethod
    def notation(cls) -> Notation:
        return SgfNotation(
            cls.name, number=2, size=8, cell=text_board.cell_name, reads_names=True, special={"pass": Special("")}
        )

    def _rows(self, state: OthelloState) -> list[str]:
        sides = int(state.board[MINE]), int(state.board[THEIRS])
        first, second = sides if state.board[TURN] == 0 else reversed(sides)
        return [
            "".join("x" if first & square(x, y) else "o" if second & square(x, y) else "." for x in range(self.size))
            for y in range(self.size)
        ]

    def save(self, state: OthelloState) -> str:
        return f"{'/'.join(self._rows(state))} {text_board.STONES[int(state.board[TURN])]}"

    def load(self, text: str) -> OthelloState:
        rows, turn = text_board.read_rows_and_turn(self.name, text, self.size, self.size)
        state = self.start(new_rng(0))
        cells = [(letter, square(x, y)) for y, row in enumerate(rows) for x, letter in enumerate(row)]
        for side, letter in ((MINE, text_board.STONES[turn]), (THEIRS, text_board.STONES[1 - turn])):
            state.board[side] = sum(bit for stone, bit in cells if stone == letter)
        state.board[TURN] = turn
        settle(state)
        return state


def square(column: int, row: int) -> int:
    """The bit of a square."""
    return 1 << (8 * row + column)


@cache
def _tables(size: int) -> tuple[Constant, Constant]:
    """Squares and ranks shared by all states of one size."""
    far, near_far = size - 1, size - 2
    sets = [sum(square(x, y) for x in range(size) for y in range(size))]
    for x, inner_x in ((0, 1), (far, near_far)):
        for y, inner_y in ((0, 1), (far, near_far)):
            sets += [square(x, y), square(inner_x, inner_y), square(x, inner_y) | square(inner_x, y)]
    corners, x_squares, c_squares = (sum(sets[kind::3]) for kind in (1, 2, 3))
    ranks = [
        0 if corners >> move & 1 else 3 if x_squares >> move & 1 else 2 if c_squares >> move & 1 else 1
        for move in range(PASS + 1)
    ]
    return np.array(sets, np.uint64), np.array(ranks)
