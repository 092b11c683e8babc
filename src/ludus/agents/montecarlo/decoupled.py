"""The search tree of MCTS for simultaneous moves: each mover of a node selects independently, by regret matching.

Upper confidence bounds, an option, lock the movers into step with each other, far from any equilibrium; with regret
matching each mover's average strategy tends to the optimal mixture, from which the final move is drawn.
"""

from typing import NamedTuple

import numpy as np

from ludus.agents.montecarlo.rollout import rollout
from ludus.agents.montecarlo.tree import paged
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled, stays_compiled
from ludus.kernel.rng import Rng, below, unit
from ludus.kernel.rules import CHANCE, MOST_PLAYERS, Array, State, copy, legal, movers, over, play, sample, scores

MOST_NODES = 1 << 18
_DEEPEST = 1024

# Columns of nodes, int64: children are found by parent and joint move, through a hash table.
PARENT, JOINT, MOVERS, FIRST_EDGE, VISITS = range(5)
# Columns of stats, float64, one row for each move of each mover.
TRIES, TOTAL, REGRET, STRATEGY = range(4)
# Options of one search, in int64.
SIMULATIONS, TREE_DEPTH, ROLLOUT_DEPTH, PLAYERS, UCT, ME, OPPONENTS = range(7)
# Counters, in int64; the last two persist with the tree.
DONE, NODES, EDGES = range(3)


class Tree(NamedTuple):
    """Nodes, edges, and all memory that a simulation writes to; node 0 is the root."""

    nodes: Array  # int64[node, 5]
    totals: Array  # float64[node, player]
    who: Array  # int64[node, mover]
    widths: Array  # int64[node, mover]: number of moves of each mover
    moves: Array  # int64[edge]
    stats: Array  # float64[edge, 4]
    slots: Array  # int64[slot]: a node, −1 if free
    path: Array  # int64[depth]
    picked: Array  # int64[depth, mover]: edges of the current simulation
    counts: Array  # int64[count]
    scores: Array  # float64[player]
    chosen: Array  # int64[player]
    legal: Array  # int64[move]
    watch: Array


def new_tree(most_moves: int, players: int, nodes: int) -> Tree:
    """Allocate a tree for that many nodes; memory is used as it fills."""
    edges = nodes * most_moves * players
    return Tree(
        nodes=paged((nodes, 5), np.int64),
        totals=paged((nodes, MOST_PLAYERS), np.float64),
        who=paged((nodes, MOST_PLAYERS), np.int64),
        widths=paged((nodes, MOST_PLAYERS), np.int64),
        moves=paged((edges,), np.int64),
        stats=paged((edges, 4), np.float64),
        slots=paged((1 << int(2 * nodes).bit_length(),), np.int64),
        path=np.zeros(_DEEPEST, np.int64),
        picked=np.zeros((_DEEPEST, MOST_PLAYERS), np.int64),
        counts=np.zeros(3, np.int64),
        scores=np.zeros(MOST_PLAYERS),
        chosen=np.zeros(MOST_PLAYERS, np.int64),
        legal=np.zeros(most_moves, np.int64),
        watch=new_watch(FOREVER),
    )


def root_moves(tree: Tree, seat: int) -> tuple[Array, Array, Array, Array]:
    """A player's moves at the root, with their visits, mean values, and shares in the mixed strategy."""
    first = int(tree.nodes[0, FIRST_EDGE])
    for i in range(int(tree.nodes[0, MOVERS])):
        width = int(tree.widths[0, i])
        if tree.who[0, i] == seat:
            stats = tree.stats[first : first + width]
            values = stats[:, TOTAL] / np.maximum(1.0, stats[:, TRIES])
            return tree.moves[first : first + width], stats[:, TRIES], values, stats[:, STRATEGY]
        first += width
    return (np.zeros(0), np.zeros(0), np.zeros(0), np.zeros(0))


def clear(tree: Tree) -> None:
    """Reset the tree to a new root."""
    tree.slots.fill(-1)
    tree.counts[:] = 0
    new_node(tree, -1, 0)


@compiled
def new_node(tree: Tree, parent: int, joint: int) -> int:
    """Add a node without moves, to be found by its parent and the joint move; −1 if the tree is full."""
    node = tree.counts[NODES]
    if node == len(tree.nodes):
        return -1
    tree.counts[NODES] += 1
    tree.nodes[node, PARENT] = parent
    tree.nodes[node, JOINT] = joint
    tree.nodes[node, MOVERS] = 0
    tree.nodes[node, FIRST_EDGE] = 0
    tree.nodes[node, VISITS] = 0
    for player in range(MOST_PLAYERS):
        tree.totals[node, player] = 0.0
    tree.slots[slot_of(tree, parent, joint)] = node
    return node


@stays_compiled  # its hash overflows, which Python's numbers do not
@compiled
def slot_of(tree: Tree, parent: int, joint: int) -> int:
    """The slot of the child of a joint move, existing or not."""
    mask = len(tree.slots) - 1
    slot = (parent * 0x2545F4914F6CDD1D + joint * 0x9E3779B97F4A7C1 + (joint >> 16)) & mask
    while tree.slots[slot] >= 0:
        node = tree.slots[slot]
        if tree.nodes[node, PARENT] == parent and tree.nodes[node, JOINT] == joint:
            break
        slot = (slot + 1) & mask
    return slot


@compiled
def grow(root: State, work: State, tree: Tree, options: Array, exploration: float, rng: Rng) -> None:
    """Run simulations until their number or the time is used up; `exploration` is for confidence bounds."""
    nodes, path = tree.nodes, tree.path
    tree.counts[DONE] = 0
    while tree.counts[DONE] < options[SIMULATIONS] and not expired(tree.watch):
        copy(root, work)
        node = 0
        depth = 0
        path[0] = 0
        while nodes[node, VISITS] > 0 and depth < options[TREE_DEPTH]:
            if nodes[node, MOVERS] == 0 and not expand(work, tree, node, options, rng):
                break
            if options[UCT]:
                joint = select(work, tree, node, depth, exploration, rng)
            else:
                joint = pick(work, tree, node, depth, rng)
            child = tree.slots[slot_of(tree, node, joint)]
            if child < 0:
                child = new_node(tree, node, joint)
                if child < 0:
                    break
            play(work, tree.chosen)
            node = child
            depth += 1
            path[depth] = node
        if over(work):
            scores(work, tree.scores)
        elif not rollout(work, rng, tree.watch, options[ROLLOUT_DEPTH], options[PLAYERS], tree.scores):
            return
        tree.counts[DONE] += 1
        leaf = path[depth]
        nodes[leaf, VISITS] += 1
        for player in range(options[PLAYERS]):
            tree.totals[leaf, player] += tree.scores[player]
        for step in range(depth):
            back_up(tree, step, options[PLAYERS])


@compiled
def expand(state: State, tree: Tree, node: int, options: Array, rng: Rng) -> bool:
    """List the moves of each mover, in random order; false at the end of the game, or if the tree is full.

    A player beyond the first OPPONENTS after ME has a single move here, drawn at random.
    """
    if over(state):
        return False
    who = tree.who[node]
    n = movers(state, who)
    edge = tree.counts[EDGES]
    tree.nodes[node, FIRST_EDGE] = edge
    if who[0] != CHANCE:
        for i in range(n):
            if (who[i] - options[ME]) % options[PLAYERS] > options[OPPONENTS]:
                tree.legal[0] = sample(state, who[i], rng)
                width = 1
            else:
                width = legal(state, who[i], tree.legal)
            if edge + width > len(tree.moves):
                return False
            tree.widths[node, i] = width
            for j in range(width):
                k = j + below(rng, width - j)
                tree.legal[j], tree.legal[k] = tree.legal[k], tree.legal[j]
                tree.moves[edge] = tree.legal[j]
                for column in range(4):
                    tree.stats[edge, column] = 0.0
                edge += 1
    tree.counts[EDGES] = edge
    tree.nodes[node, MOVERS] = n
    return True


@compiled
def pick(state: State, tree: Tree, node: int, depth: int, rng: Rng) -> int:
    """Let each mover draw a move in proportion to its regrets; return the joint move."""
    if tree.who[node, 0] == CHANCE:
        tree.chosen[0] = sample(state, CHANCE, rng)
        return tree.chosen[0]
    stats = tree.stats
    first = tree.nodes[node, FIRST_EDGE]
    joint = 0
    exploration = 1.0 / np.sqrt(tree.nodes[node, VISITS] + 1.0)
    for i in range(tree.nodes[node, MOVERS]):
        width = tree.widths[node, i]
        regrets = 0.0
        for edge in range(first, first + width):
            regrets += stats[edge, REGRET]
        picked = first + below(rng, width)
        if regrets > 0.0:
            for edge in range(first, first + width):
                stats[edge, STRATEGY] += stats[edge, REGRET] / regrets
            if unit(rng) >= exploration:
                picked = first
                left = unit(rng) * regrets - stats[first, REGRET]
                while left >= 0.0 and picked < first + width - 1:
                    picked += 1
                    left -= stats[picked, REGRET]
        else:
            for edge in range(first, first + width):
                stats[edge, STRATEGY] += 1.0 / width
        tree.picked[depth, i] = picked
        tree.chosen[i] = tree.moves[picked]
        joint = joint * width + picked - first
        first += width
    return joint


@compiled
def select(state: State, tree: Tree, node: int, depth: int, exploration: float, rng: Rng) -> int:
    """Let each mover take the move with its highest upper confidence bound; return the joint move."""
    if tree.who[node, 0] == CHANCE:
        tree.chosen[0] = sample(state, CHANCE, rng)
        return tree.chosen[0]
    stats = tree.stats
    first = tree.nodes[node, FIRST_EDGE]
    joint = 0
    factor = exploration * np.sqrt(np.log(tree.nodes[node, VISITS] + 1.0))
    for i in range(tree.nodes[node, MOVERS]):
        width = tree.widths[node, i]
        picked = first
        highest = -np.inf
        for edge in range(first, first + width):
            tries = stats[edge, TRIES]
            bound = np.inf if tries == 0.0 else stats[edge, TOTAL] / tries + factor / np.sqrt(tries)
            if bound > highest:
                highest = bound
                picked = edge
        tree.picked[depth, i] = picked
        tree.chosen[i] = tree.moves[picked]
        joint = joint * width + picked - first
        first += width
    return joint


@compiled
def back_up(tree: Tree, step: int, players: int) -> None:
    """Add the scores at a step of the path, and each mover's regret for its other moves."""
    node = tree.path[step]
    tree.nodes[node, VISITS] += 1
    for player in range(players):
        tree.totals[node, player] += tree.scores[player]
    if tree.who[node, 0] == CHANCE:
        return
    stats = tree.stats
    first = tree.nodes[node, FIRST_EDGE]
    joint = tree.nodes[tree.path[step + 1], JOINT]
    place = 1  # weight of this mover's choice in the joint move
    for i in range(1, tree.nodes[node, MOVERS]):
        place *= tree.widths[node, i]
    for i in range(tree.nodes[node, MOVERS]):
        player = tree.who[node, i]
        width = tree.widths[node, i]
        picked = tree.picked[step, i]
        stats[picked, TRIES] += 1.0
        stats[picked, TOTAL] += tree.scores[player]
        for edge in range(first, first + width):
            if edge != picked:
                other = tree.slots[slot_of(tree, node, joint + (edge - picked) * place)]
                if other >= 0 and tree.nodes[other, VISITS] > 0:
                    value = tree.totals[other, player] / tree.nodes[other, VISITS]
                elif stats[edge, TRIES] > 0.0:
                    value = stats[edge, TOTAL] / stats[edge, TRIES]
                else:
                    value = 0.0
                stats[edge, REGRET] = max(0.0, stats[edge, REGRET] + value - tree.scores[player])
        first += width
        if i + 1 < tree.nodes[node, MOVERS]:
            place //= tree.widths[node, i + 1]


@compiled
def child_of(tree: Tree, node: int, moves: Array) -> int:
    """The child of a joint move, or of an outcome of chance; −1 if the tree has none."""
    if tree.nodes[node, MOVERS] == 0:
        return -1
    joint = 0
    if tree.who[node, 0] == CHANCE:
        joint = moves[0]
    else:
        first = tree.nodes[node, FIRST_EDGE]
        for i in range(tree.nodes[node, MOVERS]):
            width = tree.widths[node, i]
            place = 0
            while place < width and tree.moves[first + place] != moves[i]:
                place += 1
            if place == width:
                return -1
            joint = joint * width + place
            first += width
    return tree.slots[slot_of(tree, node, joint)]


@compiled
def transplant(old: Tree, root: int, new: Tree) -> bool:
    """Copy the subtree below a node into another tree, cleared and as large; false if the time runs out."""

    # A parent is always older than its children, so one pass finds the whole subtree; VISITS of the old tree, which is
    # no longer needed, stores a node's new number, and −1 marks nodes left behind.
    for node in range(old.counts[NODES]):
        if expired(new.watch):
            return False
        parent = old.nodes[node, PARENT]
        copied = 0 if node == root else -1
        visits = old.nodes[node, VISITS]
        if node > root and old.nodes[parent, VISITS] >= 0:
            copied = new_node(new, old.nodes[parent, VISITS], old.nodes[node, JOINT])
        old.nodes[node, VISITS] = copied
        if copied >= 0:
            new.nodes[copied, VISITS] = visits
            new.nodes[copied, MOVERS] = old.nodes[node, MOVERS]
            _copy_edges(old, node, new, copied)
    return True


@compiled
def _copy_edges(old: Tree, node: int, new: Tree, copied: int) -> None:
    for i in range(MOST_PLAYERS):
        new.totals[copied, i] = old.totals[node, i]
        new.who[copied, i] = old.who[node, i]
        new.widths[copied, i] = old.widths[node, i]
    source, target = old.nodes[node, FIRST_EDGE], new.counts[EDGES]
    new.nodes[copied, FIRST_EDGE] = target
    if old.nodes[node, MOVERS] == 0 or old.who[node, 0] == CHANCE:
        return
    for i in range(old.nodes[node, MOVERS]):
        for _ in range(old.widths[node, i]):
            new.moves[target] = old.moves[source]
            for column in range(4):
                new.stats[target, column] = old.stats[source, column]
            source += 1
            target += 1
    new.counts[EDGES] = target
