"""The search tree of MCTS for games with one mover at a time, chance included.

A node's children are adjacent. Values in a node are from the view of the player that moves in its parent; a proven win
for that player is +inf, a proven loss −inf.
"""

import math
import mmap
from typing import Any, NamedTuple

import numpy as np

from ludus.agents.montecarlo.rollout import rollout
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import (
    CHANCE,
    MOST_PLAYERS,
    Array,
    State,
    chance,
    copy,
    legal,
    movers,
    over,
    play,
    sample,
    scores,
)

MOST_NODES = 1 << 22
_DEEPEST = 1024

# Columns of links, int32.
MOVE, FIRST, COUNT, MOVER, TRIED = range(5)
_UNKNOWN = -2  # mover of a node that has no children yet
# Columns of stats, float64. The last two are kept for speed: selection then needs no division or root for each child.
VISITS, TOTAL, MEAN, INVERSE_ROOT = range(4)
# Options of one search, in int64.
SIMULATIONS, TREE_DEPTH, ROLLOUT_DEPTH, PLAYERS, SOLVE = range(5)
# Counters of a search, in int64; NODES persists with the tree.
DONE, NODES = range(2)


class Tree(NamedTuple):
    """Nodes and all memory that a simulation writes to; node 0 is the root."""

    links: Array  # int32[node, 5]
    stats: Array  # float64[node, 4]
    path: Array  # int64[depth]: nodes of the current simulation
    moves: Array  # int64[move]
    probabilities: Array  # float64[outcome]
    counts: Array  # int64[count]
    extremes: Array  # float64[2]: lowest and highest score seen, for one-player games
    scores: Array  # float64[player]
    who: Array  # int64[player]
    chosen: Array  # int64[player]
    watch: Array


def new_tree(most_moves: int, most_outcomes: int, nodes: int) -> Tree:
    """Allocate a tree for that many nodes; memory is used as it fills."""
    return Tree(
        links=paged((nodes, 5), np.int32),
        stats=paged((nodes, 4), np.float64),
        path=np.zeros(_DEEPEST, np.int64),
        moves=np.zeros(max(most_moves, most_outcomes), np.int64),
        probabilities=np.zeros(max(1, most_outcomes)),
        counts=np.zeros(2, np.int64),
        extremes=np.array([np.inf, -np.inf]),
        scores=np.zeros(MOST_PLAYERS),
        who=np.zeros(MOST_PLAYERS, np.int64),
        chosen=np.zeros(MOST_PLAYERS, np.int64),
        watch=new_watch(FOREVER),
    )


def paged(shape: tuple[int, ...], dtype: Any) -> Array:
    """Allocate memory in small pages, as it is used.

    NumPy asks for huge pages, and getting one can take milliseconds in the middle of a search.
    """
    memory = mmap.mmap(-1, max(1, math.prod(shape) * np.dtype(dtype).itemsize))
    return np.frombuffer(memory, dtype, math.prod(shape)).reshape(shape)


def root_moves(tree: Tree) -> tuple[Array, Array, Array]:
    """The moves at the root, with their visits and mean values."""
    first = tree.links[0, FIRST]
    children = slice(first, first + tree.links[0, COUNT])
    return tree.links[children, MOVE], tree.stats[children, VISITS], tree.stats[children, MEAN]


def clear(tree: Tree) -> None:
    """Reset the tree to a new root."""
    _new_node(tree.links, tree.stats, 0, 0)
    tree.counts[NODES] = 1
    tree.extremes[:] = np.inf, -np.inf


@compiled
def grow(root: State, work: State, tree: Tree, options: Array, exploration: float, rng: Rng) -> None:
    """Run simulations until their number or the time is used up, or the root is proven."""
    links, stats, path = tree.links, tree.stats, tree.path
    chosen = tree.chosen
    tree.counts[DONE] = 0
    spread = 1.0
    while tree.counts[DONE] < options[SIMULATIONS] and not expired(tree.watch):
        copy(root, work)
        node = 0
        depth = 0
        path[0] = 0
        # Down the tree: a node gets children on its second visit.
        while stats[node, VISITS] > 0.0 and depth < options[TREE_DEPTH]:
            if links[node, MOVER] == _UNKNOWN and not expand(work, tree, node, rng):
                break
            if links[node, MOVER] == CHANCE:
                node = links[node, FIRST] + sample(work, CHANCE, rng)
            elif links[node, TRIED] < links[node, COUNT]:
                node, parent = links[node, FIRST] + links[node, TRIED], node
                links[parent, TRIED] += 1
            else:
                node = select(tree, node, exploration * spread)
            chosen[0] = links[node, MOVE]
            play(work, chosen)
            depth += 1
            path[depth] = node
        ended = over(work)
        if ended:
            scores(work, tree.scores)
        elif not rollout(work, rng, tree.watch, options[ROLLOUT_DEPTH], options[PLAYERS], tree.scores):
            if depth > 0 and stats[node, VISITS] == 0.0 and links[path[depth - 1], MOVER] != CHANCE:
                links[path[depth - 1], TRIED] -= 1
            return
        if options[PLAYERS] == 1:
            tree.extremes[0] = min(tree.extremes[0], tree.scores[0])
            tree.extremes[1] = max(tree.extremes[1], tree.scores[0])
            spread = max(1.0, tree.extremes[1] - tree.extremes[0]) / 2.0
        tree.counts[DONE] += 1
        back_up(tree, depth, options[SOLVE] and ended)
        if options[SOLVE] and np.isinf(stats[0, TOTAL]):
            return


@compiled
def expand(state: State, tree: Tree, node: int, rng: Rng) -> bool:
    """Give a node its children, in random order; false at the end of the game, or if the tree is full."""
    links = tree.links
    if over(state):
        return False
    movers(state, tree.who)
    mover = tree.who[0]
    moves = tree.moves
    if mover == CHANCE:
        n = chance(state, tree.probabilities)
        for outcome in range(n):
            moves[outcome] = outcome
    else:
        n = legal(state, mover, moves)
    first = tree.counts[NODES]
    if first + n > len(links):
        return False
    tree.counts[NODES] += n
    links[node, MOVER] = mover
    links[node, FIRST] = first
    links[node, COUNT] = n
    for i in range(n):
        if mover != CHANCE:
            j = i + below(rng, n - i)
            moves[i], moves[j] = moves[j], moves[i]
        _new_node(links, tree.stats, first + i, moves[i])
    return True


@compiled
def _new_node(links: Array, stats: Array, node: int, move: int) -> None:
    links[node, MOVE] = move
    links[node, FIRST] = 0
    links[node, COUNT] = 0
    links[node, MOVER] = _UNKNOWN
    links[node, TRIED] = 0
    stats[node, VISITS] = 0.0
    stats[node, TOTAL] = 0.0
    stats[node, MEAN] = 0.0
    stats[node, INVERSE_ROOT] = 0.0


@compiled
def select(tree: Tree, node: int, exploration: float) -> int:
    """The child with the highest upper confidence bound."""
    stats = tree.stats
    factor = exploration * np.sqrt(np.log(stats[node, VISITS]))
    first = tree.links[node, FIRST]
    best = first
    highest = stats[first, MEAN] + factor * stats[first, INVERSE_ROOT]
    for child in range(first + 1, first + tree.links[node, COUNT]):
        bound = stats[child, MEAN] + factor * stats[child, INVERSE_ROOT]
        if bound > highest:
            highest = bound
            best = child
    return best


@compiled
def back_up(tree: Tree, depth: int, proven: bool) -> None:
    """Add the scores to every node of the path; a proven end is propagated as far as it proves anything."""
    links, stats, path = tree.links, tree.stats, tree.path
    for step in range(depth, -1, -1):
        node = path[step]
        player = links[path[step - 1], MOVER] if step > 0 else 0
        score = tree.scores[max(0, player)]
        stats[node, VISITS] += 1.0
        visits = stats[node, VISITS]
        stats[node, INVERSE_ROOT] = 1.0 / np.sqrt(visits)
        if proven:
            if step < depth:
                proven = prove(tree, node, player)
            elif abs(score) >= 1.0:
                stats[node, TOTAL] = stats[node, MEAN] = np.inf if score > 0.0 else -np.inf
            else:
                proven = False
        if not proven:
            stats[node, TOTAL] += score
            stats[node, MEAN] = stats[node, TOTAL] / visits


@compiled
def prove(tree: Tree, node: int, player: int) -> bool:
    """True if the children prove this node won or lost; the node is then marked, from the view of `player`."""
    links, stats = tree.links, tree.stats
    first = links[node, FIRST]
    won, lost = False, links[node, TRIED] == links[node, COUNT]
    for child in range(first, first + links[node, TRIED]):
        won |= stats[child, TOTAL] == np.inf
        lost &= stats[child, TOTAL] == -np.inf
    if not (won or lost):
        return False
    good = won == (links[node, MOVER] == player)
    stats[node, TOTAL] = stats[node, MEAN] = np.inf if good else -np.inf
    result = 1.0 if good else -1.0
    tree.scores[player] = result
    tree.scores[1 - player] = -result
    return True


@compiled
def child_of(tree: Tree, node: int, moves: Array) -> int:
    """The child of a move, or of an outcome of chance; −1 if the tree has none."""
    first = tree.links[node, FIRST]
    for child in range(first, first + tree.links[node, COUNT]):
        if tree.links[child, MOVE] == moves[0]:
            return child
    return -1


@compiled
def transplant(old: Tree, node: int, new: Tree) -> bool:
    """Copy the subtree below a node into another tree, as its root; false if the time runs out."""
    new.extremes[0], new.extremes[1] = old.extremes[0], old.extremes[1]
    _copy_node(old, node, new, 0)
    # links[..., FIRST] of a copied node still points into the old tree until its own children are copied.
    made = 1
    done = 0
    while done < made:
        if expired(new.watch):
            return False
        n = new.links[done, COUNT]
        if n > 0:
            first = new.links[done, FIRST]
            for i in range(n):
                _copy_node(old, first + i, new, made + i)
            new.links[done, FIRST] = made
            made += n
        done += 1
    new.counts[NODES] = made
    return True


@compiled
def _copy_node(old: Tree, source: int, new: Tree, target: int) -> None:
    for column in range(5):
        new.links[target, column] = old.links[source, column]
    for column in range(4):
        new.stats[target, column] = old.stats[source, column]
