"""Roll-outs of spe_ed: one player walks at random until it is stuck, while all others stand still."""

from typing import NamedTuple

import numpy as np

from ludus.contests.speed.agents.walking import (
    HEADING,
    PACE,
    PLACE,
    Ground,
    ahead,
    freedom,
    is_jump,
    new_ground,
    unwalk,
    walk,
)
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import Array, room

LONGEST = 2048
"""Maximum number of rounds of a path."""
MOST_NODES = 1 << 20
"""Maximum nodes of the tree of walked paths; paths may repeat beyond it."""
LEAST_WALKS = 256
"""Number of paths, kept ones first, that are walked even if time is up: without them a choice would be blind."""

# Options of one sampling, in int64.
NOW, MARK, SIMULATIONS, CARRIED, SURVEYED, UNREPEATED = range(6)

# Counters, in int64: paths, rounds of all of them, the longest, nodes of the tree, 1 if every path is known, and the
# number kept for the next round.
PATHS, ROUNDS, LONGEST_PATH, NODES, EXHAUSTED, KEPT = range(6)

_ACTIONS = 5
_ALL_KNOWN = -1


class Paths(NamedTuple):
    """Working memory of a sampling, separate for each thread."""

    ground: Ground
    counts: Array  # int64[first action, length]
    risks: Array  # float64[first action, length]: the probability of others on the cells of a path, summed over paths
    heat: Array  # int64[place]
    best: Array  # int8[first action, round]: the longest path
    best_length: Array  # int64[first action]
    kept: Array  # int8[path, round]
    kept_length: Array  # int64[path]
    tree: Array  # int32[node, action]: the next node, 0 if untried, or a mark that everything behind it is known
    nodes: Array  # int64[round]: nodes of the present path
    heads: Array  # int64[round, part]
    path: Array  # int8[round]
    counters: Array
    watch: Array


def new_paths(width: int, height: int, kept: int, unrepeated: bool) -> Paths:
    """Memory for a sampling on a board of this size."""
    ground = new_ground(width, height)
    return Paths(
        ground=ground,
        counts=np.zeros((_ACTIONS, LONGEST + 1), np.int64),
        risks=np.zeros((_ACTIONS, LONGEST + 1)),
        heat=np.zeros(len(ground.cells), np.int64),
        best=np.zeros((_ACTIONS, LONGEST), np.int8),
        best_length=np.zeros(_ACTIONS, np.int64),
        kept=np.zeros((kept, LONGEST), np.int8),
        kept_length=np.zeros(kept, np.int64),
        tree=np.zeros((MOST_NODES if unrepeated else 1, _ACTIONS), np.int32),
        nodes=np.zeros(LONGEST + 1, np.int64),
        heads=np.zeros((LONGEST + 1, 3), np.int64),
        path=np.zeros(LONGEST, np.int8),
        counters=np.zeros(24, np.int64)[8:16],  # no other thread's data in its cache line
        watch=new_watch(FOREVER),
    )


@compiled
def sample_paths(
    ground: Ground, head: Array, table: Array, space: Paths, options: Array, least: float, rng: Rng
) -> None:
    """Walk SIMULATIONS times, or until time is up, but at least LEAST_WALKS times.

    The first CARRIED paths begin like the kept ones.
    Paths of at least `least` times the length of the longest so far are kept for the next round. `table` has for each
    place the probability of others; it is used, and visits of places are counted, only if paths are SURVEYED.
    """
    _clear(ground, head, space, options)
    walks, counters = 0, space.counters
    while (
        counters[PATHS] < options[SIMULATIONS]
        and not counters[EXHAUSTED]
        and (walks < LEAST_WALKS or not expired(space.watch))
    ):
        guide = space.kept_length[walks] if walks < options[CARRIED] else 0
        length, is_new = _walk_on(space, options, walks, guide, rng)
        walks += 1
        if is_new:
            _count(space, length)
            if len(space.kept) > 0 and length >= least * counters[LONGEST_PATH]:
                _keep(space, length)
            if options[SURVEYED]:
                _survey(space, options, table, length)
        for turn in range(length, 0, -1):
            unwalk(space.ground, space.heads[turn], options[NOW] + turn - 1)
        if length == 0:
            break


@compiled
def _clear(ground: Ground, head: Array, space: Paths, options: Array) -> None:
    """Clear earlier samples, except for the kept paths, and go to the start of this sampling."""
    for place in range(len(ground.cells)):
        space.ground.cells[place] = ground.cells[place]
        space.heat[place] = 0
    for part in range(3):
        space.heads[0, part] = head[part]
    for action in range(_ACTIONS):
        space.best_length[action] = 0
        space.tree[0, action] = 0
        for length in range(space.counters[LONGEST_PATH] + 1):
            space.counts[action, length] = 0
            space.risks[action, length] = 0.0
    for counter in range(len(space.counters)):
        space.counters[counter] = 0
    space.counters[NODES] = 1


@compiled
def _walk_on(space: Paths, options: Array, number: int, guide: int, rng: Rng) -> tuple[int, bool]:
    """Walk one path, which begins like the kept one with this number, as far as `guide` and the board permit.

    Returns its length, and true if it ends where the player is stuck rather than where everything is known.
    """
    ground, heads, tree = space.ground, space.heads, space.tree
    now, mark = options[NOW], options[MARK]
    order = room(_ACTIONS)
    for action in range(_ACTIONS):
        order[action] = action
    node = 0 if options[UNREPEATED] else -1
    length = 0
    while length < LONGEST:
        chosen = -1
        if length < guide:
            action = space.kept[number, length]
            known = node >= 0 and tree[node, action] == _ALL_KNOWN
            if not known and walk(ground, heads[length], action, now + length, mark, heads[length + 1]):
                chosen = action
            else:
                guide = 0
        left = _ACTIONS
        while chosen < 0 and left > 0:
            place = below(rng, left)
            action = order[place]
            if node < 0 or tree[node, action] != _ALL_KNOWN:
                if walk(ground, heads[length], action, now + length, mark, heads[length + 1]):
                    chosen = action
                elif node >= 0:
                    tree[node, action] = _ALL_KNOWN
            left -= 1
            order[place], order[left] = order[left], action
        if chosen < 0:
            break
        space.path[length] = chosen
        space.nodes[length] = node
        if node >= 0:
            node = _next_node(space, node, chosen)
        length += 1
    is_new = length > 0
    if node >= 0:
        is_new = is_new and (length == LONGEST or freedom(ground, heads[length], now + length) == 0)
        _close(space, length)
    return length, is_new


@compiled
def _next_node(space: Paths, node: int, action: int) -> int:
    """The node behind an action, a new one if necessary; −1 if there is no room."""
    tree, counters = space.tree, space.counters
    if tree[node, action] == 0:
        if counters[NODES] == len(tree):
            return -1
        for further in range(_ACTIONS):
            tree[counters[NODES], further] = 0
        tree[node, action] = counters[NODES]
        counters[NODES] += 1
    return tree[node, action]


@compiled
def _close(space: Paths, length: int) -> None:
    """Note that everything is known at the end of this path, and at earlier nodes without untried actions."""
    while length > 0:
        length -= 1
        node = space.nodes[length]
        space.tree[node, space.path[length]] = _ALL_KNOWN
        for action in range(_ACTIONS):
            if space.tree[node, action] != _ALL_KNOWN:
                return
    space.counters[EXHAUSTED] = 1


@compiled
def _count(space: Paths, length: int) -> None:
    counters, first = space.counters, space.path[0]
    counters[PATHS] += 1
    counters[ROUNDS] += length
    counters[LONGEST_PATH] = max(length, counters[LONGEST_PATH])
    space.counts[first, length] += 1
    if length > space.best_length[first]:
        space.best_length[first] = length
        for i in range(length):
            space.best[first, i] = space.path[i]


@compiled
def _keep(space: Paths, length: int) -> None:
    place = space.counters[KEPT] % len(space.kept)
    space.kept_length[place] = length
    for i in range(length):
        space.kept[place, i] = space.path[i]
    space.counters[KEPT] += 1


@compiled
def _survey(space: Paths, options: Array, table: Array, length: int) -> None:
    """Count the visits of the cells of a path, and note the probability of others there, averaged over its rounds."""
    risk = 0.0
    for turn in range(1, length + 1):
        pace = space.heads[turn, PACE]
        step = ahead(space.ground, space.heads[turn, HEADING])
        place = space.heads[turn, PLACE]
        steps, stride = (2, (pace - 1) * step) if is_jump(pace, options[NOW] + turn - 1) else (pace, step)
        reached = 0.0
        for _ in range(steps):
            reached += table[place]
            space.heat[place] += 1
            place -= stride
        risk += reached / steps
    space.risks[space.path[0], length] += risk / length


@compiled
def carry_over(space: Paths, action: int, least: float) -> int:
    """Remove a first action from the kept long paths, and drop those without it; return the number left."""
    carried = 0
    for place in range(min(space.counters[KEPT], len(space.kept))):
        length = space.kept_length[place]
        if space.kept[place, 0] == action and length > 1 and length >= least * space.counters[LONGEST_PATH]:
            for i in range(1, length):
                space.kept[carried, i - 1] = space.kept[place, i]
            space.kept_length[carried] = length - 1
            carried += 1
    return carried
