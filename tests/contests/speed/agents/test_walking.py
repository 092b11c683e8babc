"""Walking alone, held against the rules themselves."""

from collections import Counter

import numpy as np
import pytest

from contests.speed.drawn import after, drawn
from ludus.contests.speed.agents.walking import (
    FILLED,
    Ground,
    board_of,
    cell_of,
    drain,
    first_safe,
    flood,
    freedom,
    lay_out,
    new_ground,
    place_of,
    reachable,
    shuffle,
    stand,
    survives,
    trace,
    unwalk,
    walk,
)
from ludus.contests.speed.game import ACTIONS, CHANGE_NOTHING, FELL, TURN_LEFT, TURN_RIGHT, SpeedState, empty_board
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.state import Array


def ground_of(state: SpeedState) -> tuple[Ground, Array]:
    """The board laid out, and the head of the first player."""
    height, width = state.cells.shape
    ground, head = new_ground(width, height), np.zeros(3, np.int64)
    lay_out(state, ground)
    stand(state, 0, ground, head)
    return ground, head


def random_board(rng: Rng) -> SpeedState:
    """One player among scattered trails, at any speed and in any round."""
    width, height = 4 + below(rng, 20), 4 + below(rng, 20)
    x, y = below(rng, width), below(rng, height)
    state = empty_board(width, height, [(x, y, below(rng, 4), 1 + below(rng, 10), 0)])
    for _ in range(below(rng, 40)):
        state.cells[below(rng, height), below(rng, width)] = 2
    state.cells[y, x] = 1
    state.clock[0] = 1 + below(rng, 12)
    return state


def test_walks_are_what_the_rules_make_of_them_and_can_be_taken_back() -> None:
    rng, outcomes = new_rng("walks"), Counter[bool]()
    for _ in range(2000):
        state = random_board(rng)
        ground, head = ground_of(state)
        now, before, into = int(state.clock[0]), ground.cells.copy(), np.zeros(3, np.int64)
        for action in range(len(ACTIONS)):
            then = after(state, {0: action})
            lives = bool(then.players[0, FELL] == 0)
            outcomes[lives] += 1
            assert survives(ground, head, action, now) == lives
            assert walk(ground, head, action, now, 1, into) == lives
            if lives:
                expected, there = ground_of(then)
                assert into.tolist() == there.tolist()
                assert (ground.cells == expected.cells).all()
                unwalk(ground, into, now)
            assert (ground.cells == before).all()
    assert min(outcomes.values()) > 1000


def test_walk_may_move_the_head_itself() -> None:
    ground, head = ground_of(drawn("1... .... 2...", "0,0,right,1", "0,2,right,1"))
    assert walk(ground, head, CHANGE_NOTHING, 1, 1, head)
    assert walk(ground, head, TURN_RIGHT, 2, 1, head)
    assert not walk(ground, head, TURN_LEFT + 2, 3, 1, head)  # slower than 1
    assert cell_of(ground, head[0]) == (1, 1)
    assert board_of(ground, ground.cells).tolist() == [[1, 1, 0, 0], [0, 1, 0, 0], [2, 0, 0, 0]]


def test_freedom_is_the_number_of_actions_survived() -> None:
    ground, head = ground_of(drawn("1... .... 2...", "0,0,right,1", "0,2,right,1"))
    assert freedom(ground, head, 1) == 3  # right, faster, down
    ground, head = ground_of(drawn("12.. 2... ....", "0,0,right,1", "1,0,right,1"))
    assert freedom(ground, head, 1) == 0


def test_first_safe_goes_by_the_order() -> None:
    ground, head = ground_of(drawn("1... .... 2...", "0,0,right,1", "0,2,right,1"))
    order = np.array([TURN_LEFT, TURN_RIGHT, CHANGE_NOTHING])
    assert first_safe(ground, head, 1, order, 3) == TURN_RIGHT
    assert first_safe(ground, head, 1, order, 1) == -1


def neighbours_first(cells: Array, start: tuple[int, int]) -> set[tuple[int, int]]:
    """The empty cells that can be reached, as (x, y)."""
    height, width = cells.shape
    seen: set[tuple[int, int]] = set()
    pending = [start]
    while pending:
        x, y = pending.pop()
        for there in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            inside = 0 <= there[0] < width and 0 <= there[1] < height
            if inside and there not in seen and cells[there[1], there[0]] == 0:
                seen.add(there)
                pending.append(there)
    return seen


def test_flood_reaches_what_can_be_walked_to_and_drains_again() -> None:
    rng = new_rng("floods")
    for _ in range(300):
        state = random_board(rng)
        for _ in range(60):
            state.cells[below(rng, len(state.cells)), below(rng, state.cells.shape[1])] = 2
        ground, head = ground_of(state)
        before, queue = ground.cells.copy(), np.zeros(len(ground.cells), np.int32)
        x, y, *_ = state.players[0].tolist()
        expected = neighbours_first(state.cells, (x, y))
        n = flood(ground, head[0], queue)
        assert {cell_of(ground, int(place)) for place in queue[:n]} == expected
        assert n == len(expected)
        assert np.count_nonzero(ground.cells == FILLED) == n
        drain(ground, queue, n)
        assert (ground.cells == before).all()
        assert reachable(ground, head[0], queue) == n
        assert (ground.cells == before).all()


def test_flood_from_an_empty_cell_counts_it() -> None:
    ground, _ = ground_of(drawn("1... 1... 2...", "0,0,right,1", "0,2,right,1"))
    queue = np.zeros(len(ground.cells), np.int32)
    assert reachable(ground, place_of(ground, 2, 1), queue) == 9
    assert queue[0] == place_of(ground, 2, 1)


@pytest.mark.parametrize(
    ("actions", "cells"),
    [
        ([4], [(1, 0), (2, 0), (3, 0)]),
        ([3, 1], [(1, 0), (2, 0), (3, 0), (4, 0), (4, 1), (4, 4)]),  # the second one jumps
        ([2, 2, 2, 4], [(1, 0), (2, 0), (3, 0)]),  # slower than 1 nobody moves
    ],
)
def test_trace_gives_the_cells_that_are_touched(actions: list[int], cells: list[tuple[int, int]]) -> None:
    row = "." * 12
    ground, head = ground_of(drawn(f"1{row[1:]} {row} {row} 2{row[1:]} {row}", "0,0,right,3", "0,3,right,1"))
    out = np.zeros(100, np.int64)
    n = trace(ground, head, np.array(actions, np.int64), 5, out)
    assert [cell_of(ground, int(place)) for place in out[:n]] == cells


def test_shuffling_gives_every_order_equally_often() -> None:
    rng, seen = new_rng("orders"), Counter[tuple[int, ...]]()
    for _ in range(6000):
        order = np.arange(4)
        shuffle(order, 3, rng)
        seen[tuple(order.tolist())] += 1
    assert len(seen) == 6
    assert all(order[3] == 3 for order in seen)
    assert max(abs(count - 1000) for count in seen.values()) < 5 * 1000**0.5
