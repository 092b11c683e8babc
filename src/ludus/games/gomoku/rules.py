"""The rules of Gomoku, the evaluation of positions and moves, and playouts that rarely check for rows."""

import numpy as np

from ludus.games.gomoku.state import (
    CARO,
    CELLS,
    CONTENTS,
    DIRECTIONS,
    FIVE,
    FOUR,
    FREESTYLE,
    HASH,
    LENGTH,
    NEAR,
    NOBODY,
    ONE,
    OPEN,
    RULE,
    SECOND_STONE,
    SIZE,
    STANDARD,
    STONES,
    WINNER,
    WORDS,
    GomokuState,
)
from ludus.kernel.bitset import lowest_bit
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import Array, room, rule


@rule
def most_moves(state: GomokuState) -> int:
    return state.shape[CELLS]


@rule
def movers(state: GomokuState, out: Array) -> int:
    out[0] = state.info[STONES] & 1
    return 1


@rule
def legal(state: GomokuState, player: int, out: Array) -> int:
    words = state.shape[WORDS]
    n = 0
    for word in range(words):
        free = state.inside[word] & ~(state.bits[word] | state.bits[words + word])
        while free:
            bit = lowest_bit(free)
            free ^= ONE << bit
            out[n] = 64 * word + bit
            n += 1
    return n


@rule
def sample(state: GomokuState, player: int, rng: Rng) -> int:
    while True:
        cell = below(rng, state.shape[CELLS])
        if not (holds(state, 0, cell) or holds(state, 1, cell)):
            return cell


@compiled
def holds(state: GomokuState, which: int, cell: int) -> bool:
    """True if a cell is in one of the sets of bits."""
    return (state.bits[which * state.shape[WORDS] + (cell >> 6)] >> (cell & 63)) & 1 != 0


@rule
def play(state: GomokuState, moves: Array) -> None:
    player = state.info[STONES] & 1
    if put(state, player, moves[0]) and (state.shape[RULE] == FREESTYLE or wins(state, player, moves[0])):
        state.info[WINNER] = player


@compiled
def put(state: GomokuState, player: int, cell: int) -> bool:
    """Add a stone; true if it fills a line."""
    words = state.shape[WORDS]
    state.bits[player * words + (cell >> 6)] |= ONE << (cell & 63)
    for word in range(words):
        state.bits[NEAR * words + word] |= state.beside[cell * words + word]
    mine, theirs = state.info[OPEN + player], state.info[OPEN + 1 - player]
    full = mine >> (16 * FIVE)
    my_counters, their_counters = player * CONTENTS, (1 - player) * CONTENTS
    stone = SECOND_STONE if player else 1
    for i in range(state.first_line[cell], state.first_line[cell + 1]):
        line = state.lines_through[i]
        before = np.int64(state.lines[line])
        state.lines[line] = before + stone
        mine += state.counters[my_counters + before + stone] - state.counters[my_counters + before]
        theirs -= state.counters[their_counters + before]
    state.info[OPEN + player] = mine
    state.info[OPEN + 1 - player] = theirs
    state.info[HASH] ^= state.codes[player * state.shape[CELLS] + cell]
    state.info[STONES] += 1
    return mine >> (16 * FIVE) > full


@compiled
def wins(state: GomokuState, player: int, cell: int) -> bool:
    """True if the stone on a cell is part of a winning row."""
    size = state.shape[SIZE]
    for step_x, step_y in DIRECTIONS:
        run, blocked = 1, 0
        for sign in (-1, 1):
            x, y = state.places[2 * cell] + sign * step_x, state.places[2 * cell + 1] + sign * step_y
            while 0 <= x < size and 0 <= y < size and holds(state, player, y * size + x):
                run += 1
                x, y = x + sign * step_x, y + sign * step_y
            if 0 <= x < size and 0 <= y < size and holds(state, 1 - player, y * size + x):
                blocked += 1
        if row_wins(state, run, blocked):
            return True
    return False


@compiled
def row_wins(state: GomokuState, run: int, blocked: int) -> bool:
    """True if an unbroken row wins, given its length and the number of its ends blocked by the other side."""
    length, by_rule = state.shape[LENGTH], state.shape[RULE]
    if run > length:
        return by_rule in (FREESTYLE, CARO)
    return run == length and (by_rule in (FREESTYLE, STANDARD) or blocked < 2)


@rule
def over(state: GomokuState) -> bool:
    return state.info[WINNER] != NOBODY or state.info[STONES] == state.shape[CELLS]


@rule
def scores(state: GomokuState, out: Array) -> None:
    winner = state.info[WINNER]
    out[0] = 0.0 if winner == NOBODY else 1.0 - 2.0 * winner
    out[1] = -out[0]


@rule
def key(state: GomokuState) -> int:
    return state.info[HASH]


@rule
def heuristic(state: GomokuState, player: int) -> float:
    # Lines that are open to one player alone. An open four is two lines that lack one stone, and so equals a five.
    mine, theirs = state.info[OPEN + player], state.info[OPEN + 1 - player]
    total = 0.0
    for kind in range(FIVE):
        total += state.weights[kind] * (((mine >> (16 * kind)) & 0xFFFF) - ((theirs >> (16 * kind)) & 0xFFFF))
    mover = state.info[STONES] & 1
    if (state.info[OPEN + mover] >> (16 * FOUR)) & 0xFFFF:  # the player to move completes it
        total += 10.0 * (state.weights[FIVE] if player == mover else -state.weights[FIVE])
    return total / (max(state.weights[FIVE], 1e-3) + abs(total))


@rule
def order(state: GomokuState, player: int, moves: Array, n: int) -> int:
    if state.info[STONES] == 0:
        moves[0] = (state.shape[SIZE] // 2) * (state.shape[SIZE] + 1)
        return 1
    count = 0
    for i in range(n):
        cell = moves[i]
        moves[count] = cell
        count += holds(state, NEAR, cell)
    gains, keys = room(CONTENTS), room(count)
    weigh_lines(state, player, gains)
    for i in range(count):
        worth = 0
        for j in range(state.first_line[moves[i]], state.first_line[moves[i] + 1]):
            worth += gains[state.lines[state.lines_through[j]]]
        key = (worth << 24) | ((count - i) << 12) | moves[i]  # equal ones keep their order
        place = i
        while place > 0 and keys[place - 1] < key:
            keys[place] = keys[place - 1]
            place -= 1
        keys[place] = key
    for i in range(count):
        moves[i] = keys[i] & 0xFFF
    return count


@compiled
def weigh_lines(state: GomokuState, player: int, gains: Array) -> None:
    """Write the value of a stone of `player` in a line, by the content of the line: a new threat, or one prevented."""
    length = state.shape[LENGTH]
    for content in range(CONTENTS):
        gains[content] = 0
    for stones in range(max(1, length - FIVE - 1), length):
        made = stones + 1 - (length - FIVE)
        threat = 16.0 * state.weights[made]
        if made == FIVE:
            threat *= 64.0  # more important than everything else
        gains[stones * (SECOND_STONE if player else 1)] = int(threat)
        gains[stones * (1 if player else SECOND_STONE)] = int(0.5 * threat)


@rule
def playout(state: GomokuState, rng: Rng, out: Array) -> None:
    # Play half of the remaining moves, look for the earliest row, and continue if there is none.
    if over(state):
        scores(state, out)
        return
    rows, when, free = room(2 * state.shape[SIZE]), room(state.shape[CELLS]), room(state.shape[CELLS])
    n = prepare(state, rows, when, free)
    played, end = 0, n
    while end == n and played < n:
        first, played = played, played + (n - played + 1) // 2
        for time in range(first, played):
            chosen = time + below(rng, n - time)
            cell = free[chosen]
            free[chosen] = free[time]
            when[cell] = time
            note(state, rows, (state.info[STONES] + time) & 1, cell)
        end = first_win(state, rows, when, n)
    out[0] = 0.0 if end == n else 1.0 - 2.0 * ((state.info[STONES] + end) & 1)
    out[1] = -out[0]


@compiled
def prepare(state: GomokuState, rows: Array, when: Array, free: Array) -> int:
    """Write the stones of each player as rows of bits, the free cells, and the times of cells: never, or before now.

    Returns the number of free cells, which also stands for never; -1 stands for before now.
    """
    words = state.shape[WORDS]
    n = legal(state, 0, free)
    for cell in range(state.shape[CELLS]):
        when[cell] = n
    for i in range(2 * state.shape[SIZE]):
        rows[i] = 0
    for player in range(2):
        for word in range(words):
            stones = state.bits[player * words + word]
            while stones:
                bit = lowest_bit(stones)
                stones ^= ONE << bit
                when[64 * word + bit] = -1
                note(state, rows, player, 64 * word + bit)
    return n


@compiled
def note(state: GomokuState, rows: Array, player: int, cell: int) -> None:
    """Add a stone to rows of bits."""
    rows[player * state.shape[SIZE] + state.places[2 * cell + 1]] |= 1 << state.places[2 * cell]


@compiled
def first_win(state: GomokuState, rows: Array, when: Array, never: int) -> int:
    """The time of the stone that made the first winning row; `never` if there is none."""
    size, length = state.shape[SIZE], state.shape[LENGTH]
    first = never
    for player in range(2):
        for step_x, step_y in DIRECTIONS:
            for y in range(size - step_y * (length - 1)):
                starts = rows[player * size + y]
                for i in range(1, length):
                    row = rows[player * size + y + i * step_y]
                    starts &= row >> i if step_x > 0 else row << i if step_x < 0 else row
                while starts:
                    x = lowest_bit(starts)
                    starts &= starts - 1
                    time = completed(when, y * size + x, step_y * size + step_x, length)
                    if 0 <= time < first and (
                        state.shape[RULE] == FREESTYLE
                        or won_then(state, rows, when, time, player, x, y, step_x, step_y)
                    ):
                        first = time
    return first


@compiled
def completed(when: Array, cell: int, step: int, length: int) -> int:
    """The time of the last stone of a line."""
    last = when[cell]
    for i in range(1, length):
        last = max(last, when[cell + i * step])
    return last


@compiled
def won_then(
    state: GomokuState, rows: Array, when: Array, time: int, player: int, x: int, y: int, step_x: int, step_y: int
) -> bool:
    """True if a line that is full since `time` won, given the stones at its ends then."""
    size, length = state.shape[SIZE], state.shape[LENGTH]
    run, blocked = length, 0
    for i in (-1, length):
        end_x, end_y = x + i * step_x, y + i * step_y
        if 0 <= end_x < size and 0 <= end_y < size and when[end_y * size + end_x] < time:
            if (rows[player * size + end_y] >> end_x) & 1:
                run += 1
            else:
                blocked += 1
    return row_wins(state, run, blocked)
