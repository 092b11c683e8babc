"""Filling a space and leaving it by a jump at last: long paths that end where a jump over the wall begins.

A player at speed 1 that looks over the wall speeds up in each round, and jumps in the last of them:

    . . S = = = = = =   = # =    S: the exit; the first round 2 cells, the next 3, of which the second is left out
"""

from typing import NamedTuple

import numpy as np

from ludus.agents.speed.escaping import Escape
from ludus.agents.speed.filling import LENGTH, Filling, append, detour, forget, set_path
from ludus.agents.speed.walking import HEADING, PLACE, Ground, ahead, is_free
from ludus.clock import expired
from ludus.compiling import compiled
from ludus.games.speed import JUMP_EVERY, JUMP_FROM
from ludus.rng import Rng, below
from ludus.rules import Array

# Of an exit, in int64: its place, the direction and the speed of the jump, the size of the space behind.
_EXIT, _TOWARDS, _SPEED, _BEHIND = range(4)
# Of the plan, in int64: moves to the exit, and the size of the space behind it.
MOVES, BEHIND = range(2)
_MOST = 4096
_FASTEST = 5
_RESERVED = -4  # what cells hold that are needed for the run
_LEAST = 20  # cells behind, to be worth a jump


class Leaving(NamedTuple):
    """The exits of a space, and the best plan so far to leave it."""

    exits: Array  # int64[exit, 4]
    parents: Array  # int32[place]
    plan: Array  # int32[number]: places to the exit, beginning with the player's
    last: Array  # int64[4]: the exit of the plan
    facts: Array  # int64[2]


def new_leaving(places: int) -> Leaving:
    """Room for a ground of so many places."""
    return Leaving(
        exits=np.zeros((_MOST, 4), np.int64),
        parents=np.zeros(places, np.int32),
        plan=np.zeros(places, np.int32),
        last=np.zeros(4, np.int64),
        facts=np.zeros(2, np.int64),
    )


@compiled
def plan_to_leave(
    ground: Ground, escape: Escape, leaving: Leaving, filling: Filling, head: Array, now: int, tries: int, rng: Rng
) -> int:
    """Look for the plan with the most moves and the most space behind, and return the sum of both, 0 if there is none.

    A plan of an earlier round is kept if it still holds and nothing better is found. The escape must have looked around.
    """
    facts = leaving.facts
    _keep_up(ground, escape, leaving, head, now)
    total = facts[MOVES] + facts[BEHIND]
    found = _find_exits(ground, escape, leaving, head[PLACE])
    if found == 0:
        return total
    for _ in range(tries):
        if expired(filling.watch):
            break
        exit = leaving.exits[below(rng, found)]
        _mark_run(ground, exit, _RESERVED)
        moves = _way_to(ground, escape, leaving, filling, exit, head, now, rng)
        _mark_run(ground, exit, 0)
        if moves >= 0 and moves + exit[_BEHIND] > total:
            total = moves + exit[_BEHIND]
            facts[MOVES], facts[BEHIND] = moves, exit[_BEHIND]
            for part in range(4):
                leaving.last[part] = exit[part]
            for i in range(moves + 1):
                leaving.plan[i] = filling.path[i]
        forget(filling)
    return total


@compiled
def _keep_up(ground: Ground, escape: Escape, leaving: Leaving, head: Array, now: int) -> None:
    """Let the plan begin where the player is, or forget it if it does not hold any more."""
    facts, plan, exit = leaving.facts, leaving.plan, leaving.last
    start = 0
    while start <= facts[MOVES] and plan[start] != head[PLACE]:
        start += 1
    moves = facts[MOVES] - start
    holds = facts[BEHIND] > 0 and moves >= 0 and _is_exit(ground, escape, exit)
    holds = holds and (now + moves + exit[_SPEED] - 2) % JUMP_EVERY == 0
    for i in range(moves + 1):
        plan[i] = plan[start + i]
        holds = holds and (i == 0 or ground.cells[plan[i]] == 0)
    facts[MOVES] = moves if holds else 0
    facts[BEHIND] = exit[_BEHIND] if holds else 0


@compiled
def _find_exits(ground: Ground, escape: Escape, leaving: Leaving, place: int) -> int:
    """Write the exits of the spaces in which the player at a place is."""
    found = 0
    for exit in range(len(escape.spaces)):
        inside = exit == place or (escape.spaces[exit] > 0 and escape.sizes[escape.spaces[exit]] == 0)
        if not inside:
            continue
        for heading in range(4):
            for speed in range(JUMP_FROM, _FASTEST + 1):
                if found < _MOST:
                    leaving.exits[found, _EXIT] = exit
                    leaving.exits[found, _TOWARDS] = heading
                    leaving.exits[found, _SPEED] = speed
                    found += _is_exit(ground, escape, leaving.exits[found])
    return found


@compiled
def _is_exit(ground: Ground, escape: Escape, exit: Array) -> bool:
    """Whether a run and a jump are possible there, and slowing down behind; its size is noted."""
    step, speed = ahead(ground, exit[_TOWARDS]), exit[_SPEED]
    place = exit[_EXIT]
    if ground.cells[place + step] != 0:
        return False
    for pace in range(2, speed):
        if not is_free(ground, place, step, pace, 1):
            return False
        place += pace * step
    if not is_free(ground, place, step, speed, 0):
        return False
    place += speed * step
    exit[_BEHIND] = escape.sizes[escape.spaces[place]]
    if exit[_BEHIND] < _LEAST:
        return False
    for pace in range(speed - 1, 1, -1):
        if not is_free(ground, place, step, pace, 1):
            return False
        place += pace * step
    return True


@compiled
def _mark_run(ground: Ground, exit: Array, mark: int) -> None:
    step, place = ahead(ground, exit[_TOWARDS]), exit[_EXIT]
    if ground.cells[place] == 0 or ground.cells[place] == _RESERVED:
        ground.cells[place] = mark
    for _ in range(exit[_SPEED] * (exit[_SPEED] - 1) // 2):
        place += step
        ground.cells[place] = mark
