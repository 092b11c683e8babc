"""recursiveBnB: the longest path of survived moves while all others stand still."""

from typing import ClassVar, NamedTuple

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.contests.speed.agents.agent import TimedAgent, priorities_from
from ludus.contests.speed.agents.simple import FIXED, RANDOM
from ludus.contests.speed.agents.walking import Ground, shuffle, unwalk, walk
from ludus.contests.speed.game import CHANGE_NOTHING
from ludus.core.kinds import MOST_COUNT
from ludus.core.spec import param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng
from ludus.kernel.state import Array

MOST_DEPTH = 1000
ALL_PRIORITIES = "change_nothing-turn_right-turn_left-slow_down-speed_up"
_FIRST_DIVE, _NEXT_DIVE = 1 << 12, 4
"""Positions for the first dive after each action, and the growth factor of further dives."""
_NO_JUMP = 1
"""A round without jumps."""

# Options of one search, in int64; TICK is added to the number of the round by each move.
DEPTH, NODE_LIMIT, SHUFFLED, NOW, TICK, MARK = range(6)
OPTIONS = 6
# Counters of a search, in int64; PRUNED is the number of fatal actions.
NODES, PRUNED, STOPPED = range(3)
COUNTERS = 3


class Workspace(NamedTuple):
    """Working memory of a search."""

    heads: Array  # int64[ply, 3]: the player along the current path
    orders: Array  # int64[ply, action]: actions to try, in this order
    tried: Array  # int64[ply]: number of actions tried
    done: Array  # bool[action]: true if the search after this action of orders[0] is complete
    path: Array  # int64[ply]: the longest path of all
    counts: Array  # int64[count]
    watch: Array


def new_workspace(depth: int, priorities: Array) -> Workspace:
    """Memory for paths of this length, searched in the order of these priorities."""
    return Workspace(
        heads=np.zeros((depth + 1, 3), np.int64),
        orders=np.tile(priorities, (depth + 1, 1)),
        tried=np.zeros(depth + 1, np.int64),
        done=np.zeros(len(priorities), np.bool_),
        path=np.zeros(depth, np.int64),
        counts=np.zeros(COUNTERS, np.int64),
        watch=new_watch(FOREVER),
    )


@compiled
def longest_path(ground: Ground, space: Workspace, options: Array, rng: Rng) -> int:
    """The length of the longest path found from heads[0], at most DEPTH; the path is left in the workspace.

    After each action in turn a dive looks for a path of full length, and one such path ends the search. A dive that has
    used up its positions gives way to the next action; after a dive for every action, each gets a longer one. So a
    first action that leads into a maze does not take all the time.
    """
    counts, choices = space.counts, space.orders.shape[1]
    counts[NODES], counts[PRUNED], counts[STOPPED] = 0, 0, 0
    if options[SHUFFLED]:
        shuffle(space.orders[0], choices, rng)
    for place in range(choices):
        space.done[place] = False
    longest, positions, left = 0, _FIRST_DIVE, choices
    while left > 0 and longest < options[DEPTH] and not counts[STOPPED]:
        left = 0
        for place in range(choices):
            if space.done[place] or longest == options[DEPTH] or counts[STOPPED]:
                continue
            longest = dive(ground, space, options, place, counts[NODES] + positions, longest, rng)
            left += not space.done[place]
        positions *= _NEXT_DIVE
    return longest


@compiled
def dive(ground: Ground, space: Workspace, options: Array, first: int, limit: int, longest: int, rng: Rng) -> int:
    """Search depth first after one action; return the length of the longest path so far, which was `longest` before."""
    heads, orders, tried, counts = space.heads, space.orders, space.tried, space.counts
    now, tick, choices = options[NOW], options[TICK], orders.shape[1]
    ply = 0
    tried[0] = first
    while True:
        if tried[ply] == (choices if ply > 0 else first + 1):
            if ply == 0:
                break
            ply -= 1
            unwalk(ground, heads[ply + 1], now + ply * tick)
            continue
        action = orders[ply, tried[ply]]
        tried[ply] += 1
        if not walk(ground, heads[ply], action, now + ply * tick, options[MARK], heads[ply + 1]):
            counts[PRUNED] += 1
            continue
        ply += 1
        counts[NODES] += 1
        if ply > longest:
            longest = ply
            for i in range(ply):
                space.path[i] = orders[i, tried[i] - 1]
        if expired(space.watch) or counts[NODES] >= options[NODE_LIMIT]:
            counts[STOPPED] = 1
        if ply == options[DEPTH] or counts[STOPPED] or counts[NODES] >= limit:
            break
        tried[ply] = 0
        if options[SHUFFLED]:
            shuffle(orders[ply], choices, rng)
    space.done[first] = ply == 0
    while ply > 0:
        ply -= 1
        unwalk(ground, heads[ply + 1], now + ply * tick)
    return longest


class BranchAndBound(TimedAgent):
    """Looks for the longest path that it survives if nobody else moves, jumps included, and takes its first step.

    A path of full depth ends the search; until then it dives after each action in turn and keeps the longest path, so
    that it can stop at any moment. With no limit but the depth it thinks for a second, because a maze may take much
    longer.
    """

    name: ClassVar[str] = "speed.branch-and-bound"

    depth: int = param(30, "moves to look ahead", low=1, high=MOST_DEPTH)
    priorities: str = param(ALL_PRIORITIES, "actions to try, in this order, joined by -; others are never taken")
    order: str = param(RANDOM, "order of trying them: as given, or random for each position", choices=(RANDOM, FIXED))
    jumps: bool = param(True, "plan to jump over trails")
    nodes: int | None = param(None, "positions to look at for a move", low=1, high=MOST_COUNT)

    def __post_init__(self) -> None:
        self._priorities = priorities_from(self.priorities, self.name)

    def is_deterministic(self, game: Game) -> bool:
        return self.order == FIXED and self.time is None and self.nodes is not None

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self._space = new_workspace(self.depth, self._priorities)
        self._options = np.zeros(OPTIONS, np.int64)
        self._options[DEPTH] = self.depth
        self._options[NODE_LIMIT] = FOREVER if self.nodes is None else self.nodes
        self._options[SHUFFLED] = self.order == RANDOM
        self._options[TICK] = self.jumps

    def choose(self, view: View, clock: Clock) -> Choice:
        space, options = self._space, self._options
        space.watch[:] = new_watch(self.until(clock, self.nodes))
        self.look(view)
        space.heads[0] = self._head
        options[NOW], options[MARK] = self._now if self.jumps else _NO_JUMP, self._mark
        depth = int(longest_path(self._ground, space, options, self._rng))
        path = space.path[:depth].tolist()
        metrics = {"nodes": int(space.counts[NODES]), "pruned": int(space.counts[PRUNED]), "depth": depth}
        return self.answer(path[0] if path else CHANGE_NOTHING, metrics, path)
