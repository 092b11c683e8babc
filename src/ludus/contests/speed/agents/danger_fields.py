"""dangerFields: away from trails and edges, by the safest way into the largest safe area."""

import math
import time
from typing import ClassVar, NamedTuple

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.agents.layers import GOAL as GOAL_CELL
from ludus.agents.layers import GOAL_AREA, HEAT
from ludus.contests.speed.agents.agent import SpeedAgent, TimedAgent
from ludus.contests.speed.agents.branch_and_bound import MOST_DEPTH, BranchAndBound
from ludus.contests.speed.agents.simple import FIXED, DontHit
from ludus.contests.speed.agents.walking import (
    FILLED,
    HEADING,
    PACE,
    PLACE,
    Ground,
    ahead,
    board_of,
    drain,
    flood,
    place_of,
    survives,
)
from ludus.contests.speed.game import CHANGE_NOTHING, FELL, SLOW_DOWN, TURN_LEFT, TURN_RIGHT, X, Y
from ludus.core.kinds import MOST_COUNT
from ludus.core.spec import param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import MOST_PLAYERS
from ludus.kernel.state import Array

BRANCH_AND_BOUND, DONT_HIT = "branch-and-bound", "dont-hit"

# Results of a plan, in int64: the goal is a place, 0 before the first one, and is kept for the next plan. Its area is
# AREA places from AREA_BEGIN on.
GOAL, DANGER, AREA, LENGTH, AREA_BEGIN = range(5)
FINDINGS = 5
_COST_BITS = 32


class Workspace(NamedTuple):
    """Working memory of a plan; heat is the cost of entering a cell, 1 if nothing is near."""

    heat: Array  # int64[place]
    circle: Array  # int64[cell]: places of the cells around one, relative to it
    warmth: Array  # int64[cell]: their heat
    free: Array  # int32[n]: the places that can be reached, nearest first
    area: Array  # int32[n]: the places of one area after another
    label: Array  # int32[place]: the number of the area, counted from 1; 0 elsewhere
    cost: Array  # int64[place]: the lowest known cost of the way there
    came: Array  # int8[place]: the direction of its last step
    heap: Array  # int64[…]: open places with a lower bound of the cost of the whole way, the cheapest first
    path: Array  # int64[step]: the actions that lead to the goal
    others: Array  # int64[player]: the places of the others that live
    findings: Array  # int64[finding]
    watch: Array


def new_workspace(ground: Ground, radius: int) -> Workspace:
    """Memory for plans on a ground of this size."""
    size, reach = len(ground.cells), range(-radius, radius + 1)
    around = [(y * ground.stride + x, math.ceil(math.hypot(x, y))) for y in reach for x in reach]
    near = [(step, radius + 2 - distance) for step, distance in around if 0 < distance <= radius]
    return Workspace(
        heat=np.zeros(size, np.int64),
        circle=np.array([step for step, _ in near]),
        warmth=np.array([warmth for _, warmth in near]),
        free=np.zeros(size, np.int32),
        area=np.zeros(size, np.int32),
        label=np.zeros(size, np.int32),
        cost=np.zeros(size, np.int64),
        came=np.zeros(size, np.int8),
        heap=np.zeros(4 * size, np.int64),
        path=np.zeros(size, np.int64),
        others=np.zeros(MOST_PLAYERS, np.int64),
        findings=np.zeros(FINDINGS, np.int64),
        watch=new_watch(FOREVER),
    )


@compiled
def plan(ground: Ground, space: Workspace, head: Array, others: int, now: int, inertia: float, rng: Rng) -> bool:
    """Find the way to the goal; False if no other player can reach the player's area, or time is up."""
    n = flood(ground, head[PLACE], space.free)
    enclosed = True
    for other in range(others):
        for heading in range(4):
            enclosed &= ground.cells[space.others[other] + ahead(ground, heading)] != FILLED
    found = not enclosed and heat_up(ground, space) and find_goal(ground, space, n, inertia, rng)
    if found:
        for i in range(n):
            space.cost[space.free[i]] = FOREVER
        found = find_way(ground, space, head)
    drain(ground, space.free, n)
    if head[PACE] == 1:
        return found
    space.path[0], space.findings[LENGTH] = SLOW_DOWN, 1
    return found and survives(ground, head, SLOW_DOWN, now)


@compiled
def heat_up(ground: Ground, space: Workspace) -> bool:
    """Draw circles of danger around all obstacles and the edge; False if time is up."""
    heat, cells, stride = space.heat, ground.cells, ground.stride
    for place in range(len(heat)):
        heat[place] = 1
    for place in range(stride, len(heat) - stride):
        if cells[place] == FILLED or cells[place] == 0:
            continue
        at_the_rim = False
        for heading in range(4):
            beside = cells[place + ahead(ground, heading)]
            at_the_rim |= beside == FILLED or beside == 0
        if not at_the_rim:  # its neighbours are nearer to every other cell
            continue
        if expired(space.watch):
            return False
        for i in range(len(space.circle)):
            around = place + space.circle[i]
            heat[around] = max(heat[around], space.warmth[i])
    return True


@compiled
def find_goal(ground: Ground, space: Workspace, n: int, inertia: float, rng: Rng) -> bool:
    """Set a goal in the largest area of the safest of the n free cells; False if time is up.

    The area at the old goal, or nearest to it, is favoured by inertia; and a goal inside the area stays.
    """
    findings, area, label = space.findings, space.area, space.label
    old, danger = findings[GOAL], FOREVER
    for i in range(n):
        label[space.free[i]] = 0
        danger = min(danger, space.heat[space.free[i]])
    number, end, largest, largest_begin, nearest, nearest_size, nearest_begin = 0, 0, 0, 0, FOREVER, 0, 0
    for i in range(n):
        if space.heat[space.free[i]] > danger or label[space.free[i]] != 0:
            continue
        begin, next_one, distance = end, end, FOREVER
        number += 1
        label[space.free[i]] = number
        area[end] = space.free[i]
        end += 1
        while next_one < end:
            if expired(space.watch):
                return False
            place = area[next_one]
            next_one += 1
            distance = min(distance, steps_between(ground, place, old))
            for heading in range(4):
                beside = place + ahead(ground, heading)
                if ground.cells[beside] == FILLED and label[beside] == 0 and space.heat[beside] <= danger:
                    label[beside] = number
                    area[end] = beside
                    end += 1
        if end - begin > largest:
            largest, largest_begin = end - begin, begin
        if distance < nearest:
            nearest, nearest_size, nearest_begin = distance, end - begin, begin
    if old != 0 and nearest_size * (1.0 + inertia) >= largest:
        largest, largest_begin = nearest_size, nearest_begin
    if ground.cells[old] != FILLED or label[old] != label[area[largest_begin]]:
        findings[GOAL] = area[largest_begin + below(rng, largest)]
    findings[DANGER], findings[AREA], findings[AREA_BEGIN] = danger, largest, largest_begin
    return True


@compiled
def find_way(ground: Ground, space: Workspace, head: Array) -> bool:
    """Write the actions of the cheapest way to the goal, by A*; False if there is none, or time is up."""
    heap, cost, start, goal = space.heap, space.cost, head[PLACE], space.findings[GOAL]
    size, place, so_far = 0, start, 0
    while place != goal:
        for heading in range(4):
            beside = place + ahead(ground, heading)
            if ground.cells[beside] != FILLED or (place == start and heading == head[HEADING] ^ 2):
                continue
            there = so_far + space.heat[beside]
            if there < cost[beside]:
                cost[beside], space.came[beside] = there, heading
                push(heap, size, (there + steps_between(ground, beside, goal)) << _COST_BITS | beside)
                size += 1
        if size == 0 or expired(space.watch):
            return False
        place = heap[0] & (1 << _COST_BITS) - 1
        so_far = cost[place]
        size -= 1
        pull(heap, size)
    length = steps_back(ground, space, start, goal)
    space.findings[LENGTH] = length
    for step in range(length - 1, -1, -1):
        heading = space.came[place]
        place -= ahead(ground, heading)
        turn = heading - (head[HEADING] if step == 0 else space.came[place]) & 3
        space.path[step] = CHANGE_NOTHING if turn == 0 else TURN_RIGHT if turn == 1 else TURN_LEFT
    return True


@compiled
def steps_back(ground: Ground, space: Workspace, start: int, goal: int) -> int:
    """Number of steps on the way to the goal."""
    length, place = 0, goal
    while place != start:
        place -= ahead(ground, space.came[place])
        length += 1
    return length


@compiled
def steps_between(ground: Ground, place: int, other: int) -> int:
    """Minimum number of steps between two places."""
    rows = place // ground.stride - other // ground.stride
    return abs(rows) + abs(place - other - rows * ground.stride)


@compiled
def push(heap: Array, size: int, key: int) -> None:
    """Add a key to a heap of this size."""
    at = size
    while at > 0 and heap[(at - 1) // 2] > key:
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = key


@compiled
def pull(heap: Array, size: int) -> None:
    """Remove the lowest key from a heap, which then has this size."""
    key, at = heap[size], 0
    while 2 * at + 1 < size:
        child = 2 * at + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= key:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = key


class DangerFields(TimedAgent):
    """Keeps away from trails and edges: takes the safest way to the largest of the safest areas.

    Circles around all obstacles make cells dangerous, near ones more than far ones. It moves at speed 1. If no other
    player can reach its area, or time is short, it plays branch-and-bound with fixed priorities, or dont-hit.
    """

    name: ClassVar[str] = "speed.danger-fields"

    radius: int = param(5, "number of circles around each trail", low=1, high=9)
    inertia: float = param(0.5, "relative size by which another area must be larger to change the goal", low=0)
    fallback: str = param(
        BRANCH_AND_BOUND, "agent used when enclosed or short of time", choices=(BRANCH_AND_BOUND, DONT_HIT)
    )
    depth: int = param(30, "depth of branch-and-bound", low=1, high=MOST_DEPTH)
    nodes: int | None = param(None, "positions per move for branch-and-bound", low=1, high=MOST_COUNT)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self._instead: SpeedAgent = DontHit(layers=self.layers)
        if self.fallback == BRANCH_AND_BOUND:
            self._instead = BranchAndBound(depth=self.depth, order=FIXED, nodes=self.nodes, layers=self.layers)
        self._instead.begin(game, seat, seed)

    def _make_room(self) -> None:
        self._space = new_workspace(self._ground, self.radius)

    def choose(self, view: View, clock: Clock) -> Choice:
        until = self.until(clock, self.nodes)
        self.look(view)
        space, findings = self._space, self._space.findings
        space.watch[:] = new_watch(until)
        players = view.state.players
        others = np.flatnonzero((players[:, FELL] == 0) & (np.arange(len(players)) != view.seat))
        space.others[: len(others)] = [place_of(self._ground, *players[other, [X, Y]]) for other in others]
        if not plan(self._ground, space, self._head, len(others), self._now, self.inertia, self._rng):
            left = None if until >= FOREVER else max(0, until - time.monotonic_ns())
            instead = self._instead.choose(view, Clock(move=left))
            return Choice(instead.move, {"planned": 0, **instead.metrics})
        metrics = {
            "planned": 1,
            "danger": int(findings[DANGER]),
            "area": int(findings[AREA]),
            "length": int(findings[LENGTH]),
        }
        layers = {}
        if self.layers:
            heat = (board_of(self._ground, space.heat) - 1.0) / self.radius
            layers[HEAT] = heat * (view.state.cells == 0)
            begin, size = findings[[AREA_BEGIN, AREA]].tolist()
            layers[GOAL_AREA] = self._marked(space.area[begin : begin + size])
            layers[GOAL_CELL] = self._marked(findings[[GOAL]])
        path = space.path[: findings[LENGTH]].tolist()
        return self.answer(path[0], metrics, path, **layers)

    def _marked(self, places: Array) -> Array:
        """A layer that is 1 at these places."""
        layer = np.zeros(len(self._ground.cells))
        layer[places] = 1.0
        return board_of(self._ground, layer)
