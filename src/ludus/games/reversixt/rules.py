"""The rules of ReversiXT.

Fields are numbered row by row from the top left, without the holes of the map, so that a field is a place where
something can lie. A way is where a step in one of the eight directions leads: the number of a field times eight, plus
the direction in which a line goes on from there; −1 where it leads nowhere.
"""

from typing import NamedTuple

from ludus.compiling import compiled
from ludus.rng import Rng, below
from ludus.rules import Array, Constant, room, rule

EMPTY, EXPANSION, BONUS, CHOICE, INVERSION, HOLE = 0, 9, 10, 11, 12, 13
"""What lies on a field; from 1 to 8 it is the stone of a player, counted from 1. Lines run over 1 to 9."""
LETTERS = "012345678xbci-"
"""What a map calls these."""

OVERRIDES, BOMBS, GONE = range(3)
"""Of a player; GONE is 1 if it was disqualified."""
MOVER, BOMBING, OVER, FIELDS, GONERS = range(5)
"""Of the turn: whose it is, whether phase 2 has begun, whether the game is over; fields that are no holes, and players
who are disqualified."""
RADIUS, MOST_MOVES, REVERSIBLE = range(3)
"""Of the shape: the reach of a bomb, the most moves there can be, and whether every way leads back."""

SORTING, HARMLESS = range(2)
"""Of the manner: how moves are sorted, and the players, as bits, of whom a search tries but one move."""
UNSORTED, PLAIN, EXTENDED = range(3)
"""Of the sorting."""

SPECIALS = 11
FOR_BOMB, FOR_OVERRIDE = 9, 10
"""A move is a field times SPECIALS plus what is chosen: 0 nothing, 1 to 8 a player, or what a bonus field gives."""
OUT = 2**31 - 1
"""The move of a player that is disqualified."""


class ReversiXtState(NamedTuple):
    """What lies where, what players have, whose turn it is; and the map."""

    cells: Array  # int8[field]
    players: Array  # int64[player, 3]
    turn: Array  # int64[5]
    ways: Constant  # int32[field, direction]
    places: Constant  # int64[field, 2]: x and y
    worths: Constant  # float64[field]: what holding it is worth
    shape: Constant  # int64[3]
    weights: Constant
    manner: Constant  # int64[2]: how an agent searches; it has one of its own


@rule
def most_moves(state: ReversiXtState) -> int:
    return state.shape[MOST_MOVES]


@rule
def movers(state: ReversiXtState, out: Array) -> int:
    out[0] = state.turn[MOVER]
    return 1


@rule
def over(state: ReversiXtState) -> bool:
    return state.turn[OVER] != 0


# --- Phase 1: lines of stones ---------------------------------------------------------------------------------------


@compiled
def captured(state: ReversiXtState, player: int, field: int, direction: int) -> int:
    """How many fields the line from a field in a direction captures for a player."""
    n, way = 0, state.ways[field, direction]
    while way >= 0 and n < 8 * len(state.cells):  # lines can run in circles
        there = way >> 3
        what = state.cells[there]
        if there == field or what == EMPTY or what > EXPANSION:
            return 0
        if what == player + 1:
            return n
        n += 1
        way = state.ways[there, way & 7]
    return 0


@compiled
def captures(state: ReversiXtState, player: int, field: int) -> bool:
    """Whether any line from a field captures something for a player."""
    direction = 0
    while direction < 8 and captured(state, player, field, direction) == 0:
        direction += 1
    return direction < 8


@compiled
def may_take(state: ReversiXtState, player: int, field: int) -> bool:
    """Whether a player may move to a field in phase 1."""
    what = state.cells[field]
    if 0 < what <= EXPANSION:
        if state.players[player, OVERRIDES] == 0:
            return False
        return what == EXPANSION or captures(state, player, field)
    return what != HOLE and captures(state, player, field)


@compiled
def find_takeable(state: ReversiXtState, player: int, one_is_enough: bool, marks: Array) -> bool:
    """Mark the fields that a player may take in phase 1, others with 0; whether there are any.

    If one is enough, it stops there. Lines are followed from the player's stones, of which there are far fewer than
    fields, unless the map has ways that do not lead back.
    """
    cells, any_found = state.cells, False
    overrides = state.players[player, OVERRIDES] > 0
    reversible = state.shape[REVERSIBLE] != 0
    for field in range(len(cells)):
        marks[field] = overrides and cells[field] == EXPANSION if reversible else may_take(state, player, field)
        any_found = any_found or marks[field] != 0
        if any_found and one_is_enough:
            return True
    if reversible:
        for field in range(len(cells)):
            if cells[field] == player + 1:
                for direction in range(8):
                    any_found = mark_line(state, player, field, direction, overrides, marks) or any_found
                if any_found and one_is_enough:
                    return True
    return any_found


@compiled
def mark_line(state: ReversiXtState, player: int, stone: int, direction: int, overrides: bool, marks: Array) -> bool:
    """Mark the fields whose lines end at this stone, coming from a direction, and capture; whether there are any."""
    way, any_found = state.ways[stone, direction], False
    beside = way >> 3  # whose own line ends here without a capture, and coming back to it does not help
    while way >= 0 and way >> 3 != stone:
        there = way >> 3
        what = state.cells[there]
        goes_on = 0 < what <= EXPANSION
        if there != beside and (overrides or not goes_on):
            marks[there] = 1
            any_found = True
        if not goes_on or what == player + 1:
            break
        way = state.ways[there, way & 7]
    return any_found


@compiled
def can_move(state: ReversiXtState, player: int) -> bool:
    """Whether a player has a move in phase 1."""
    return find_takeable(state, player, True, room(len(state.cells)))


@compiled
def add_choices(state: ReversiXtState, field: int, out: Array, n: int) -> int:
    """Write the moves to a field that may be taken, one for each thing that can be chosen."""
    what = state.cells[field]
    if what == BONUS:
        out[n], out[n + 1] = field * SPECIALS + FOR_BOMB, field * SPECIALS + FOR_OVERRIDE
        return n + 2
    if what == CHOICE:
        for other in range(1, len(state.players) + 1):
            out[n] = field * SPECIALS + other
            n += 1
        return n
    out[n] = field * SPECIALS
    return n + 1


@rule
def legal(state: ReversiXtState, player: int, out: Array) -> int:
    n = 0
    if state.turn[BOMBING] != 0:
        for field in range(len(state.cells)):
            if state.cells[field] != HOLE:
                out[n] = field * SPECIALS
                n += 1
        return n
    marks = room(len(state.cells))
    find_takeable(state, player, False, marks)
    for field in range(len(state.cells)):
        if marks[field] != 0:
            n = add_choices(state, field, out, n)
    return n


@rule
def allows(state: ReversiXtState, player: int, move: int) -> bool:
    if move < 0 or move >= len(state.cells) * SPECIALS:
        return False
    field, special = move // SPECIALS, move % SPECIALS
    what = state.cells[field]
    if state.turn[BOMBING] != 0:
        return what != HOLE and special == 0
    if what == BONUS:
        suits = special in (FOR_BOMB, FOR_OVERRIDE)
    elif what == CHOICE:
        suits = 1 <= special <= len(state.players)
    else:
        suits = special == 0
    return suits and may_take(state, player, field)


@rule
def forfeit(state: ReversiXtState, player: int, move: int) -> int:
    return OUT


@rule
def sample(state: ReversiXtState, player: int, rng: Rng) -> int:
    if state.turn[BOMBING] != 0:
        left = below(rng, state.turn[FIELDS])
        for field in range(len(state.cells)):
            if state.cells[field] != HOLE:
                if left == 0:
                    return field * SPECIALS
                left -= 1
    moves = room(most_moves(state))
    return moves[below(rng, legal(state, player, moves))]


@rule
def play(state: ReversiXtState, moves: Array) -> None:
    player, move = state.turn[MOVER], moves[0]
    if move == OUT:
        state.players[player, GONE] = 1
        state.turn[GONERS] += 1
    elif state.turn[BOMBING] != 0:
        state.players[player, BOMBS] -= 1
        blast(state, move // SPECIALS)
    else:
        take(state, player, move // SPECIALS, move % SPECIALS)
    pass_on(state, player)


@compiled
def take(state: ReversiXtState, player: int, field: int, special: int) -> None:
    """A move of phase 1: turn what it captures, and do what the field does."""
    cells, what, mine = state.cells, state.cells[field], player + 1
    lines = room(8)
    for direction in range(8):
        lines[direction] = captured(state, player, field, direction)
    for direction in range(8):
        way = state.ways[field, direction]
        for _ in range(lines[direction]):
            cells[way >> 3] = mine
            way = state.ways[way >> 3, way & 7]
    cells[field] = mine
    if 0 < what <= EXPANSION:
        state.players[player, OVERRIDES] -= 1
    elif what == BONUS:
        state.players[player, BOMBS if special == FOR_BOMB else OVERRIDES] += 1
    elif what == CHOICE:
        swap(cells, mine, special)
    elif what == INVERSION:
        hand_on(cells, len(state.players))


@compiled
def swap(cells: Array, one: int, other: int) -> None:
    """Two players swap their stones."""
    for field in range(len(cells)):
        if cells[field] == one:
            cells[field] = other
        elif cells[field] == other:
            cells[field] = one


@compiled
def hand_on(cells: Array, players: int) -> None:
    """Everybody's stones go to the next player."""
    for field in range(len(cells)):
        if 0 < cells[field] < EXPANSION:
            cells[field] = cells[field] % players + 1


# --- Phase 2: bombs -------------------------------------------------------------------------------------------------


@compiled
def blast(state: ReversiXtState, field: int) -> None:
    """Make holes of all fields that a bomb reaches."""
    marks, hit = room(len(state.cells)), room(len(state.cells))
    for other in range(len(state.cells)):
        marks[other] = 0
    n = hit_by(state, field, 1, marks, hit)
    for i in range(n):
        state.cells[hit[i]] = HOLE
    state.turn[FIELDS] -= n


@compiled
def hit_by(state: ReversiXtState, field: int, mark: int, marks: Array, hit: Array) -> int:
    """Write the fields that a bomb reaches, the nearest first, and return how many; they get a mark that none has."""
    hit[0] = field
    marks[field] = mark
    begin, end = 0, 1
    for _ in range(state.shape[RADIUS]):
        last = end
        while begin < last:
            for direction in range(8):
                way = state.ways[hit[begin], direction]
                if way >= 0 and state.cells[way >> 3] != HOLE and marks[way >> 3] != mark:
                    marks[way >> 3] = mark
                    hit[end] = way >> 3
                    end += 1
            begin += 1
        if begin == end:
            break
    return end


# --- Turns and results ----------------------------------------------------------------------------------------------


@compiled
def pass_on(state: ReversiXtState, last: int) -> None:
    """Find who comes after the player that moved or was disqualified, in which phase, or that the game is over."""
    turn, players = state.turn, len(state.players)
    if turn[GONERS] < players - 1:
        if turn[BOMBING] == 0:
            for number in range(last + 1, last + 1 + players):
                player = number % players
                if state.players[player, GONE] == 0 and can_move(state, player):
                    turn[MOVER] = player
                    return
            turn[BOMBING] = 1
        for number in range(last + 1, last + 1 + players):
            player = number % players
            if state.players[player, GONE] == 0 and state.players[player, BOMBS] > 0 and turn[FIELDS] > 0:
                turn[MOVER] = player
                return
    turn[OVER] = 1


@compiled
def stones_of(state: ReversiXtState, stones: Array) -> None:
    """Write how many stones each player has: the one of player i stands at i + 1."""
    for what in range(HOLE + 1):
        stones[what] = 0
    for field in range(len(state.cells)):
        stones[state.cells[field]] += 1


@rule
def scores(state: ReversiXtState, out: Array) -> None:
    players, stones = len(state.players), room(HOLE + 1)
    stones_of(state, stones)
    for player in range(players):  # whoever was disqualified has no rank: all of them are last
        if state.players[player, GONE] != 0:
            stones[player + 1] = -1
    for player in range(players):
        beaten = 0
        for other in range(players):
            beaten += stones[player + 1] > stones[other + 1]
            beaten -= stones[player + 1] < stones[other + 1]
        out[player] = beaten / (players - 1)
