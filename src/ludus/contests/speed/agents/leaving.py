"""Long paths through a space that end with a jump over its wall.

At such a door, a player at speed 1 that faces the wall speeds up in each round, and jumps in the last of them:

    . . S a a b # b    S: the door; a: the first round, at speed 2; #: the wall; b: the second round, at speed 3
"""

from typing import NamedTuple

import numpy as np

from ludus.contests.speed.agents.chaining import FASTEST, LEAST, landing, weigh_spaces
from ludus.contests.speed.agents.escaping import Escape
from ludus.contests.speed.agents.filling import LENGTH, Filling, append, colour, detour, forget, most_cells
from ludus.contests.speed.agents.walking import HEADING, PLACE, Ground, ahead
from ludus.contests.speed.game import JUMP_EVERY, JUMP_FROM
from ludus.kernel.deadline import expired
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import Array

# Fields of a door, in int64: its place, the direction and the speed of the jump, the value of the space behind it, and
# an upper bound of that value plus the moves to the door, each weighted by _MOVE.
_PLACE, _TOWARDS, _SPEED, _BEHIND, _MOST = range(5)
_PARTS = 5
# Fields of the plan, in int64: moves to the door, rounds of the run and the jump, value of the space behind it.
MOVES, RUN, BEHIND = range(3)
_DOORS = 4096
_MOVE = 3  # cells behind a door that equal one move before it: others may take the cells, but the move is certain
_RESERVED = -4  # value of cells needed for the run


class Leaving(NamedTuple):
    """The doors of a space, and the best plan so far for leaving it."""

    doors: Array  # int64[door, part]
    parents: Array  # int32[place]
    plan: Array  # int32[number]: places to the door, starting with the player's
    last: Array  # int64[part]: the door of the plan
    facts: Array  # int64[3]


def new_leaving(places: int) -> Leaving:
    """Memory for a ground with this many places."""
    return Leaving(
        doors=np.zeros((_DOORS, _PARTS), np.int64),
        parents=np.zeros(places, np.int32),
        plan=np.zeros(places, np.int32),
        last=np.zeros(_PARTS, np.int64),
        facts=np.zeros(3, np.int64),
    )


@compiled
def plan_to_leave(
    ground: Ground, escape: Escape, leaving: Leaving, filling: Filling, head: Array, now: int, tries: int, rng: Rng
) -> int:
    """Look for a plan with many moves and a high value behind the door, and return the sum of both, 0 if there is none.

    A plan of an earlier round is kept if it is still valid and nothing better is found. Call `look_around` first.
    """
    facts = leaving.facts
    weigh_spaces(ground, escape)
    _keep_up(ground, escape, leaving, head, now)
    best = _MOVE * facts[MOVES] + facts[BEHIND]
    found = _find_doors(ground, escape, leaving, head, now, most_cells(ground, head[PLACE], filling.waiting))
    for _ in range(tries):
        number = -1
        while found > 0 and number < 0:
            number = below(rng, found)
            if leaving.doors[number, _MOST] <= best:
                found -= 1
                for part in range(_PARTS):
                    leaving.doors[number, part] = leaving.doors[found, part]
                number = -1
        if number < 0 or expired(filling.watch):
            break
        door = leaving.doors[number]
        _mark_run(ground, door, _RESERVED)
        moves = _way_to(ground, escape, leaving, filling, door, head, now, rng)
        _mark_run(ground, door, 0)
        if moves >= 0 and _MOVE * moves + door[_BEHIND] > best:
            best = _MOVE * moves + door[_BEHIND]
            facts[MOVES], facts[RUN], facts[BEHIND] = moves, door[_SPEED] - 1, door[_BEHIND]
            for part in range(_PARTS):
                leaving.last[part] = door[part]
            for i in range(moves + 1):
                leaving.plan[i] = filling.path[i]
        forget(filling)
    return facts[MOVES] + facts[BEHIND]


@compiled
def most_moves(ground: Ground, door: Array, place: int, now: int, most: int) -> int:
    """The most moves at speed 1 from a place to a door in time for a round of jumps; negative if impossible."""
    moves = most - door[_SPEED] * (door[_SPEED] - 1) // 2
    moves -= (now + moves + door[_SPEED] - 2) % JUMP_EVERY
    is_odd = colour(ground, place) != colour(ground, door[_PLACE])
    return moves if moves % 2 == is_odd else -1


@compiled
def _keep_up(ground: Ground, escape: Escape, leaving: Leaving, head: Array, now: int) -> None:
    """Shift the plan to the player's place, or drop it if it is no longer valid."""
    facts, plan, door = leaving.facts, leaving.plan, leaving.last
    start = 0
    while start <= facts[MOVES] and plan[start] != head[PLACE]:
        start += 1
    moves = facts[MOVES] - start
    holds = facts[BEHIND] > 0 and moves >= 0 and _is_door(ground, escape, door)
    holds = holds and (now + moves + door[_SPEED] - 2) % JUMP_EVERY == 0
    holds = holds and (moves > 0 or head[HEADING] == door[_TOWARDS])  # it may have arrived by another way
    for i in range(moves + 1):
        plan[i] = plan[start + i]
        holds = holds and (i == 0 or ground.cells[plan[i]] == 0)
    facts[MOVES] = moves if holds else 0
    facts[BEHIND] = door[_BEHIND] if holds else 0


@compiled
def _find_doors(ground: Ground, escape: Escape, leaving: Leaving, head: Array, now: int, most: int) -> int:
    """Write the doors of the player's space, where the player can make at most `most` moves."""
    found = 0
    for cell in range(len(escape.spaces)):
        inside = cell == head[PLACE] or (escape.spaces[cell] > 0 and escape.sizes[escape.spaces[cell]] == 0)
        if not inside:
            continue
        for heading in range(4):
            for speed in range(JUMP_FROM, FASTEST + 1):
                if found < _DOORS:
                    leaving.doors[found, _PLACE] = cell
                    leaving.doors[found, _TOWARDS] = heading
                    leaving.doors[found, _SPEED] = speed
                    if _is_door(ground, escape, leaving.doors[found]):
                        moves = most_moves(ground, leaving.doors[found], head[PLACE], now, most)
                        leaving.doors[found, _MOST] = _MOVE * moves + leaving.doors[found, _BEHIND]
                        found += moves >= 0
    return found


@compiled
def _is_door(ground: Ground, escape: Escape, door: Array) -> bool:
    """True if a run and a jump are possible there, and slowing down behind; notes the gain."""
    space = escape.spaces[landing(ground, door[_PLACE], door[_TOWARDS], door[_SPEED])]
    door[_BEHIND] = escape.worths[space]
    return escape.sizes[space] >= LEAST


@compiled
def _mark_run(ground: Ground, door: Array, mark: int) -> None:
    step, place = ahead(ground, door[_TOWARDS]), door[_PLACE]
    if ground.cells[place] == 0 or ground.cells[place] == _RESERVED:
        ground.cells[place] = mark
    for _ in range(door[_SPEED] * (door[_SPEED] - 1) // 2):
        place += step
        ground.cells[place] = mark


@compiled
def _way_to(
    ground: Ground,
    escape: Escape,
    leaving: Leaving,
    filling: Filling,
    door: Array,
    head: Array,
    now: int,
    rng: Rng,
) -> int:
    """Write a long path that reaches the door in the right direction and round; return its moves, −1 if none exists."""
    path, counts = filling.path, filling.counts
    step = ahead(ground, door[_TOWARDS])
    counts[LENGTH] = 0
    if door[_PLACE] == head[PLACE]:
        append(filling, head[PLACE])
        fits = head[HEADING] == door[_TOWARDS] and (now + door[_SPEED] - 2) % JUMP_EVERY == 0
        return 0 if fits else -1
    before = door[_PLACE] - step
    length = _shortest(ground, escape.queue, leaving.parents, head[PLACE], before, rng)
    if length < 0:
        return -1
    for i in range(length, -1, -1):
        path[i] = before
        before = leaving.parents[before]
    for i in range(length + 1):
        append(filling, path[i])
    detour(ground, filling)
    excess = (counts[LENGTH] + now + door[_SPEED] - 2) % JUMP_EVERY
    i = 0
    while excess >= 2 and i + 3 < counts[LENGTH]:
        if abs(path[i + 3] - path[i]) == 1 or abs(path[i + 3] - path[i]) == ground.stride:
            filling.numbers[path[i + 1]] = filling.numbers[path[i + 2]] = -1
            counts[LENGTH] -= 2
            for k in range(i + 1, counts[LENGTH]):
                path[k] = path[k + 2]
            excess -= 2
        else:
            i += 1
    append(filling, door[_PLACE])
    return counts[LENGTH] - 1 if excess == 0 else -1


@compiled
def _shortest(ground: Ground, queue: Array, parents: Array, start: int, goal: int, rng: Rng) -> int:
    """Find one of the shortest paths to an empty cell, or to the start itself; return its steps, −1 if none exists."""
    for place in range(len(parents)):
        parents[place] = -1
    parents[start] = start
    queue[0] = start
    begin, end = 0, 1
    while begin < end and parents[goal] < 0:
        here, turn = queue[begin], below(rng, 4)
        begin += 1
        for number in range(4):
            there = here + ahead(ground, (number + turn) & 3)
            if ground.cells[there] == 0 and parents[there] < 0:
                parents[there] = here
                queue[end] = there
                end += 1
    if parents[goal] < 0:
        return -1
    steps = 0
    while goal != start:
        goal = parents[goal]
        steps += 1
    return steps
