"""Escapes from an enclosure: sequences of moves that end in a jump over its wall into a larger space."""

from typing import NamedTuple

import numpy as np

from ludus.contests.speed.agents.walking import (
    PACE,
    PLACE,
    Ground,
    ahead,
    drain,
    flood,
    is_jump,
    reachable,
    unwalk,
    walk,
)
from ludus.contests.speed.game import ACTIONS, JUMP_EVERY, SPEED_UP
from ludus.kernel.deadline import expired
from ludus.kernel.jit import compiled
from ludus.kernel.rules import Array

_DEPTH = JUMP_EVERY + 1  # enough to be fast in the next possible round of jumps
_AFTERWARDS = 5  # rounds within which slowing down after the jump must be possible
_FASTEST, _SLOW = 5, 2
_ACTIONS = len(ACTIONS)


class Escape(NamedTuple):
    """The spaces into which trails divide the board, and the current moves."""

    spaces: Array  # int32[place]: the number of its space, 0 if it is not free
    sizes: Array  # int64[space]: cells, halved for each entrance of others; 0 for my own space
    worths: Array  # int64[space]: the same with reachable further spaces, as far as computed
    queue: Array  # int32[place]
    heads: Array  # int64[ply, 3]
    tried: Array  # int64[ply]
    gains: Array  # int64[ply]: the size of the space after the jump, 0 before it
    best: Array  # int64[1 + ply]: number of moves, then the moves


def new_escape(places: int) -> Escape:
    """Memory for a ground with this many places."""
    return Escape(
        spaces=np.zeros(places, np.int32),
        sizes=np.zeros(places + 1, np.int64),
        worths=np.zeros(places + 1, np.int64),
        queue=np.zeros(places, np.int32),
        heads=np.zeros((_DEPTH + _AFTERWARDS + 1, 3), np.int64),
        tried=np.zeros(_DEPTH + _AFTERWARDS + 1, np.int64),
        gains=np.zeros(_DEPTH + _AFTERWARDS + 1, np.int64),
        best=np.zeros(_DEPTH + 1, np.int64),
    )


@compiled
def look_around(ground: Ground, escape: Escape, heads: Array, me: int) -> int:
    """Find the spaces, and return the size of mine, −1 if another player is in it.

    Heads are those of all players, with place 0 for dead ones.
    """
    spaces, sizes, queue = escape.spaces, escape.sizes, escape.queue
    number = end = 0
    for place in range(len(spaces)):
        spaces[place] = sizes[place] = 0
    for place in range(len(spaces)):
        if ground.cells[place] == 0:
            n = flood(ground, place, queue[end:])
            number += 1
            sizes[number] = n
            for i in range(end, end + n):
                spaces[queue[i]] = number
            end += n
    drain(ground, queue, end)
    shared, inside = False, 0
    for player in range(len(heads)):
        if heads[player, PLACE] > 0 and player != me:
            for heading in range(4):
                space = spaces[heads[player, PLACE] + ahead(ground, heading)]
                for mine in range(4):
                    shared |= 0 < space == spaces[heads[me, PLACE] + ahead(ground, mine)]
                sizes[space] //= 2
    for heading in range(4):
        space = spaces[heads[me, PLACE] + ahead(ground, heading)]
        inside = max(inside, sizes[space])
        sizes[space] = 0
    return -1 if shared else inside


@compiled
def find_escape(ground: Ground, escape: Escape, head: Array, now: int, mark: int, watch: Array) -> int:
    """The most cells that a player can gain by a jump into another space within some rounds, 0 if none.

    Spaces are those found by `look_around`; for the space after the jump, only cells reachable after slowing down
    count. The moves up to the jump are in `best`: the shortest of equally good ways.
    """
    heads, tried, best, gains = escape.heads, escape.tried, escape.best, escape.gains
    largest = 0
    best[0] = 0
    for part in range(3):
        heads[0, part] = head[part]
    ply = 0
    tried[0] = gains[0] = 0
    landed = 0
    while ply >= 0:
        action = tried[ply]
        if action == _ACTIONS or expired(watch):
            ply -= 1
            if ply >= 0:
                unwalk(ground, heads[ply + 1], now + ply)
            continue
        tried[ply] += 1
        too_fast = action == SPEED_UP and heads[ply, PACE] == _FASTEST
        if too_fast or not walk(ground, heads[ply], action, now + ply, mark, heads[ply + 1]):
            continue
        gains[ply + 1] = gains[ply]
        if gains[ply] == 0 and is_jump(heads[ply + 1, PACE], now + ply):
            gains[ply + 1] = escape.sizes[escape.spaces[heads[ply + 1, PLACE]]]
            landed = ply + 1
        gain = gains[ply + 1]
        slow = ply + 1 > landed and heads[ply + 1, PACE] <= _SLOW
        if slow and gain > 0 and gain >= largest:
            left = min(gain, reachable(ground, heads[ply + 1, PLACE], escape.queue))
            if left > largest or (left == largest and landed < best[0]):
                largest = left
                best[0] = landed
                for i in range(landed):
                    best[i + 1] = tried[i] - 1
        deepest = _DEPTH if gain == 0 else landed + _AFTERWARDS
        if ply + 1 == deepest or (gain > 0 and (slow or gain < largest)):
            unwalk(ground, heads[ply + 1], now + ply)
        else:
            ply += 1
            tried[ply] = 0
    return largest
