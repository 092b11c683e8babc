"""Tic-tac-toe: three in a row on a board of nine.

The board is two sets of bits, square 0 at the top left, 8 at the bottom right.
"""

from typing import ClassVar, NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.games import text_board
from ludus.games.game import Game, Weight
from ludus.kernel.bitset import count_bits
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.rules import Array, Constant, rule

STONES = 2  # index of board: 0 and 1 are the stones of each player, this is their number
LINES = (
    *(0b000_000_111, 0b000_111_000, 0b111_000_000),
    *(0b001_001_001, 0b010_010_010, 0b100_100_100),
    *(0b100_010_001, 0b001_010_100),
)
FREE = np.array([sorted(range(9), key=lambda square: stones >> square & 1) for stones in range(512)]).ravel()
WINS = np.array([any(stones & line == line for line in LINES) for stones in range(512)], np.int64)


class TicTacToeState(NamedTuple):
    """Bitboards and the number of stones in one array."""

    board: Array
    free: Constant  # for each set of stones, the squares outside it
    wins: Constant  # for each set of stones, true if it has a line
    weights: Constant  # of an open line, by its stones


@rule
def most_moves(state: TicTacToeState) -> int:
    return 9


@rule
def movers(state: TicTacToeState, out: Array) -> int:
    out[0] = state.board[STONES] & 1
    return 1


@rule
def legal(state: TicTacToeState, player: int, out: Array) -> int:
    first = 9 * (state.board[0] | state.board[1])
    n = 9 - state.board[STONES]
    for i in range(n):
        out[i] = state.free[first + i]
    return n


@rule
def sample(state: TicTacToeState, player: int, rng: Rng) -> int:
    return state.free[9 * (state.board[0] | state.board[1]) + below(rng, 9 - state.board[STONES])]


@rule
def play(state: TicTacToeState, moves: Array) -> None:
    state.board[state.board[STONES] & 1] |= 1 << moves[0]
    state.board[STONES] += 1


@rule
def over(state: TicTacToeState) -> bool:
    return state.board[STONES] == 9 or state.wins[state.board[1 - (state.board[STONES] & 1)]] != 0


@rule
def scores(state: TicTacToeState, out: Array) -> None:
    out[0] = state.wins[state.board[0]] - state.wins[state.board[1]]
    out[1] = -out[0]


@rule
def heuristic(state: TicTacToeState, player: int) -> float:
    mine, theirs = state.board[player], state.board[1 - player]
    total = 0.0
    for line in LINES:
        own, other = count_bits(mine & line), count_bits(theirs & line)
        if other == 0 and own != 0:
            total += state.weights[min(own, 2) - 1]
        elif own == 0 and other != 0:
            total -= state.weights[min(other, 2) - 1]
    return total / (1.0 + abs(total))


class TicTacToe(Game):
    """Three in a row, in any direction, on a board of nine squares.

    A move is a square: the letter of its column and the number of its row, from the top left, as in `b2`. A position is
    its rows from the top in letters `.xo`, joined by `/`; `x` begins.
    """

    name: ClassVar[str] = "tic-tac-toe"
    board: ClassVar[str] = "noughts"
    weights: ClassVar[dict[str, Weight]] = {
        "one": Weight(0.05, "an open line with one stone"),
        "two": Weight(0.3, "an open line with two stones"),
    }

    def start(self, rng: Rng) -> TicTacToeState:
        return TicTacToeState(np.zeros(3, np.int64), FREE, WINS, self.default_weights())

    def format(self, state: TicTacToeState, player: int, move: int) -> str:
        return text_board.cell_name(move % 3, move // 3)

    def draw(self, state: TicTacToeState) -> str:
        return text_board.drawn(self._rows(state))

    def _rows(self, state: TicTacToeState) -> list[str]:
        first, second = int(state.board[0]), int(state.board[1])
        letters = "".join("x" if first >> i & 1 else "o" if second >> i & 1 else "." for i in range(9))
        return [letters[:3], letters[3:6], letters[6:]]

    def save(self, state: TicTacToeState) -> str:
        return "/".join(self._rows(state))

    def load(self, text: str) -> TicTacToeState:
        letters = "".join(text_board.read_rows(self.name, text, 3, 3))
        state = self.start(new_rng(0))
        first, second = letters.count("x"), letters.count("o")
        if first - second not in (0, 1):
            raise InvalidError(
                f"tic-tac-toe: {first} 'x' and {second} 'o': 'x' begins, so must have as many or one more."
            )
        for player, stone in enumerate(text_board.STONES):
            state.board[player] = sum(1 << i for i, letter in enumerate(letters) if letter == stone)
        state.board[STONES] = first + second
        mover = (first + second) & 1
        if state.wins[state.board[mover]]:
            raise InvalidError(f"tic-tac-toe: '{text_board.STONES[mover]}' is to move, but already has three in a row.")
        return state
