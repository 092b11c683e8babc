"""Connect Four: stones fall into columns, four in a row win.

The board is two sets of bits. Column c holds bits c·(rows+1) … c·(rows+1)+rows, its highest bit always empty:

     6 13 20 27 34 41 48
     5 12 19 26 33 40 47
     …
     0  7 14 21 28 35 42
"""

from functools import cache
from typing import ClassVar, NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.core.spec import param
from ludus.games import text_board
from ludus.games.game import Game, Weight
from ludus.kernel.bitset import count_bits
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.rules import Array, Constant, rule

MINE, ALL, STONES, WON = range(4)  # of board: stones of the player to move, all stones, their number, winning lines
ROWS, COLUMNS, LENGTH, CELLS = range(4)  # of shape


class ConnectFourState(NamedTuple):
    """Bitboards and counters in one array."""

    board: Array
    shape: Constant
    windows: Constant  # every row of four cells, as bits
    weights: Constant  # by the number of stones still missing


@rule
def most_moves(state: ConnectFourState) -> int:
    return state.shape[COLUMNS]


@rule
def movers(state: ConnectFourState, out: Array) -> int:
    out[0] = state.board[STONES] & 1
    return 1


@rule
def legal(state: ConnectFourState, player: int, out: Array) -> int:
    height = state.shape[ROWS] + 1
    top = np.int64(1) << (height - 2)
    n = 0
    for column in range(state.shape[COLUMNS]):
        if state.board[ALL] & top == 0:
            out[n] = column
            n += 1
        top <<= height
    return n


@rule
def sample(state: ConnectFourState, player: int, rng: Rng) -> int:
    height = state.shape[ROWS] + 1
    tops = state.board[ALL] >> (height - 2)
    while True:
        column = below(rng, state.shape[COLUMNS])
        if (tops >> (column * height)) & 1 == 0:
            return column


@rule
def play(state: ConnectFourState, moves: Array) -> None:
    height = state.shape[ROWS] + 1
    before = state.board[ALL]
    after = before | (before + (np.int64(1) << (moves[0] * height)))
    mine = state.board[MINE] ^ after ^ before
    state.board[MINE] ^= before
    state.board[ALL] = after
    state.board[STONES] += 1
    state.board[WON] = winning(mine, height, state.shape[LENGTH])


@compiled
def winning(stones: int, height: int, length: int) -> int:
    """The ends of all rows of that length; 0 if there are none."""
    return (
        lines(stones, 1, length)
        | lines(stones, height, length)
        | lines(stones, height - 1, length)
        | lines(stones, height + 1, length)
    )


@compiled
def lines(stones: int, step: int, length: int) -> int:
    """The ends of all rows of that length in one direction."""
    if length == 4:
        pairs = stones & (stones >> step)
        return pairs & (pairs >> 2 * step)
    for _ in range(length - 1):
        stones &= stones >> step
    return stones


@rule
def over(state: ConnectFourState) -> bool:
    return state.board[WON] != 0 or state.board[STONES] == state.shape[CELLS]


@rule
def scores(state: ConnectFourState, out: Array) -> None:
    out[0] = 0.0
    if state.board[WON] != 0:
        out[0] = 1.0 if state.board[STONES] & 1 else -1.0
    out[1] = -out[0]


@rule
def heuristic(state: ConnectFourState, player: int) -> float:
    mover = state.board[STONES] & 1
    mine = state.board[MINE] if player == mover else state.board[MINE] ^ state.board[ALL]
    theirs = mine ^ state.board[ALL]
    total = 0.0
    for i in range(len(state.windows)):
        own, other = mine & state.windows[i], theirs & state.windows[i]
        if other == 0 and own != 0:
            total += weight_of(state, own)
        elif own == 0 and other != 0:
            total -= weight_of(state, other)
    return total / (1.0 + abs(total))


@compiled
def weight_of(state: ConnectFourState, stones: int) -> float:
    missing = state.shape[LENGTH] - count_bits(stones)
    return state.weights[missing - 1] if missing <= len(state.weights) else 0.0


@rule
def order(state: ConnectFourState, player: int, moves: Array, n: int) -> int:
    middle = state.shape[COLUMNS] - 1  # twice the middle column
    for i in range(1, n):
        move, j = moves[i], i
        while j > 0 and abs(2 * moves[j - 1] - middle) > abs(2 * move - middle):
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move
    return n


class ConnectFour(Game):
    """Stones fall into columns; the first to have four in a row, in any direction, wins.

    A move is the column, counted from 1. A position lists the rows from the top in the letters `.xo`, joined by `/`;
    `x` begins.
    """

    name: ClassVar[str] = "connect-four"
    board: ClassVar[str] = "discs"
    weights: ClassVar[dict[str, Weight]] = {
        "one_missing": Weight(0.05, "an open line that lacks one stone"),
        "two_missing": Weight(0.01, "an open line that lacks two stones"),
        "three_missing": Weight(0.001, "an open line that lacks three stones"),
    }

    rows: int = param(6, "rows of the board", low=2, high=12)
    columns: int = param(7, "columns of the board", low=2, high=12)
    length: int = param(4, "stones in a row that win", low=2, high=12)

    def __post_init__(self) -> None:
        if (self.rows + 1) * self.columns > 63:
            raise InvalidError(
                f"connect-four: {self.rows} rows by {self.columns} columns is too large: "
                f"(rows + 1) × columns may be at most 63."
            )
        if self.length > max(self.rows, self.columns):
            raise InvalidError(f"connect-four: length={self.length} does not fit on the board: use a smaller one.")

    def start(self, rng: Rng) -> ConnectFourState:
        return ConnectFourState(
            board=np.zeros(4, np.int64),
            shape=np.array([self.rows, self.columns, self.length, self.rows * self.columns]),
            windows=_windows(self.rows, self.columns, self.length),
            weights=self.default_weights(),
        )

    def format(self, state: ConnectFourState, player: int, move: int) -> str:
        return str(move + 1)

    def draw(self, state: ConnectFourState) -> str:
        numbers = " ".join(str((column + 1) % 10) for column in range(self.columns))
        return "\n".join([*(" ".join(row) for row in self._rows(state)), numbers])

    def _rows(self, state: ConnectFourState) -> list[str]:
        everything = int(state.board[ALL])
        mover = int(state.board[STONES]) & 1
        first = int(state.board[MINE]) if mover == 0 else int(state.board[MINE]) ^ everything
        rows = []
        for row in reversed(range(self.rows)):
            bits = [1 << (column * (self.rows + 1) + row) for column in range(self.columns)]
            rows.append("".join("." if not everything & b else "x" if first & b else "o" for b in bits))
        return rows

    def save(self, state: ConnectFourState) -> str:
        return "/".join(self._rows(state))

    def load(self, text: str) -> ConnectFourState:
        rows = text_board.read_rows(self.name, text, self.rows, self.columns)
        state = self.start(new_rng(0))
        stones = {"x": 0, "o": 0}
        for y, row in enumerate(reversed(rows)):
            for x, letter in enumerate(row):
                if letter != ".":
                    stones[letter] |= 1 << (x * (self.rows + 1) + y)
                    if y and not (stones["x"] | stones["o"]) >> (x * (self.rows + 1) + y - 1) & 1:
                        raise InvalidError(
                            f"connect-four: the stone in column {x + 1}, row {y + 1} has an empty cell below it."
                        )
        first, second = stones["x"].bit_count(), stones["o"].bit_count()
        if first - second not in (0, 1):
            raise InvalidError(
                f"connect-four: {first} 'x' and {second} 'o': 'x' begins, so must have as many or one more."
            )
        mine, theirs = (stones["x"], stones["o"]) if first == second else (stones["o"], stones["x"])
        height = self.rows + 1
        if winning(mine, height, self.length):
            mover = "x" if first == second else "o"
            raise InvalidError(f"connect-four: '{mover}' is to move, but has already won.")
        state.board[:] = mine, mine | theirs, first + second, winning(theirs, height, self.length)
        return state


@cache
def _windows(rows: int, columns: int, length: int) -> Constant:
    """Every winning row of cells, as bits."""

    def bit(column: int, row: int) -> int:
        return 1 << (column * (rows + 1) + row)

    found = []
    for step_x, step_y in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for x in range(columns - step_x * (length - 1)):
            for y in range(rows):
                if 0 <= y + step_y * (length - 1) < rows:
                    found.append(sum(bit(x + i * step_x, y + i * step_y) for i in range(length)))
    return np.array(found)
