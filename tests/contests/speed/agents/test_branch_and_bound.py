"""Branch and bound, held against every path there is on small boards."""

from typing import Any

import pytest

from contests.speed.drawn import after, drawn, paths
from ludus import Clock, View
from ludus.agents.agent import Choice
from ludus.agents.layers import unpack
from ludus.contests.speed.agents.branch_and_bound import BranchAndBound
from ludus.contests.speed.game import ACTIONS, CHANGE_NOTHING, FELL, NAMES, Speed, SpeedState

UNHURRIED = Clock(move=600 * 10**9)  # without any limit it would think for a second
SMALL = [
    drawn("1... .... 2...", "0,0,right,1", "0,2,right,1"),
    drawn("..2. .1.. 2..2", "1,1,up,1", "0,2,right,1"),
    drawn(".2.. 1... ..22", "0,1,down,2", "2,2,right,1", now=5),
    drawn("1.2..... 2.2..... 222..... ........", "0,0,right,1", "2,2,right,1", now=3),
]


def choice(state: SpeedState, clock: Clock = UNHURRIED, **parameters: Any) -> Choice:
    agent = BranchAndBound(**parameters)
    agent.begin(Speed(), 0, 1)
    before = state.cells.copy()
    found = agent.choose(View(state, 0), clock)
    assert (agent._ground.cells.reshape(-1, agent._ground.stride)[10:-10, :-10] == before).all()
    return found


@pytest.mark.parametrize("order", ["fixed", "random"])
@pytest.mark.parametrize("state", SMALL)
def test_longest_path_is_found(state: SpeedState, order: str) -> None:
    every = paths(state, 0)
    longest = max(map(len, every))
    found = choice(state, order=order, nodes=10**7)
    assert found.metrics["depth"] == min(30, longest)
    assert found.move in {path[0] for path in every if len(path) == longest}


@pytest.mark.parametrize("state", SMALL)
def test_first_path_of_full_depth_by_priorities_is_taken(state: SpeedState) -> None:
    order = [4, 1, 0, 2, 3]
    depth = 3
    full = [path[:depth] for path in paths(state, 0) if len(path) >= depth]
    found = choice(state, order="fixed", depth=depth)
    assert found.metrics["depth"] == (depth if full else max(map(len, paths(state, 0))))
    if full:
        assert found.move == min(full, key=lambda path: [order.index(action) for action in path])[0]


def test_dead_end_is_not_entered() -> None:
    state = drawn("........ 222222.. 1....2.. 222222.. ........", "0,2,right,1", "5,2,right,1")
    assert choice(state).metrics["depth"] <= 4
    state = drawn("........ ..2222.. .1...2.. ..2222.. ........", "1,2,right,1", "5,2,right,1")
    found = choice(state, order="fixed")
    assert NAMES[found.move] in ("turn_left", "turn_right")


CELL = " ".join(["....2" + "." * 15] * 4 + ["1...2" + "." * 15, "22222" + "." * 15, "." * 20])
"""Five rows to fill, and a wall that a jump of speed 3 crosses."""


def test_jump_out_of_a_small_cell_is_planned() -> None:
    wall, corridor = "2" * 30, "1......2" + "." * 22
    state = drawn(f"{wall} {corridor} {wall}", "0,1,right,1", "7,1,right,1", now=4)
    found = choice(state, depth=10, layers=True)
    assert found.metrics["depth"] == 10
    path = unpack(found.metrics["layers"]["path"])
    assert path[1, 7] == 0
    assert path[1, 8:].any()
    assert choice(state, depth=10, jumps=False).metrics["depth"] == 6


def test_path_is_survived_by_the_rules() -> None:
    state = drawn(CELL, "0,4,right,1", "4,4,right,1", now=2)
    agent = BranchAndBound(depth=40, nodes=10**6)
    agent.begin(Speed(), 0, 3)
    depth = agent.choose(View(state, 0), Clock()).metrics["depth"]
    assert depth == 40
    for action in agent._space.path.tolist():
        state = after(state, {0: action})
        assert state.players[0, FELL] == 0


def test_nodes_limit_a_search_and_its_result_is_repeated() -> None:
    state = drawn(" ".join(["." * 6] * 2 + ["1....."] + ["." * 6] * 2 + ["2....."]), "0,2,right,1", "0,5,right,1")
    limited = [choice(state, depth=1000, nodes=3000) for _ in range(2)]
    assert limited[0] == limited[1]
    assert limited[0].metrics["nodes"] == 3000
    assert choice(state, depth=1000, nodes=1, order="fixed").metrics == {"nodes": 1, "pruned": 0, "depth": 1}


@pytest.mark.parametrize("order", ["fixed", "random"])
def test_safe_move_is_found_without_time(order: str) -> None:
    state = drawn("..2.. ..12. ..... 2....", "2,1,right,1", "0,3,right,1")
    for _ in range(20):
        found = choice(state, Clock(move=0), order=order)
        assert (NAMES[found.move], found.metrics["nodes"]) == ("turn_right", 1)


def test_where_nothing_is_survived_it_changes_nothing() -> None:
    state = drawn("..2.. .212. ..2.. 2....", "2,1,right,1", "0,3,right,1")
    found = choice(state)
    assert found.move == CHANGE_NOTHING
    assert found.metrics == {"nodes": 0, "pruned": len(ACTIONS), "depth": 0}


def test_actions_left_out_of_the_priorities_are_never_taken() -> None:
    state = drawn("..... ..12. ..... 2....", "2,1,right,1", "0,3,right,1")
    found = choice(state, priorities="change_nothing-speed_up")
    assert found.metrics["depth"] == 0


def test_maze_after_the_first_action_does_not_take_all_the_time() -> None:
    beside = "2" + "." * 40
    rows = [*["." * 8 + beside] * 4, "....1..." + beside, "2222.222" + beside, *["." * 49] * 2]
    state = drawn(" ".join(rows), "4,4,right,1", "8,4,right,1")
    found = choice(state, order="fixed", jumps=False, depth=60, nodes=200_000)
    assert (NAMES[found.move], found.metrics["depth"]) == ("turn_right", 60)
