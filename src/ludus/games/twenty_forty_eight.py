"""2048: tiles slide over a board of 4 × 4, equal ones merge, and a new one appears after every move.

The board is one int64: cell c of row r is the four bits from 16·r + 4·c, 0 if empty, else the tile's power of two. A
row is thus a number below 65,536, and sliding it is one table lookup.
"""

from functools import cache
from typing import ClassVar, NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.games import text_board
from ludus.games.game import Game, Weight
from ludus.kernel.bitset import count_bits, lowest_bit
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.rules import CHANCE, Array, Constant, rule

CELLS, POINTS, FALLING = range(3)  # indices of board: the tiles, points so far, new tiles to be placed by chance
UP, RIGHT, DOWN, LEFT = range(4)
SLID_LEFT, SLID_RIGHT, GAIN, PAIRS, DISORDER = range(5)  # of rows
ALIVE, PER_EMPTY, PER_PAIR, PER_DISORDER = range(4)  # of weights
LARGEST = 15  # two tiles of 2 ** 15 do not merge
HIGHEST_POINTS = 16 * (LARGEST - 1) * 2**LARGEST

ROW = 0xFFFF
LOW_BITS = 0x1111_1111_1111_1111  # the lowest bit of every cell
BUT_LAST_COLUMN = 0x0111_0111_0111_0111


class TwentyFortyEightState(NamedTuple):
    """The board as a number and counters in one array; the results of sliding each row in a table."""

    board: Array
    rows: Constant  # int64[65536, 5]
    weights: Constant


@rule
def most_moves(state: TwentyFortyEightState) -> int:
    return 4


@rule
def most_outcomes(state: TwentyFortyEightState) -> int:
    return 32


@rule
def movers(state: TwentyFortyEightState, out: Array) -> int:
    out[0] = CHANCE if state.board[FALLING] > 0 else 0
    return 1


@rule
def legal(state: TwentyFortyEightState, player: int, out: Array) -> int:
    open_ways = ways(state.board[CELLS])
    n = 0
    for way in range(4):
        if (open_ways >> way) & 1:
            out[n] = way
            n += 1
    return n


@rule
def chance(state: TwentyFortyEightState, probabilities: Array) -> int:
    n = count_bits(holes(state.board[CELLS]))
    for i in range(n):
        probabilities[2 * i] = 0.9 / n
        probabilities[2 * i + 1] = 0.1 / n
    return 2 * n


@rule
def sample(state: TwentyFortyEightState, player: int, rng: Rng) -> int:
    if player == CHANCE:
        hole = below(rng, count_bits(holes(state.board[CELLS])))
        return 2 * hole + (below(rng, 10) == 0)
    open_ways = ways(state.board[CELLS])
    while True:
        way = below(rng, 4)
        if (open_ways >> way) & 1:
            return way


@rule
def play(state: TwentyFortyEightState, moves: Array) -> None:
    if state.board[FALLING] > 0:
        state.board[CELLS] = with_tile(state.board[CELLS], moves[0] >> 1, moves[0] & 1)
        state.board[FALLING] -= 1
    else:
        after, gain = moved(state, state.board[CELLS], moves[0])
        state.board[CELLS] = after
        state.board[POINTS] += gain
        state.board[FALLING] = 1


@rule
def playout(state: TwentyFortyEightState, rng: Rng, out: Array) -> None:
    cells, points = state.board[CELLS], state.board[POINTS]
    for _ in range(state.board[FALLING]):
        cells = with_tile(cells, below(rng, count_bits(holes(cells))), below(rng, 10) == 0)
    while holes(cells) != 0 or ways(cells) != 0:
        after, gain = moved(state, cells, below(rng, 4))
        if after != cells:
            points += gain
            cells = with_tile(after, below(rng, count_bits(holes(after))), below(rng, 10) == 0)
    state.board[CELLS], state.board[POINTS], state.board[FALLING] = cells, points, 0
    out[0] = points


@rule
def over(state: TwentyFortyEightState) -> bool:
    if state.board[FALLING] > 0 or holes(state.board[CELLS]) != 0:
        return False
    return ways(state.board[CELLS]) == 0


@rule
def scores(state: TwentyFortyEightState, out: Array) -> None:
    out[0] = state.board[POINTS]


@rule
def heuristic(state: TwentyFortyEightState, player: int) -> float:
    cells = state.board[CELLS]
    columns = transposed(cells)
    pairs, disorder = 0, 0
    for shift in range(0, 64, 16):
        row, column = (cells >> shift) & ROW, (columns >> shift) & ROW
        pairs += state.rows[row, PAIRS] + state.rows[column, PAIRS]
        disorder += state.rows[row, DISORDER] + state.rows[column, DISORDER]
    rest = (
        state.weights[ALIVE]
        + state.weights[PER_EMPTY] * count_bits(holes(cells))
        + state.weights[PER_PAIR] * pairs
        - state.weights[PER_DISORDER] * disorder
    )
    return min(max(state.board[POINTS] + rest, state.board[POINTS] + 1.0), HIGHEST_POINTS - 1.0)


@compiled
def holes(cells: int) -> int:
    """The lowest bit of every empty cell."""
    return ~tiles(cells) & LOW_BITS


@compiled
def tiles(cells: int) -> int:
    """The lowest bit of every cell that is not empty."""
    halves = cells | (cells >> 1)
    return (halves | (halves >> 2)) & LOW_BITS


@compiled
def ways(cells: int) -> int:
    """The directions in which something moves, as bits."""
    full = tiles(cells)
    empty = ~full & LOW_BITS
    growing = full & tiles(~cells)  # all but the largest tile
    in_row = growing & holes(cells ^ (cells >> 4)) & BUT_LAST_COLUMN
    in_column = growing & holes(cells ^ (cells >> 16)) & (LOW_BITS >> 16)
    return (
        (((in_column | (empty & (full >> 16))) != 0) << UP)
        | (((in_row | (full & (empty >> 4) & BUT_LAST_COLUMN)) != 0) << RIGHT)
        | (((in_column | (full & (empty >> 16))) != 0) << DOWN)
        | (((in_row | (empty & (full >> 4) & BUT_LAST_COLUMN)) != 0) << LEFT)
    )


@compiled
def moved(state: TwentyFortyEightState, cells: int, way: int) -> tuple[int, int]:
    """The board after all tiles have slid that way, and the points won."""
    upright = way in (UP, DOWN)
    if upright:
        cells = transposed(cells)
    side = SLID_LEFT if way in (UP, LEFT) else SLID_RIGHT
    after, gain = 0, 0
    for shift in range(0, 64, 16):
        row = (cells >> shift) & ROW
        after |= state.rows[row, side] << shift
        gain += state.rows[row, GAIN]
    return transposed(after) if upright else after, gain


@compiled
def with_tile(cells: int, hole: int, is_four: int) -> int:
    """The board with a new tile in an empty cell, counted from the top left."""
    left = holes(cells)
    for _ in range(hole):
        left &= left - 1
    return cells | ((np.int64(1) + is_four) << lowest_bit(left))


@compiled
def transposed(cells: int) -> int:
    """Rows and columns exchanged: first inside each quarter of the board, then the quarters."""
    swap = (cells ^ (cells >> 12)) & 0x0000_F0F0_0000_F0F0
    cells ^= swap ^ (swap << 12)
    swap = (cells ^ (cells >> 24)) & 0x0000_0000_FF00_FF00
    return cells ^ swap ^ (swap << 24)


@compiled
def slid(row: int) -> tuple[int, int, int]:
    """A row slid towards its lowest bits, the points won, and the number of merged pairs."""
    after, points, pairs, n, last = 0, 0, 0, 0, 0
    for shift in range(0, 16, 4):
        tile = (row >> shift) & 15
        if tile == 0:
            continue
        if tile == last and tile < LARGEST:
            after += 1 << (4 * (n - 1))
            points += 2 << tile
            pairs += 1
            last = 0
        else:
            after |= tile << (4 * n)
            n += 1
            last = tile
    return after, points, pairs


@compiled
def mirrored(row: int) -> int:
    """A row with its cells reversed."""
    return (row & 15) << 12 | (row & 0xF0) << 4 | (row >> 4) & 0xF0 | row >> 12


@compiled
def disorder_of(row: int) -> int:
    """The sum of rises, or of falls if that is less, of the tiles' values along the row: 0 if monotonic."""
    rises, falls = 0, 0
    for shift in range(0, 12, 4):
        here, there = value_of((row >> shift) & 15), value_of((row >> (shift + 4)) & 15)
        rises += max(there - here, 0)
        falls += max(here - there, 0)
    return min(rises, falls)


@compiled
def value_of(tile: int) -> int:
    return (1 << tile) & ~1


@compiled
def fill_rows(table: Array) -> None:
    for row in range(65536):
        after, points, pairs = slid(row)
        table[row, SLID_LEFT] = after
        table[row, SLID_RIGHT] = mirrored(slid(mirrored(row))[0])
        table[row, GAIN] = points
        table[row, PAIRS] = pairs
        table[row, DISORDER] = disorder_of(row)


@cache
def row_table() -> Array:
    """The constant field `rows`, created once per process."""
    table = np.zeros((65536, 5), np.int64)
    fill_rows(table)
    return table


class TwentyFortyEight(Game):
    """Slide all tiles of a 4 × 4 board; equal tiles that meet merge, and you score their sum.

    A move is up, right, down or left. Then a 2 appears in an empty cell, or one time in ten a 4, written like
    `2@b3`: columns are a to d, rows 1 to 4 from the top. Two tiles of 32768 do not merge.

    A position is four rows of tiles from the top, 0 for empty, as in `0-2-0-0/0-0-0-0/0-0-4-0/0-0-0-0`; the points so
    far may follow as a fifth part, the number of new tiles to be placed as a sixth.
    """

    name: ClassVar[str] = "2048"
    board: ClassVar[str] = "tiles"
    least_players: ClassVar[int] = 1
    most_players: ClassVar[int] = 1
    chance: ClassVar[bool] = True
    score_range: ClassVar[tuple[float, float]] = (0.0, float(HIGHEST_POINTS))
    weights: ClassVar[dict[str, Weight]] = {
        "alive": Weight(20_000.0, "expected points of a game that continues"),
        "empty": Weight(40.0, "points for an empty cell"),
        "pair": Weight(50.0, "points for two tiles that can merge"),
        "disorder": Weight(4.0, "points lost for each point by which a tile is out of order in its row or column"),
    }

    def start(self, rng: Rng) -> TwentyFortyEightState:
        return TwentyFortyEightState(np.array([0, 0, 2]), row_table(), self.default_weights())

    def format(self, state: TwentyFortyEightState, player: int, move: int) -> str:
        if player != CHANCE:
            return ("up", "right", "down", "left")[move]
        hole = [i for i, tile in enumerate(_tiles(state)) if not tile][move // 2]
        return f"{2 + 2 * (move % 2)}@{text_board.cell_name(hole % 4, hole // 4)}"

    def draw(self, state: TwentyFortyEightState) -> str:
        texts = [f"{tile or '':^7}" for tile in _tiles(state)]
        edge = "  +-------+-------+-------+-------+"
        lines = ["      a       b       c       d", edge]
        for row in range(4):
            lines += [f"{row + 1} |{'|'.join(texts[4 * row : 4 * row + 4])}|", edge]
        return "\n".join([*lines, f"{state.board[POINTS]} points"])

    def save(self, state: TwentyFortyEightState) -> str:
        tiles = _tiles(state)
        rows = ["-".join(str(tile) for tile in tiles[i : i + 4]) for i in range(0, 16, 4)]
        return "/".join([*rows, str(state.board[POINTS]), str(state.board[FALLING])])

    def load(self, text: str) -> TwentyFortyEightState:
        parts = text.strip().split("/")
        try:
            numbers = [[int(number) for number in part.split("-")] for part in parts]
        except ValueError:
            numbers = []
        cells = [tile for row in numbers[:4] for tile in row]
        counters = [number for part in numbers[4:] for number in part] + [0, 0]
        if [len(row) for row in numbers] not in ([4, 4, 4, 4], [4, 4, 4, 4, 1], [4, 4, 4, 4, 1, 1]):
            raise InvalidError(
                "2048: a position is four rows of four tiles from the top, as in 0-2-0-0/0-0-0-0/0-0-4-0/0-0-0-0, then "
                "optionally /POINTS and /TILES-TO-FALL."
            )
        if wrong := [tile for tile in cells if tile and tile not in [2**i for i in range(1, LARGEST + 1)]]:
            raise InvalidError(f"2048: {wrong[0]} is not a tile: tiles are 2, 4, 8 … 32768, and 0 for none.")
        points, falling = counters[:2]
        if points % 4 or points >= HIGHEST_POINTS:
            raise InvalidError(
                f"2048: {points} points are impossible: points are a multiple of 4 below {HIGHEST_POINTS}."
            )
        if falling > min(2, cells.count(0)) or not (falling or any(cells)):
            raise InvalidError(f"2048: {falling} tiles to be placed do not fit {cells.count(0)} empty cells.")
        state = self.start(new_rng(0))
        board = sum((tile.bit_length() - 1) << 4 * i for i, tile in enumerate(cells) if tile)
        state.board[:] = np.array([board], np.uint64).astype(np.int64)[0], points, falling
        return state


def _tiles(state: TwentyFortyEightState) -> list[int]:
    """The values of the tiles, row by row from the top, 0 where empty."""
    powers = [int(state.board[CELLS]) >> 4 * i & 15 for i in range(16)]
    return [1 << power if power else 0 for power in powers]
