"""Danger fields: heat, goals and ways, held against slow and simple versions."""

import heapq
from typing import Any

import numpy as np
import pytest

from contests.speed.drawn import after, drawn
from ludus import Clock, View
from ludus.agents.agent import Choice
from ludus.agents.layers import unpack
from ludus.contests.speed.agents.danger_fields import AREA, DANGER, GOAL, LENGTH, DangerFields
from ludus.contests.speed.agents.walking import board_of, cell_of
from ludus.contests.speed.game import FELL, NAMES, Speed, SpeedState, X, Y, empty_board
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.state import Array

Cell = tuple[int, int]
UNHURRIED = Clock(move=600 * 10**9)  # without any limit it would think for a second


def asked(state: SpeedState, clock: Clock = UNHURRIED, **parameters: Any) -> tuple[DangerFields, Choice]:
    agent = DangerFields(**parameters)
    agent.begin(Speed(players=len(state.players)), 0, 1)
    return agent, agent.choose(View(state, 0), clock)


def scattered(rng: Rng) -> SpeedState:
    """Two players in the round after the first among scattered trails."""
    width, height = 8 + below(rng, 20), 8 + below(rng, 20)
    players = [(1, 1, 1, 1, 0), (width - 2, height - 2, 3, 1, 0)]
    state = empty_board(width, height, players)
    for _ in range(below(rng, 60)):
        state.cells[below(rng, height), below(rng, width)] = 2
    for number, (x, y, *_) in enumerate(players, 1):
        state.cells[y, x] = number
    state.cells[1, 0] = 1
    return state


def danger(state: SpeedState, radius: int) -> Array:
    """The cost of entering a cell: 1, or more by the distance to the nearest trail or edge."""
    rows, columns = (np.argwhere(np.pad(state.cells, 1, constant_values=9)) - 1).T
    height, width = state.cells.shape
    across, down = np.arange(width)[:, None] - columns, np.arange(height)[:, None] - rows
    nearest = np.ceil(np.hypot(across[None], down[:, None]).min(axis=2))
    return np.maximum(1, radius + 2 - nearest.astype(np.int64))


def beside(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]


def cheapest(state: SpeedState, heat: Array, goal: Cell) -> int:
    """The cost of the cheapest way of the first player to a cell."""
    height, width = state.cells.shape
    start = (int(state.players[0, X]), int(state.players[0, Y]))
    best, pending = {start: 0}, [(0, start)]
    while pending:
        cost, cell = heapq.heappop(pending)
        if cell == goal:
            return cost
        for x, y in beside(cell):
            if 0 <= x < width and 0 <= y < height and state.cells[y, x] == 0:
                there = cost + int(heat[y, x])
                if there < best.get((x, y), 10**9):
                    best[x, y] = there
                    heapq.heappush(pending, (there, (x, y)))
    raise AssertionError("there is no way")


@pytest.mark.parametrize("radius", [1, 5, 9])
def test_heat_ways_and_goals_agree_with_simple_versions(radius: int) -> None:
    rng, planned = new_rng("danger", radius), 0
    for _ in range(30):
        state = scattered(rng)
        agent, choice = asked(state, radius=radius, depth=5)
        if not choice.metrics["planned"]:
            continue
        planned += 1
        findings, ground = agent._space.findings, agent._ground
        heat = danger(state, radius)
        free = state.cells == 0
        assert (board_of(ground, agent._space.heat)[free] == heat[free]).all()
        goal = cell_of(ground, int(findings[GOAL]))
        assert heat[goal[1], goal[0]] == findings[DANGER]
        cost, then = 0, state
        for action in agent._space.path[: findings[LENGTH]].tolist():
            then = after(then, {0: action})
            assert then.players[0, FELL] == 0
            cost += heat[then.players[0, Y], then.players[0, X]]
        assert (then.players[0, X], then.players[0, Y]) == goal
        assert cost == cheapest(state, heat, goal)
    assert planned > 10


def test_goal_lies_in_the_largest_of_the_safest_areas() -> None:
    wall = "." * 15 + "2" + "." * 40
    rows = [wall] * 7 + ["1" + wall[1:]] + [wall] * 7 + ["." * 56]
    agent, choice = asked(drawn(" ".join(rows), "0,7,right,1", "15,14,down,1"), radius=3)
    assert choice.metrics["danger"] == 1
    assert cell_of(agent._ground, int(agent._space.findings[GOAL]))[0] > 15
    assert choice.metrics["area"] == agent._space.findings[AREA] > 100


def two_areas(left: int, right: int) -> SpeedState:
    """Two areas of these widths beside each other, and the way to both in the middle below."""
    line = "." * left + "2" + "." * right
    rows = [line] * 9 + ["." * len(line)] * 2
    head = left
    rows[-1] = rows[-1][:head] + "1" + rows[-1][head + 1 :]
    return drawn(" ".join(rows), f"{head},{len(rows) - 1},up,1", f"{left},8,up,1")


def test_goal_stays_until_another_area_is_larger_by_the_inertia() -> None:
    for inertia, leaves in ((0.0, True), (0.5, False)):
        agent, _ = asked(two_areas(15, 13), radius=2, inertia=inertia)
        goal = cell_of(agent._ground, int(agent._space.findings[GOAL]))
        assert goal[0] < 15
        agent.choose(View(two_areas(15, 13), 0), UNHURRIED)
        assert cell_of(agent._ground, int(agent._space.findings[GOAL])) == goal
        smaller = two_areas(15, 13)
        smaller.cells[:3, :15] = 2
        smaller.cells[goal[1], goal[0]] = 0
        agent.choose(View(smaller, 0), UNHURRIED)
        now = cell_of(agent._ground, int(agent._space.findings[GOAL]))
        assert (now[0] > 15) == leaves


@pytest.mark.parametrize(("fallback", "metric"), [("branch-and-bound", "depth"), ("dont-hit", "trapped")])
def test_where_nobody_else_can_come_it_plays_something_else(fallback: str, metric: str) -> None:
    state = drawn("....2... ....2... 1...2... 22222... .......2", "0,2,right,1", "7,4,up,1")
    _, choice = asked(state, fallback=fallback, depth=5)
    assert choice.metrics["planned"] == 0
    assert metric in choice.metrics
    state.cells[0, 4] = 0
    _, choice = asked(state, fallback=fallback, depth=5)
    assert choice.metrics["planned"] == 1


def test_the_dead_do_not_count_as_others() -> None:
    rows = " ".join(["." * 20] * 4 + ["1" + "." * 18 + "2"] + ["." * 20] * 4)
    state = drawn(rows, "0,4,right,1", "19,4,left,1")
    assert asked(state)[1].metrics["planned"] == 1
    state.players[1, FELL] = 1
    assert asked(state, depth=5)[1].metrics["planned"] == 0


def test_out_of_time_it_plays_something_else_that_is_safe() -> None:
    state = drawn("..2..... ..12.... ........ 2.......", "2,1,right,1", "0,3,right,1")
    for fallback in ("branch-and-bound", "dont-hit"):
        _, choice = asked(state, Clock(move=0), fallback=fallback)
        assert choice.metrics["planned"] == 0
        assert NAMES[choice.move] == "turn_right"


def test_it_comes_down_to_speed_one() -> None:
    rows = " ".join(["." * 20] * 4 + ["1" + "." * 18 + "2"] + ["." * 20] * 4)
    _, choice = asked(drawn(rows, "0,4,right,3", "19,4,left,1"))
    assert (NAMES[choice.move], choice.metrics["planned"]) == ("slow_down", 1)


def test_it_never_turns_back_on_itself() -> None:
    rows = " ".join(["." * 40] * 10 + ["." * 36 + "1..2"] + ["." * 40] * 10)
    _, choice = asked(drawn(rows, "36,10,right,1", "39,10,up,1"))
    assert choice.metrics["planned"] == 1
    assert NAMES[choice.move] in ("turn_left", "turn_right", "change_nothing")


def test_layers_show_danger_and_the_way() -> None:
    rows = " ".join(["." * 20] * 4 + ["1" + "." * 18 + "2"] + ["." * 20] * 9)
    _, choice = asked(drawn(rows, "0,4,right,1", "19,4,left,1"), layers=True, radius=3)
    heat, path = (unpack(choice.metrics["layers"][name]) for name in ("heat", "path"))
    assert heat.shape == path.shape == (14, 20)
    assert heat[0, 0] == 1.0
    assert heat[9, 10] == 0.0
    assert heat[4, 0] == 0.0  # a trail is not a cell to go to
    assert np.count_nonzero(path) == choice.metrics["length"]


def test_layers_show_the_goal_and_its_area() -> None:
    rows = " ".join(["." * 20] * 4 + ["1" + "." * 18 + "2"] + ["." * 20] * 9)
    _, choice = asked(drawn(rows, "0,4,right,1", "19,4,left,1"), layers=True, radius=3)
    heat, path, goal, area = (unpack(choice.metrics["layers"][name]) for name in ("heat", "path", "goal", "goal-area"))
    (place,) = np.argwhere(goal)
    assert area[tuple(place)] == 1.0
    assert path[tuple(place)] > 0, "the way leads there"
    assert np.count_nonzero(area) == choice.metrics["area"]
    free = heat.copy()
    free[4, [0, 19]] = 1.0
    assert (free[area > 0] == free.min()).all(), "it is the safest area"
