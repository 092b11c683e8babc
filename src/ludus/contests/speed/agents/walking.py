"""One player of spe_ed walking alone among obstacles: the base of the agents of spe_ed.

A walk can be undone without a log: only survivable moves are played, and those write to empty cells only.

The ground is the board with a border as wide as the longest move, so no code checks for the edge of the board. A place
is a number; its neighbour above is `stride` less, the one below `stride` more:

    ······ border ······
    x=0 … x=width-1 | border, which is also to the left of the next row
"""

from typing import NamedTuple

import numpy as np

from ludus.contests.speed.game import (
    ACTIONS,
    DIRECTION,
    JUMP_EVERY,
    JUMP_FROM,
    SLOW_DOWN,
    SPEED,
    SPEED_UP,
    TOP_SPEED,
    TURN_LEFT,
    TURN_RIGHT,
    SpeedState,
    X,
    Y,
)
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below
from ludus.kernel.state import Array

PLACE, HEADING, PACE = range(3)
"""Parts of a head, int64[3]: a player's place, direction and speed."""

WALL = -2
FILLED = -3
"""Values of cells besides 0, CRASH and the numbers of players: the border, and cells reached by `flood`."""
_ACTIONS = len(ACTIONS)


class Ground(NamedTuple):
    """The board for walking, with its border; everything but 0 is an obstacle."""

    cells: Array  # int8[place]
    stride: int


def new_ground(width: int, height: int) -> Ground:
    """An empty board of this size."""
    stride = width + TOP_SPEED
    ground = Ground(np.full((height + 2 * TOP_SPEED) * stride, WALL, np.int8), stride)
    board_of(ground, ground.cells)[:] = 0
    return ground


def board_of(ground: Ground, values: Array) -> Array:
    """The part of values[place] on the board, as [y, x]: a view."""
    width = ground.stride - TOP_SPEED
    return values.reshape(-1, ground.stride)[TOP_SPEED:-TOP_SPEED, :width]


def cell_of(ground: Ground, place: int) -> tuple[int, int]:
    """The x and y of a place."""
    row, x = divmod(place, ground.stride)
    return x, row - TOP_SPEED


@compiled
def place_of(ground: Ground, x: int, y: int) -> int:
    """The number of a cell."""
    return (y + TOP_SPEED) * ground.stride + x


@compiled
def lay_out(state: SpeedState, ground: Ground) -> None:
    """Copy the board of a state of the same size to the ground."""
    height, width = state.cells.shape
    for y in range(height):
        row = place_of(ground, 0, y)
        for x in range(width):
            ground.cells[row + x] = state.cells[y, x]


@compiled
def stand(state: SpeedState, player: int, ground: Ground, head: Array) -> None:
    """Write the head of a living player, counted from 0."""
    head[PLACE] = place_of(ground, state.players[player, X], state.players[player, Y])
    head[HEADING] = state.players[player, DIRECTION]
    head[PACE] = state.players[player, SPEED]


@compiled
def ahead(ground: Ground, heading: int) -> int:
    """The offset of a place for one step in a direction."""
    return 2 - heading if heading & 1 else (heading - 1) * ground.stride


@compiled
def heading_after(heading: int, action: int) -> int:
    """The direction after an action."""
    if action == TURN_LEFT:
        return (heading + 3) & 3
    return (heading + 1) & 3 if action == TURN_RIGHT else heading


@compiled
def pace_after(pace: int, action: int) -> int:
    """The speed after an action, possibly 0 or 11."""
    if action == SPEED_UP:
        return pace + 1
    return pace - 1 if action == SLOW_DOWN else pace


@compiled
def is_jump(pace: int, now: int) -> bool:
    """True if a player of this speed, after its action, touches only the first and the last cell of its way."""
    return pace >= JUMP_FROM and now % JUMP_EVERY == 0


@compiled
def is_free(ground: Ground, place: int, step: int, pace: int, now: int) -> bool:
    """True if all cells touched on a way from there are empty; `step` comes from `ahead`."""
    if is_jump(pace, now):
        return ground.cells[place + step] == 0 and ground.cells[place + step * pace] == 0
    for _ in range(pace):
        place += step
        if ground.cells[place] != 0:
            return False
    return True


@compiled
def survives(ground: Ground, head: Array, action: int, now: int) -> bool:
    """True if a player survives an action in this round if nobody else moves."""
    pace = pace_after(head[PACE], action)
    if pace < 1 or pace > TOP_SPEED:
        return False
    return is_free(ground, head[PLACE], ahead(ground, heading_after(head[HEADING], action)), pace, now)


@compiled
def walk(ground: Ground, head: Array, action: int, now: int, mark: int, into: Array) -> bool:
    """Play an action in this round if it is survivable; return True if it is.

    The touched cells get the mark, and `into`, which may be `head` itself, gets the head; otherwise neither changes.
    """
    pace = pace_after(head[PACE], action)
    if pace < 1 or pace > TOP_SPEED:
        return False
    heading = heading_after(head[HEADING], action)
    step = ahead(ground, heading)
    place = head[PLACE]
    if not is_free(ground, place, step, pace, now):
        return False
    write(ground, place, step, pace, now, mark)
    into[PLACE], into[HEADING], into[PACE] = place + step * pace, heading, pace
    return True


@compiled
def unwalk(ground: Ground, head: Array, now: int) -> None:
    """Undo the walk of this round, the last one, that led to a head: the cells it touched become empty."""
    step, pace = ahead(ground, head[HEADING]), head[PACE]
    write(ground, head[PLACE] - step * pace, step, pace, now, 0)


@compiled
def write(ground: Ground, place: int, step: int, pace: int, now: int, mark: int) -> None:
    """Write a mark to the cells touched on a way from a place, whatever their content."""
    if is_jump(pace, now):
        ground.cells[place + step] = mark
        ground.cells[place + step * pace] = mark
    else:
        for _ in range(pace):
            place += step
            ground.cells[place] = mark


@compiled
def trace(ground: Ground, head: Array, actions: Array, now: int, out: Array) -> int:
    """Write the places that actions touch from this round on, survivable or not, and return their number.

    It ends when the speed becomes 0 or 11, which stops the player.
    """
    n, place, heading, pace = 0, head[PLACE], head[HEADING], head[PACE]
    for ply in range(len(actions)):
        heading, pace = heading_after(heading, actions[ply]), pace_after(pace, actions[ply])
        if pace < 1 or pace > TOP_SPEED:
            break
        step, jumps = ahead(ground, heading), is_jump(pace, now + ply)
        for number in range(1, pace + 1):
            if not jumps or number == 1 or number == pace:
                out[n] = place + step * number
                n += 1
        place += step * pace
    return n


@compiled
def freedom(ground: Ground, head: Array, now: int) -> int:
    """The number of the five actions that a player survives in this round."""
    count = 0
    for action in range(_ACTIONS):
        count += survives(ground, head, action, now)
    return count


@compiled
def first_safe(ground: Ground, head: Array, now: int, order: Array, n: int) -> int:
    """The first survivable action of order[:n], −1 if there is none."""
    for i in range(n):
        if survives(ground, head, order[i], now):
            return order[i]
    return -1


@compiled
def shuffle(order: Array, n: int, rng: Rng) -> None:
    """Put order[:n] in random order."""
    for last in range(n - 1, 0, -1):
        other = below(rng, last + 1)
        order[last], order[other] = order[other], order[last]


@compiled
def flood(ground: Ground, place: int, queue: Array) -> int:
    """The number of empty cells that can be reached from a place step by step, without jumps.

    They are left FILLED, and in queue[:n], nearest first, until `drain` undoes that. The place itself counts only if it
    is empty; int32 or int64 serve as queue, with room for every place.
    """
    begin, end = 0, 0
    if ground.cells[place] == 0:
        ground.cells[place] = FILLED
        queue[0] = place
        end = 1
    else:
        end = _spread(ground, place, queue, 0)
    while begin < end:
        end = _spread(ground, queue[begin], queue, end)
        begin += 1
    return end


@compiled
def _spread(ground: Ground, place: int, queue: Array, end: int) -> int:
    for heading in range(4):
        beside = place + ahead(ground, heading)
        if ground.cells[beside] == 0:
            ground.cells[beside] = FILLED
            queue[end] = beside
            end += 1
    return end


@compiled
def drain(ground: Ground, queue: Array, n: int) -> None:
    """Empty the cells that `flood` filled."""
    for i in range(n):
        ground.cells[queue[i]] = 0


@compiled
def reachable(ground: Ground, place: int, queue: Array) -> int:
    """The number of empty cells that can be reached from a place without jumps; queue[:n] holds them afterwards."""
    n = flood(ground, place, queue)
    drain(ground, queue, n)
    return n
