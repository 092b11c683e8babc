"""What a position of ReversiXT is worth to a player, and which moves are tried first."""

import numpy as np

from ludus.compiling import compiled
from ludus.games.reversixt.rules import (
    BOMBING,
    BOMBS,
    BONUS,
    CHOICE,
    EXPANSION,
    EXTENDED,
    FIELDS,
    FOR_OVERRIDE,
    GONE,
    HARMLESS,
    HOLE,
    INVERSION,
    OVERRIDES,
    RADIUS,
    SORTING,
    SPECIALS,
    UNSORTED,
    ReversiXtState,
    find_takeable,
    hit_by,
    stones_of,
)
from ludus.games.reversixt.safety import line_safety
from ludus.rules import Array, room, room_of_floats, rule

FIELD, MOBILITY, STONES, OVERRIDE, BOMB = range(5)  # of weights
_BONUS, _CHOICE, _INVERSION, _OVERRIDE = 4.0, 3.0, 2.0, 3.0
"""What the order adds for a move to such a field; an override stone is kept for later."""
_GOOD_SWAP = 0.95
"""An inversion is good if the stones that come are at least this part of those that go."""
_SAFETY, _UNSAFE = 1.0, -0.7
"""What the extended order adds for lines that cannot be countered, and where moves are taken for bad."""
_MOST_TRIED = 60
"""Moves of phase 1 that a search looks at, and those of phase 2."""
_MOST_BOMBS = 6
_MOST_LOOKS = 100_000
"""Fields that blasts may hit, all together, to find the best place for a bomb."""


@rule
def heuristic(state: ReversiXtState, player: int) -> float:
    players = len(state.players)
    worths = room_of_floats(players)
    for number in range(players):
        worths[number] = 0.0
    stones = room(HOLE + 1)
    stones_of(state, stones)
    total = 0
    for number in range(players):
        total += stones[number + 1]
    filled = total / max(1, state.turn[FIELDS])
    if state.turn[BOMBING] == 0:
        weigh_fields(state, worths)
        weigh_moves(state, worths)
    late = 1.0 if state.turn[BOMBING] != 0 else filled**4
    sum_of_others, others = 0.0, 0
    for number in range(players):
        worths[number] += state.weights[STONES] * late * 100.0 * stones[number + 1] / max(1, total)
        worths[number] += state.weights[OVERRIDE] * state.players[number, OVERRIDES]
        worths[number] += state.weights[BOMB] * state.players[number, BOMBS] * (1 + state.shape[RADIUS])
        if number != player and state.players[number, GONE] == 0:
            sum_of_others += worths[number]
            others += 1
    lead = worths[player] - sum_of_others / max(1, others)
    return lead / (1.0 + abs(lead))


@compiled
def weigh_fields(state: ReversiXtState, worths: Array) -> None:
    """Add what the fields that players hold are worth."""
    for field in range(len(state.cells)):
        what = state.cells[field]
        if 0 < what < EXPANSION:
            worths[what - 1] += state.weights[FIELD] * state.worths[field]


@compiled
def weigh_moves(state: ReversiXtState, worths: Array) -> None:
    """Add what it is worth to have moves."""
    if state.weights[MOBILITY] == 0.0:
        return
    marks = room(len(state.cells))
    for number in range(len(state.players)):
        find_takeable(state, number, False, marks)
        for field in range(len(state.cells)):
            if marks[field] != 0 and (state.cells[field] == 0 or state.cells[field] > EXPANSION):
                worths[number] += state.weights[MOBILITY]


@rule
def order(state: ReversiXtState, player: int, moves: Array, n: int) -> int:
    if state.turn[BOMBING] != 0:
        n = order_bombs(state, player, moves, n)
    elif state.manner[SORTING] != UNSORTED:
        n = order_lines(state, player, moves, n)
    return 1 if state.manner[HARMLESS] >> player & 1 else n


@compiled
def order_lines(state: ReversiXtState, player: int, moves: Array, n: int) -> int:
    """Sort moves of phase 1; with the extended order, those that can be countered are left out if there are others."""
    ranks, stones = room_of_floats(n), room(HOLE + 1)
    stones_of(state, stones)
    safe = 0
    for i in range(n):
        field, special = moves[i] // SPECIALS, moves[i] % SPECIALS
        ranks[i] = state.worths[field]
        if state.manner[SORTING] == EXTENDED:
            ranks[i] += _SAFETY * line_safety(state, player, field)
        what = state.cells[field]
        if what == BONUS:
            ranks[i] += _BONUS + (special == FOR_OVERRIDE)
        elif what == CHOICE:
            ranks[i] += _CHOICE + (stones[special] - stones[player + 1]) / (1 + stones[special] + stones[player + 1])
        elif what == INVERSION:
            before = (player - 1) % len(state.players) + 1
            ranks[i] += _INVERSION if stones[before] >= _GOOD_SWAP * stones[player + 1] else -_INVERSION
        elif what != 0:
            ranks[i] -= _OVERRIDE
        safe += ranks[i] > _UNSAFE
    n = bring_forward(moves, ranks, n, _MOST_TRIED)
    return min(n, safe) if safe > 0 and state.manner[SORTING] == EXTENDED else n


@compiled
def bring_forward(moves: Array, ranks: Array, n: int, most: int) -> int:
    """Bring those of moves[:n] to the front, in their order, that have the `most` highest ranks; how many they are."""
    for i in range(1, n):
        if i < most or ranks[i] > ranks[most - 1]:
            move, rank, j = moves[i], ranks[i], min(i, most)
            if j < i:
                moves[i], ranks[i] = moves[most - 1], ranks[most - 1]
                j = most - 1
            while j > 0 and ranks[j - 1] < rank:
                moves[j], ranks[j] = moves[j - 1], ranks[j - 1]
                j -= 1
            moves[j], ranks[j] = move, rank
    return min(n, most)


@compiled
def order_bombs(state: ReversiXtState, player: int, moves: Array, n: int) -> int:
    """Bring those places to the front where a bomb hits those most who are near the player's own rank."""
    stones, marks, hit = room(HOLE + 1), room(len(state.cells)), room(len(state.cells))
    stones_of(state, stones)
    mine = stones[player + 1]
    prices = room_of_floats(HOLE + 1)
    for what in range(HOLE + 1):
        prices[what] = 0.0
    for number in range(len(state.players)):
        if number != player and state.players[number, GONE] == 0:
            prices[number + 1] = 1.0 / (1.0 + abs(stones[number + 1] - mine) / (1.0 + 0.2 * mine))
            prices[player + 1] -= prices[number + 1]
    for field in range(len(state.cells)):
        marks[field] = -1
    ranks = room_of_floats(n)
    looks = 0
    for i in range(n):
        ranks[i] = -np.inf
        if looks < _MOST_LOOKS:
            hits = hit_by(state, moves[i] // SPECIALS, i, marks, hit)
            ranks[i] = 0.0
            for j in range(hits):
                ranks[i] += prices[state.cells[hit[j]]]
            looks += hits
    return bring_forward(moves, ranks, n, _MOST_BOMBS)
