"""The state of Hex, and its rules.

The board is sets of bits, one for each row of each player. In the picture rows lean to the right, so that a cell
touches two others in its row, two above and two below; cells are numbered row by row:

    0  1  2
      3  4  5
        6  7  8
"""

from typing import NamedTuple

from ludus.kernel.bitset import count_bits, lowest_bit
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import Array, Constant, room, rule

FIRST, SECOND = range(2)  # joins top and bottom; joins left and right
NOBODY = -1

TURN, STONES, WINNER, HASH = range(4)  # of info
SIZE, CELLS, SWAP = range(3)  # of shape
STEEPNESS, TEMPO = range(2)  # of weights

_ROW_BITS = 5  # for a row's number, below the bits of that row in one integer
_ROW_MASK = (1 << _ROW_BITS) - 1


class HexState(NamedTuple):
    """Stones by rows (int32), and scalars."""

    rows: Array  # stones of each player, then those connected to the top (first player) or the left (second player)
    info: Array
    shape: Constant
    codes: Constant  # random numbers for the hash: for each player and cell, and for the turn
    ranks: Constant  # of each move, from the middle outwards
    weights: Constant


@rule
def most_moves(state: HexState) -> int:
    return state.shape[CELLS]


@rule
def movers(state: HexState, out: Array) -> int:
    out[0] = state.info[TURN]
    return 1


@compiled
def may_swap(state: HexState) -> bool:
    return state.shape[SWAP] != 0 and state.info[STONES] == 1 and state.info[TURN] == SECOND


@compiled
def free_cells(state: HexState, row: int) -> int:
    size = state.shape[SIZE]
    return ((1 << size) - 1) & ~(state.rows[row] | state.rows[size + row])


@rule
def legal(state: HexState, player: int, out: Array) -> int:
    n = 0
    for row in range(state.shape[SIZE]):
        free = free_cells(state, row)
        while free:
            out[n] = row * state.shape[SIZE] + lowest_bit(free)
            free &= free - 1
            n += 1
    if may_swap(state):
        out[n] = state.shape[CELLS]
        n += 1
    return n


@rule
def sample(state: HexState, player: int, rng: Rng) -> int:
    number = below(rng, state.shape[CELLS] - state.info[STONES] + may_swap(state))
    for row in range(state.shape[SIZE]):
        free = free_cells(state, row)
        n = count_bits(free)
        if number < n:
            for _ in range(number):
                free &= free - 1
            return row * state.shape[SIZE] + lowest_bit(free)
        number -= n
    return state.shape[CELLS]


@rule
def play(state: HexState, moves: Array) -> None:
    size = state.shape[SIZE]
    if moves[0] == state.shape[CELLS]:
        take_over(state)
    else:
        put(state, state.info[TURN], moves[0] // size, moves[0] % size)
    state.info[TURN] ^= 1
    state.info[HASH] ^= state.codes[2 * state.shape[CELLS]]


@compiled
def take_over(state: HexState) -> None:
    """Give the only stone to the second player, mirrored."""
    size = state.shape[SIZE]
    row = 0
    while state.rows[row] == 0:
        row += 1
    column = lowest_bit(state.rows[row])
    state.rows[row] = 0
    state.rows[2 * size + row] = 0
    state.info[STONES] = 0
    state.info[HASH] ^= state.codes[row * size + column]
    put(state, SECOND, column, row)


@compiled
def put(state: HexState, player: int, row: int, column: int) -> None:
    """Add a stone, and connect everything that it joins to the start."""
    size = state.shape[SIZE]
    stones, joined = player * size, (2 + player) * size
    rows = state.rows
    bit = 1 << column
    rows[stones + row] |= bit
    state.info[STONES] += 1
    state.info[HASH] ^= state.codes[player * state.shape[CELLS] + row * size + column]
    joins = (row if player == FIRST else column) == 0
    for other in range(max(row - 1, 0), min(row + 2, size)):
        joins |= touching(bit, row, other) & rows[joined + other] != 0
    if not joins:
        return
    rows[joined + row] |= bit
    pending = room(state.shape[CELLS])
    pending[0] = (bit << _ROW_BITS) | row
    n = 1
    while n > 0:
        n -= 1
        row, new = pending[n] & _ROW_MASK, pending[n] >> _ROW_BITS
        if arrives(new, row, player, size):
            state.info[WINNER] = player
        for other in range(max(row - 1, 0), min(row + 2, size)):
            found = touching(new, row, other) & rows[stones + other] & ~rows[joined + other]
            if found:
                rows[joined + other] |= found
                pending[n] = (found << _ROW_BITS) | other
                n += 1


@rule
def over(state: HexState) -> bool:
    return state.info[WINNER] != NOBODY


@rule
def scores(state: HexState, out: Array) -> None:
    out[0] = 0.0 if state.info[WINNER] == NOBODY else 1.0 if state.info[WINNER] == FIRST else -1.0
    out[1] = -out[0]


@rule
def key(state: HexState) -> int:
    return state.info[HASH]


@rule
def playout(state: HexState, rng: Rng, out: Array) -> None:

    # On a full board, stones after the win change nothing: so each side gets a random half of the empty cells, and one
    # flood finds the winner. Only a possible swap is played before.
    chosen = room(1)
    while may_swap(state) or (state.shape[SWAP] != 0 and state.info[STONES] == 0):
        chosen[0] = sample(state, state.info[TURN], rng)
        play(state, chosen)
    size = state.shape[SIZE]
    rows = room(size)
    fill(state, rows, rng)
    out[0] = 1.0 if spans(rows, size) else -1.0
    out[1] = -out[0]


@compiled
def fill(state: HexState, rows: Array, rng: Rng) -> None:
    """Write the first player's stones on a full board, reached by random moves.

    Each empty cell is assigned at random, then as many random ones as needed change sides: so all sets of the right
    size are equally likely.
    """
    size = state.shape[SIZE]
    lacking = (state.shape[CELLS] - state.info[STONES] + (state.info[TURN] == FIRST)) // 2
    for row in range(size):
        taken = below(rng, 1 << size) & free_cells(state, row)
        rows[row] = state.rows[row] | taken
        lacking -= count_bits(taken)
    while lacking != 0:
        row, bit = below(rng, size), 1 << below(rng, size)
        if free_cells(state, row) & bit and (rows[row] & bit == 0) == (lacking > 0):
            rows[row] ^= bit
            lacking += -1 if lacking > 0 else 1


@compiled
def spans(rows: Array, size: int) -> bool:
    """True if a chain of these stones connects the first row to the last."""
    wet = room(size)
    wet[0] = rows[0]
    for row in range(1, size):
        wet[row] = 0
    while True:
        deepest = 0
        for row in range(1, size):
            wet[row] = along(rows[row], wet[row] | (rows[row] & (wet[row - 1] | (wet[row - 1] >> 1))))
            if wet[row] == 0:
                break
            deepest = row
        if deepest == size - 1:
            return True
        grown = False
        for row in range(deepest - 1, 0, -1):
            seeds = rows[row] & (wet[row + 1] | (wet[row + 1] << 1)) & ~wet[row]
            if seeds:
                wet[row] = along(rows[row], wet[row] | seeds)
                grown = True
        if not grown:
            return False


@compiled
def along(row: int, seeds: int) -> int:
    """All runs of set bits in `row` that hold a seed."""
    found = (row & ~(row + seeds)) | seeds  # the carry runs from each seed to the upper end of its run
    for step in (1, 2, 4, 8, 16):
        found |= row & (found >> step)
        row &= row >> step
    return found


@rule
def heuristic(state: HexState, player: int) -> float:
    lead = distance(state, 1 - player) - distance(state, player)
    tempo = state.weights[TEMPO] if player == state.info[TURN] else -state.weights[TEMPO]
    total = state.weights[STEEPNESS] * (lead + tempo)
    return total / (1.0 + abs(total))


@compiled
def distance(state: HexState, player: int) -> int:
    """Number of stones that `player` still needs to connect its sides; the number of all cells if it cannot."""
    size = state.shape[SIZE]
    reached, next_reached, pending = room(size), room(size), room(state.shape[CELLS])
    n = 0
    for row in range(size):
        reached[row] = state.rows[(2 + player) * size + row]
        side = 1 if player == SECOND else (1 << size) - 1 if row == 0 else 0
        next_reached[row] = side & free_cells(state, row)
        if reached[row]:
            pending[n] = (reached[row] << _ROW_BITS) | row
            n += 1
    for steps in range(state.shape[CELLS]):
        while n > 0:
            n -= 1
            row, new = pending[n] & _ROW_MASK, pending[n] >> _ROW_BITS
            if arrives(new, row, player, size):
                return steps
            for other in range(max(row - 1, 0), min(row + 2, size)):
                near = touching(new, row, other) & ~reached[other]
                next_reached[other] |= near & free_cells(state, other)
                found = near & state.rows[player * size + other]
                if found:
                    reached[other] |= found
                    pending[n] = (found << _ROW_BITS) | other
                    n += 1
        for row in range(size):
            new = next_reached[row] & ~reached[row]
            if new:
                reached[row] |= new
                pending[n] = (new << _ROW_BITS) | row
                n += 1
    return state.shape[CELLS]


@compiled
def touching(cells: int, row: int, other: int) -> int:
    """The cells of row `other`, the same or the next one, adjacent to these cells of `row`."""
    if other == row:
        return (cells << 1) | (cells >> 1)
    return cells | (cells << 1) if other < row else cells | (cells >> 1)


@compiled
def arrives(cells: int, row: int, player: int, size: int) -> bool:
    """True if one of these cells is on the side that `player` must reach."""
    return row == size - 1 if player == FIRST else cells >> (size - 1) != 0


@rule
def order(state: HexState, player: int, moves: Array, n: int) -> int:
    total = state.shape[CELLS] + 1
    places = room(total)
    for i in range(total):
        places[i] = -1
    for i in range(n):
        places[state.ranks[moves[i]]] = moves[i]
    count = 0
    for i in range(total):
        if places[i] >= 0:
            moves[count] = places[i]
            count += 1
    return n
