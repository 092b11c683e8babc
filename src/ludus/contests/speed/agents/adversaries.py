"""The search of `speed.minimax`: one player wants to stay free, the others want to prevent it.

In each round the player moves first and the others answer one after the other, knowing all earlier moves. Yet all moves
are simultaneous: an answer that reaches a cell of the player's move in the same round kills the player.
"""

from typing import NamedTuple

import numpy as np

from ludus.contests.speed.agents.walking import (
    HEADING,
    PACE,
    PLACE,
    Ground,
    ahead,
    freedom,
    heading_after,
    is_jump,
    new_ground,
    pace_after,
    unwalk,
    walk,
    write,
)
from ludus.contests.speed.game import TOP_SPEED
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rules import Array

DEEPEST = 60
MOST_ADVERSARIES = 5

# Options of one search, in int64.
NOW, DEPTH, ADVERSARIES, NODE_LIMIT = range(4)
# Counters of a search, in int64: positions, 1 if it was stopped early, and 1 if the depth cut a line off.
NODES, STOPPED, HORIZON = range(3)

_ACTIONS = 5
_MINE, _THEIRS = 64, 63
"""Marks of moves in a search: _MINE plus the number of rounds ahead, or _THEIRS."""
_FREE, _BLOCKED, _MET = range(3)

# Fields of a frame, in int64: number of actions tried, the first and the last one tried, and 1 if the last one's move
# is on the ground.
_TRIED, _FIRST, _LAST, _MOVED = range(4)
# Fields of a frame, in float64.
_VALUE, _ALPHA, _BETA = range(3)
_A_LITTLE = 1e-9


class Space(NamedTuple):
    """Working memory of a search, separate for each thread."""

    ground: Ground
    heads: Array  # int64[player, round, part]
    alive: Array  # bool[player, round]
    frames: Array  # int64[ply, field]
    bounds: Array  # float64[ply, field]
    favourites: Array  # int64[ply]: the best action of the previous depth
    values: Array  # float64[action]
    counters: Array
    watch: Array


def new_space(width: int, height: int) -> Space:
    """Memory for searches on a board of this size."""
    plies, players = (DEEPEST + 1) * (MOST_ADVERSARIES + 1), MOST_ADVERSARIES + 1
    return Space(
        ground=new_ground(width, height),
        heads=np.zeros((players, DEEPEST + 1, 3), np.int64),
        alive=np.zeros((players, DEEPEST + 1), np.bool_),
        frames=np.zeros((plies, 4), np.int64),
        bounds=np.zeros((plies, 3)),
        favourites=np.zeros(plies, np.int64),
        values=np.zeros(_ACTIONS),
        counters=np.zeros(24, np.int64)[8:16],  # no other thread's data in its cache line
        watch=new_watch(FOREVER),
    )


@compiled
def lay_ready(ground: Ground, heads: Array, space: Space, adversaries: int) -> None:
    """Copy the position into the space: the player's head, then those of its adversaries."""
    for place in range(len(ground.cells)):
        space.ground.cells[place] = ground.cells[place]
    for player in range(adversaries + 1):
        space.alive[player, 0] = True
        for part in range(3):
            space.heads[player, 0, part] = heads[player, part]


@compiled
def weigh_actions(space: Space, options: Array, actions: Array, aggression: float, slack: float) -> None:
    """Write the value of each of these actions: exact for the best and those within `slack` of it, else a bound.

    A fatal action has −inf. If STOPPED is set, the values of this depth are incomplete.
    """
    best = -np.inf
    space.counters[STOPPED] = space.counters[HORIZON] = 0
    for i in range(len(actions)):
        value = _value_after(space, options, actions[i], best - slack - _A_LITTLE, aggression)
        if space.counters[STOPPED]:
            break
        space.values[actions[i]] = value
        best = max(best, value)


@compiled
def _value_after(space: Space, options: Array, first: int, alpha: float, aggression: float) -> float:
    """The value of an action if the others answer as well as they can."""
    ground, heads, alive, counters = space.ground, space.heads, space.alive, space.counters
    now, depth, players = options[NOW], options[DEPTH], options[ADVERSARIES] + 1
    if not walk(ground, heads[0, 0], first, now, _MINE, heads[0, 1]):
        return -np.inf
    ply, entering, result = 1, True, 0.0
    space.bounds[1, _ALPHA], space.bounds[1, _BETA] = alpha, np.inf
    while ply > 0:
        ahead_by, who = ply // players, ply % players
        frame, bound = space.frames[ply], space.bounds[ply]
        death = ahead_by - depth - aggression * _ACTIONS
        deeper = False
        if entering:
            frame[_TRIED], frame[_FIRST], frame[_MOVED] = 0, space.favourites[ply], 0
            counters[NODES] += 1
            if expired(space.watch) or counters[NODES] > options[NODE_LIMIT]:
                counters[STOPPED] = 1
                break
            if ahead_by == depth:
                counters[HORIZON] = 1
                result, entering = _leaf(space, now + depth, depth, players, aggression), False
                ply -= 1
                continue
            bound[_VALUE] = np.inf if who else -np.inf
            if who and not alive[who, ahead_by]:
                frame[_TRIED] = _ACTIONS
        else:
            if frame[_MOVED]:
                unwalk(ground, heads[who, ahead_by + 1], now + ahead_by)
                frame[_MOVED] = 0
            _take(space, ply, who, result)
        while frame[_TRIED] < _ACTIONS and bound[_ALPHA] < bound[_BETA] and not deeper:
            action = _next_action(frame)
            before, after = heads[who, ahead_by], heads[who, ahead_by + 1]
            if who == 0:
                deeper = walk(ground, before, action, now + ahead_by, _MINE + ahead_by, after)
            else:
                way = _answer(ground, before, action, now + ahead_by, _MINE + ahead_by, after)
                deeper = way == _FREE
                if way == _MET:
                    _take(space, ply, who, death)
            frame[_MOVED] = deeper
        if who:
            # An adversary without a move is out, and the others continue.
            alive[who, ahead_by + 1] = deeper
            deeper = deeper or bound[_VALUE] == np.inf
        if deeper:
            ply, entering = ply + 1, True
            space.bounds[ply, _ALPHA], space.bounds[ply, _BETA] = bound[_ALPHA], bound[_BETA]
        else:
            result, entering = bound[_VALUE] if who else max(bound[_VALUE], death), False
            ply -= 1
    while ply > 1:
        ply -= 1
        if space.frames[ply, _MOVED]:
            unwalk(ground, heads[ply % players, ply // players + 1], now + ply // players)
    unwalk(ground, heads[0, 1], now)
    return result


@compiled
def _next_action(frame: Array) -> int:
    """The next action to try: the favourite first, then the others in order."""
    tried, first = frame[_TRIED], frame[_FIRST]
    frame[_LAST] = first if tried == 0 else tried - 1 if tried <= first else tried
    frame[_TRIED] += 1
    return frame[_LAST]


@compiled
def _take(space: Space, ply: int, who: int, result: float) -> None:
    """Note the result of the last action tried at a ply."""
    bound = space.bounds[ply]
    if who == 0 and result > bound[_VALUE]:
        bound[_VALUE] = result
        bound[_ALPHA] = max(bound[_ALPHA], result)
        space.favourites[ply] = space.frames[ply, _LAST]
    elif who > 0 and result < bound[_VALUE]:
        bound[_VALUE] = result
        bound[_BETA] = min(bound[_BETA], result)
        space.favourites[ply] = space.frames[ply, _LAST]


@compiled
def _answer(ground: Ground, head: Array, action: int, now: int, mine: int, into: Array) -> int:
    """Play an adversary's action if its way is _FREE; otherwise return _BLOCKED, or _MET if it hits the player's move.

    `mine` is the mark of the player's move in this round.
    """
    pace = pace_after(head[PACE], action)
    if pace < 1 or pace > TOP_SPEED:
        return _BLOCKED
    heading = heading_after(head[HEADING], action)
    step, place = ahead(ground, heading), head[PLACE]
    touched, stride = (2, step * (pace - 1)) if is_jump(pace, now) else (pace, step)
    place += step
    way = _FREE
    for _ in range(touched):
        if ground.cells[place] == mine:
            way = _MET
        elif ground.cells[place] != 0:
            return _BLOCKED
        place += stride
    if way == _FREE:
        write(ground, head[PLACE], step, pace, now, _THEIRS)
        into[PLACE], into[HEADING], into[PACE] = head[PLACE] + step * pace, heading, pace
    return way


@compiled
def _leaf(space: Space, now: int, depth: int, players: int, aggression: float) -> float:
    """The number of actions left to the player, minus the weighted average of the others."""
    value = float(freedom(space.ground, space.heads[0, depth], now))
    if aggression > 0.0:
        theirs = 0
        for who in range(1, players):
            if space.alive[who, depth]:
                theirs += freedom(space.ground, space.heads[who, depth], now)
        value -= aggression * theirs / max(1, players - 1)
    return value
