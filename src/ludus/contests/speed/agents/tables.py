"""Probability tables of spe_ed: the probability of players reaching each cell if they merely survive.

Each player has a tree of all its moves, level by level; a node has the probability of being reached. Cells that others
may have reached before lower it, so the numbers are not probabilities in the strict sense.
"""

from typing import NamedTuple

import numpy as np

from ludus.contests.speed.agents.walking import (
    HEADING,
    PACE,
    PLACE,
    Ground,
    ahead,
    heading_after,
    is_jump,
    new_ground,
    pace_after,
    survives,
    unwalk,
    write,
)
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rules import Array, room_of_floats

DEEPEST = 64
MOST_NODES = 1 << 20
"""Maximum number of nodes of all players together."""
_ACTIONS = 5
_PARENT, _FIRST = 3, 4
"""Parts of a node after those of its head: the previous node, and the first action."""


class Tables(NamedTuple):
    """The trees and tables of several players; the first is the one that needs the forecast."""

    ground: Ground
    nodes: Array  # int32[player, node, part]
    chances: Array  # float64[player, node]
    levels: Array  # int64[player, level]: the start of each level of the tree; the last entry is the end
    reached: Array  # float64[player, place]: the table of all completed levels
    fresh: Array  # float64[player, place]: of the current level
    visits: Array  # int64[player, place]: number of nodes of the current level here
    habits: Array  # float64[player, action]: the probability of an action, if all are survived
    trail: Array  # int64[level]: the node whose trail is on the ground, and its ancestors
    line: Array  # int64[level]
    watch: Array


class Trees(NamedTuple):
    """Memory for the trees of several players, on boards of any size."""

    nodes: Array  # int32[player, node, part]
    chances: Array  # float64[player, node]


def trees_for(players: int, old: Trees | None = None) -> Trees:
    """Memory for that many players, reusing the old one if its size fits."""
    if old is not None and len(old.nodes) == players:
        return old
    room = MOST_NODES // players
    return Trees(nodes=np.zeros((players, room, 5), np.int32), chances=np.zeros((players, room)))


def new_tables(width: int, height: int, trees: Trees) -> Tables:
    """Tables for a board of this size and as many players as there are trees."""
    ground = new_ground(width, height)
    places, players = len(ground.cells), len(trees.nodes)
    return Tables(
        ground=ground,
        nodes=trees.nodes,
        chances=trees.chances,
        levels=np.zeros((players, DEEPEST + 2), np.int64),
        reached=np.zeros((players, places)),
        fresh=np.zeros((players, places)),
        visits=np.zeros((players, places), np.int64),
        habits=np.full((players, _ACTIONS), 1 / _ACTIONS),
        trail=np.zeros(DEEPEST + 1, np.int64),
        line=np.zeros(DEEPEST + 1, np.int64),
        watch=new_watch(FOREVER),
    )


@compiled
def grow_tables(ground: Ground, heads: Array, players: int, now: int, deepest: int, start: float, space: Tables) -> int:
    """Look ahead level by level until time or memory runs out; return the number of completed levels.

    `heads` holds the heads of the players; `start` is the probability at the root of the first one's tree.
    """
    for place in range(len(ground.cells)):
        space.ground.cells[place] = ground.cells[place]
    for player in range(players):
        for place in range(len(ground.cells)):
            space.reached[player, place] = 0.0
            space.fresh[player, place] = 0.0
            space.visits[player, place] = 0
        for part in range(3):
            space.nodes[player, 0, part] = heads[player, part]
        space.nodes[player, 0, _PARENT] = -1
        space.nodes[player, 0, _FIRST] = -1
        space.chances[player, 0] = start if player == 0 else 1.0
        space.levels[player, 0], space.levels[player, 1] = 0, 1
    for level in range(deepest):
        grown = 0
        for player in range(players):
            if not _grow_level(space, players, player, level, now):
                return level
            grown += space.levels[player, level + 2] - space.levels[player, level + 1]
        if grown == 0:
            return level
        for player in range(players):
            if not _weigh_level(space, players, player, level + 1, now):
                return level
        for player in range(players):
            for place in range(len(ground.cells)):
                space.reached[player, place] += space.fresh[player, place]
                space.fresh[player, place] = 0.0
                space.visits[player, place] = 0
    return deepest


@compiled
def _grow_level(space: Tables, players: int, player: int, level: int, now: int) -> bool:
    """Add the next level to the tree of a player; False if time or memory ran out."""
    nodes, chances, levels = space.nodes[player], space.chances[player], space.levels[player]
    weights = room_of_floats(_ACTIONS)
    end = levels[level + 1]
    depth = 0
    for node in range(levels[level], levels[level + 1]):
        if expired(space.watch) or end + _ACTIONS > len(nodes):
            _leave(space, player, depth, 0, now)
            return False
        depth = _go_to(space, player, node, level, depth, now)
        total = 0.0
        for action in range(_ACTIONS):
            safe = survives(space.ground, nodes[node], action, now + level)
            weights[action] = space.habits[player, action] if safe else 0.0
            total += weights[action]
        for action in range(_ACTIONS):
            if weights[action] == 0.0:
                continue
            heading, pace = heading_after(nodes[node, HEADING], action), pace_after(nodes[node, PACE], action)
            nodes[end, PLACE] = nodes[node, PLACE] + ahead(space.ground, heading) * pace
            nodes[end, HEADING], nodes[end, PACE] = heading, pace
            chance = chances[node] * weights[action] / total
            chance -= _by_others(space, players, player, nodes[end], now + level)
            if chance > 0.0:
                nodes[end, _PARENT] = node
                nodes[end, _FIRST] = action if level == 0 else nodes[node, _FIRST]
                chances[end] = chance
                _visit(space, player, nodes[end], now + level)
                end += 1
    _leave(space, player, depth, 0, now)
    levels[level + 2] = end
    return True


@compiled
def _go_to(space: Tables, player: int, node: int, level: int, depth: int, now: int) -> int:
    """Replace the trail on the ground, of `depth` moves, by that of a node; return its length."""
    nodes, line, trail = space.nodes[player], space.line, space.trail
    for height in range(level, 0, -1):
        line[height] = node
        node = nodes[node, _PARENT]
    shared = 0
    while shared < min(depth, level) and line[shared + 1] == trail[shared + 1]:
        shared += 1
    _leave(space, player, depth, shared, now)
    for height in range(shared + 1, level + 1):
        trail[height] = line[height]
        head = nodes[line[height]]
        step = ahead(space.ground, head[HEADING])
        write(space.ground, head[PLACE] - step * head[PACE], step, head[PACE], now + height - 1, 1)
    return level


@compiled
def _leave(space: Tables, player: int, depth: int, shared: int, now: int) -> None:
    """Remove the trail on the ground, except for the first `shared` moves."""
    for height in range(depth, shared, -1):
        unwalk(space.ground, space.nodes[player, space.trail[height]], now + height - 1)


@compiled
def _by_others(space: Tables, players: int, player: int, head: Array, now: int) -> float:
    """The mean probability of others having reached the cells of the way to a head before."""
    pace, step, place = head[PACE], ahead(space.ground, head[HEADING]), head[PLACE]
    touched, stride = (2, step * (pace - 1)) if is_jump(pace, now) else (pace, step)
    total = 0.0
    for _ in range(touched):
        for other in range(players):
            if other != player:
                total += space.reached[other, place]
        place -= stride
    return total / touched


@compiled
def _visit(space: Tables, player: int, head: Array, now: int) -> None:
    pace, step, place = head[PACE], ahead(space.ground, head[HEADING]), head[PLACE]
    touched, stride = (2, step * (pace - 1)) if is_jump(pace, now) else (pace, step)
    for _ in range(touched):
        space.visits[player, place] += 1
        place -= stride


@compiled
def _weigh_level(space: Tables, players: int, player: int, level: int, now: int) -> bool:
    """Divide probabilities by the number of simultaneous visits of others, and enter them; False if time ran out."""
    nodes, chances, levels = space.nodes[player], space.chances[player], space.levels[player]
    for node in range(levels[level], levels[level + 1]):
        if expired(space.watch):
            return False
        head = nodes[node]
        pace, step = head[PACE], ahead(space.ground, head[HEADING])
        touched, stride = (2, step * (pace - 1)) if is_jump(pace, now + level - 1) else (pace, step)
        most, place = 1, head[PLACE]
        for _ in range(touched):
            visits = 0
            for other in range(players):
                if other != player:
                    visits += space.visits[other, place]
            most = max(most, visits)
            place -= stride
        chances[node] /= most
        place = head[PLACE]
        for _ in range(touched):
            space.fresh[player, place] += chances[node]
            place -= stride
    return True


@compiled
def survivors(space: Tables, level: int, out: Array) -> None:
    """Write the number of nodes at this level of the first player's tree for each first action."""
    for action in range(_ACTIONS):
        out[action] = 0
    if level > 0:
        for node in range(space.levels[0, level], space.levels[0, level + 1]):
            out[space.nodes[0, node, _FIRST]] += 1


@compiled
def chance_on_way(ground: Ground, head: Array, action: int, now: int, table: Array) -> float:
    """The mean value of a table over the cells that a survivable action touches."""
    pace = pace_after(head[PACE], action)
    step = ahead(ground, heading_after(head[HEADING], action))
    touched, stride = (2, step * (pace - 1)) if is_jump(pace, now) else (pace, step)
    place, total = head[PLACE] + step, 0.0
    for _ in range(touched):
        total += table[place]
        place += stride
    return total / touched
