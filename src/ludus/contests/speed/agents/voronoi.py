"""Territory: the cells that each player reaches first, on a board of bits, with 64 cells of a row per word."""

from typing import NamedTuple

import numpy as np

from ludus.contests.speed.agents.walking import HEADING, PACE, PLACE, Ground, ahead, is_jump
from ludus.contests.speed.game import JUMP_EVERY, JUMP_FROM, TOP_SPEED
from ludus.kernel.bitset import count_bits
from ludus.kernel.jit import compiled
from ludus.kernel.rules import MOST_PLAYERS, Array, room

_WORD = 64
_NONE, _ONE, _TWO, _THREE, _FOUR, _LAST, _SIZE = (np.uint64(n) for n in (0, 1, 2, 3, 4, 63, 64))
_JUMPS_WITHIN = 6 * JUMP_EVERY  # rounds: later jumps are too uncertain
_FRAME = 4  # rows, as many as the longest considered jump
CELLS, EDGES, MEETS = range(3)
"""Properties of a territory: its cells, the pairs of neighbours among them, and a border with another one."""


class Field(NamedTuple):
    """A board of bits. Words are stored column by column, so that a loop down the rows reads adjacent memory.

    Around the board is a frame of one word at the sides and some rows above and below, with no free cells. Rows are
    counted by unsigned numbers: with signed ones, which may be negative, the compiler does not vectorise.
    """

    free: Array  # uint64[word, row]
    vacant: Array  # uint64[word, row]: free, and not claimed yet
    reach: Array  # uint64[player, 2, word, row]: cells reached by a player, after this step and the previous one
    once: Array  # uint64[word, row]: reached by any player in this round
    twice: Array  # uint64[word, row]: reached by several, so owned by none
    sizes: Array  # int64[player, 3]
    latest: Array  # int64[player]: index of the later one of the two in `reach`


def new_field(width: int, height: int, players: int) -> Field:
    """Memory for a board of this size."""
    shape = (-(-width // _WORD) + 2, height + 2 * _FRAME)
    return Field(
        free=np.zeros(shape, np.uint64),
        vacant=np.zeros(shape, np.uint64),
        reach=np.zeros((players, 2, *shape), np.uint64),
        once=np.zeros(shape, np.uint64),
        twice=np.zeros(shape, np.uint64),
        sizes=np.zeros((players, 3), np.int64),
        latest=np.zeros(players, np.int64),
    )


@compiled
def survey(ground: Ground, field: Field) -> None:
    """Note the free cells of the ground."""
    words, rows = field.free.shape
    for word in range(words):
        for row in range(rows):
            field.free[word, row] = _NONE
    for place in range(TOP_SPEED * ground.stride, (rows - 2 * _FRAME + TOP_SPEED) * ground.stride):
        if ground.cells[place] == 0:
            flip(ground, field.free, place)


@compiled
def flip(ground: Ground, bits: Array, place: int) -> None:
    """Flip the bit of a cell."""
    row, x = place // ground.stride - TOP_SPEED + _FRAME, place % ground.stride
    bits[(x >> 6) + 1, row] ^= _ONE << np.uint64(x & 63)


@compiled
def flip_way(ground: Ground, field: Field, head: Array, now: int) -> None:
    """Flip the bits of the cells touched on the way to a head in this round."""
    step, pace = ahead(ground, head[HEADING]), head[PACE]
    first = head[PLACE] - step * (pace - 1)
    flip(ground, field.free, first)
    if pace > 1:
        flip(ground, field.free, head[PLACE])
        if not is_jump(pace, now):
            for number in range(1, pace - 1):
                flip(ground, field.free, first + step * number)


@compiled
def spread(reach: Array, now: int, vacant: Array, low: int, high: int) -> bool:
    """Spread one step in all four directions from the rows low…high into vacant cells; False if none was new."""
    changed = _NONE
    old, new = reach[now], reach[1 - now]
    for word in range(1, vacant.shape[0] - 1):
        mid, left, right = old[word], old[word - 1], old[word + 1]
        out, free = new[word], vacant[word]
        for row in range(np.uint64(low), np.uint64(high + 1)):
            here = mid[row]
            sides = (here << _ONE) | (here >> _ONE) | (left[row] >> _LAST) | (right[row] << _LAST)
            there = here | ((sides | mid[row - _ONE] | mid[row + _ONE]) & free[row])
            out[row] = there
            changed |= there ^ here
    return changed != _NONE


@compiled
def leap(reach: Array, now: int, vacant: Array, right: Array, left: Array, low: int, high: int) -> bool:
    """Jump over one or two cells in all four directions, into the rows low…high; False if no cell was new.

    `right` and `left` are scratch space for the cells beside the starts of jumps.
    """
    words = vacant.shape[0]
    old, new = reach[now], reach[1 - now]
    changed = _NONE
    for word in range(1, words - 1):
        for row in range(np.uint64(low), np.uint64(high + 1)):
            here, free = old[word, row], vacant[word, row]
            right[word, row] = ((here << _ONE) | (old[word - 1, row] >> _LAST)) & free
            left[word, row] = ((here >> _ONE) | (old[word + 1, row] << _LAST)) & free
    for word in range(1, words - 1):
        out, mid, free = new[word], old[word], vacant[word]
        for row in range(np.uint64(low), np.uint64(high + 1)):
            to, by = right[word, row], right[word - 1, row]
            there = (to << _TWO) | (by >> (_SIZE - _TWO)) | (to << _THREE) | (by >> (_SIZE - _THREE))
            to, by = left[word, row], left[word + 1, row]
            there |= (to >> _TWO) | (by << (_SIZE - _TWO)) | (to >> _THREE) | (by << (_SIZE - _THREE))
            there |= (mid[row - _THREE] & free[row - _TWO]) | (mid[row - _FOUR] & free[row - _THREE])
            there |= (mid[row + _THREE] & free[row + _TWO]) | (mid[row + _FOUR] & free[row + _THREE])
            there &= free[row] & ~out[row]
            out[row] |= there
            changed |= there
    return changed != _NONE


@compiled
def divide(ground: Ground, field: Field, heads: Array, now: int, walks: int) -> None:
    """Spread all players simultaneously until none gets further, and measure the cells that each reached first.

    A head is as in `walking`, with place 0 for a dead player. Every player moves a cell per round; all but player
    `walks` also jump when the rules allow it, as soon as they can be fast enough.
    """
    free, vacant, reach, once, twice, latest = (
        field.free,
        field.vacant,
        field.reach,
        field.once,
        field.twice,
        field.latest,
    )
    words, rows = free.shape
    last = rows - _FRAME - 1
    low, high, going = room(MOST_PLAYERS), room(MOST_PLAYERS), room(MOST_PLAYERS)
    players = len(heads)
    for word in range(words):
        for row in range(rows):
            vacant[word, row] = free[word, row]
    for player in range(players):
        going[player] = heads[player, PLACE] > 0
        latest[player] = 0
        for word in range(words):
            for row in range(rows):
                reach[player, 0, word, row] = _NONE
                reach[player, 1, word, row] = _NONE
        if going[player]:
            low[player] = high[player] = heads[player, PLACE] // ground.stride - TOP_SPEED + _FRAME
            flip(ground, reach[player, 0], heads[player, PLACE])
    time = 0
    active = True
    while active:
        active = False
        top, bottom = rows, 0
        for player in range(players):
            if going[player]:
                low[player], high[player] = max(_FRAME, low[player] - 1), min(last, high[player] + 1)
                further = spread(reach[player], latest[player], vacant, low[player], high[player])
                fast = player != walks and heads[player, PACE] + time + 1 >= JUMP_FROM
                if fast and time < _JUMPS_WITHIN and (now + time) % JUMP_EVERY == 0:
                    begin, end = max(_FRAME, low[player] - 3), min(last, high[player] + 3)
                    if leap(reach[player], latest[player], vacant, once, twice, begin, end):
                        low[player], high[player] = begin, end
                        further = True
                latest[player] = 1 - latest[player]
                going[player] = further or time < _JUMPS_WITHIN
                if going[player]:
                    active = True
                    top, bottom = min(top, low[player]), max(bottom, high[player])
        for word in range(1, words - 1):
            for row in range(np.uint64(top), np.uint64(bottom + 1)):
                once[word, row] = _NONE
                twice[word, row] = _NONE
        for player in range(players):
            if going[player]:
                here = reach[player, latest[player]]
                for word in range(1, words - 1):
                    for row in range(np.uint64(low[player]), np.uint64(high[player] + 1)):
                        twice[word, row] |= once[word, row] & here[word, row]
                        once[word, row] |= here[word, row]
        for word in range(1, words - 1):
            for row in range(np.uint64(top), np.uint64(bottom + 1)):
                vacant[word, row] &= ~once[word, row]
        for player in range(players):
            if going[player]:
                here = reach[player, latest[player]]
                for word in range(1, words - 1):
                    for row in range(np.uint64(low[player]), np.uint64(high[player] + 1)):
                        here[word, row] &= ~twice[word, row]
        time += 1
    for player in range(players):
        _weigh(field, player)


@compiled
def _weigh(field: Field, player: int) -> None:
    """Count the cells that a player reached first and the pairs of neighbours among them, and note its borders."""
    free, vacant, mine = field.free, field.vacant, field.reach[player, field.latest[player]]
    cells = edges = 0
    meets = _NONE
    for word in range(1, free.shape[0] - 1):
        for row in range(np.uint64(_FRAME), np.uint64(free.shape[1] - _FRAME)):
            here = mine[word, row]
            sides = (here >> _ONE) | (mine[word + 1, row] << _LAST) | (here << _ONE) | (mine[word - 1, row] >> _LAST)
            around = sides | mine[word, row - _ONE] | mine[word, row + _ONE]
            meets |= around & free[word, row] & ~vacant[word, row] & ~here
            # The head is in reach, but is not a cell of the territory.
            here &= free[word, row]
            beside = (here >> _ONE) | ((mine[word + 1, row] & free[word + 1, row]) << _LAST)
            below = mine[word, row + _ONE] & free[word, row + _ONE]
            cells += count_bits(np.int64(here))
            edges += count_bits(np.int64(here & beside)) + count_bits(np.int64(here & below))
    field.sizes[player, CELLS] = cells
    field.sizes[player, EDGES] = edges
    field.sizes[player, MEETS] = meets != _NONE


def territory(field: Field, player: int, width: int) -> Array:
    """The cells that a player reaches before all others, as bool[y, x]."""
    words = field.reach[player, field.latest[player], 1:-1, _FRAME:-_FRAME]
    octets = np.ascontiguousarray(words.T).astype("<u8").view(np.uint8)
    return np.unpackbits(octets, axis=1, count=width, bitorder="little").astype(bool)
