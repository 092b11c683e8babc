import numpy as np
import pytest

from contests.speed.drawn import after, drawn
from ludus.contests.speed.agents.escaping import look_around, new_escape
from ludus.contests.speed.agents.filling import most_cells, new_filling
from ludus.contests.speed.agents.leaving import BEHIND, MOVES, RUN, Leaving, most_moves, new_leaving, plan_to_leave
from ludus.contests.speed.agents.walking import Ground, ahead, lay_out, new_ground, place_of, stand
from ludus.contests.speed.game import (
    CHANGE_NOTHING,
    DOWN,
    FELL,
    JUMP_EVERY,
    SPEED_UP,
    TURN_LEFT,
    TURN_RIGHT,
    SpeedState,
)
from ludus.kernel.rng import new_rng

ROOM = "1............*\n" + ".............*\n" * 6 + "**************\n" + "..............\n" * 8 + "*************2"


def planned(state: SpeedState, tries: int) -> tuple[Ground, Leaving, int]:
    height, width = state.cells.shape
    ground, heads = new_ground(width, height), np.zeros((len(state.players), 3), np.int64)
    lay_out(state, ground)
    for player in range(len(heads)):
        stand(state, player, ground, heads[player])
    escape, leaving = new_escape(len(ground.cells)), new_leaving(len(ground.cells))
    filling = new_filling(len(ground.cells))
    look_around(ground, escape, heads, 0)
    cells, now = ground.cells.copy(), int(state.clock[0])
    total = plan_to_leave(ground, escape, leaving, filling, heads[0], now, tries, new_rng(1))
    np.testing.assert_array_equal(ground.cells, cells)
    assert (filling.numbers == -1).all()
    return ground, leaving, total


def actions(ground: Ground, leaving: Leaving, heading: int) -> list[int]:
    found = []
    for step in np.diff(leaving.plan[: leaving.facts[MOVES] + 1]).tolist():
        turned = next(turn for turn in range(4) if ahead(ground, turn) == step)
        found.append({0: CHANGE_NOTHING, 1: TURN_RIGHT, 3: TURN_LEFT}[(turned - heading) % 4])
        heading = turned
    return [*found, *[SPEED_UP] * int(leaving.facts[RUN])]


@pytest.mark.parametrize("now", range(1, 7))
def test_a_plan_fills_the_room_and_ends_behind_the_wall(now: int) -> None:
    state = drawn(ROOM, "0,0,right,1", "13,16,left,1", now=now)
    ground, leaving, total = planned(state, 300)
    assert leaving.facts[MOVES] > 0.7 * 7 * 13
    assert total == leaving.facts[MOVES] + leaving.facts[BEHIND]
    for action in actions(ground, leaving, int(state.players[0, 2])):
        state = after(state, {0: action})
        assert state.players[0, FELL] == 0
    assert state.players[0, 1] > 7


def test_a_room_without_exits_has_no_plan() -> None:
    closed = "1....**...\n.....**...\n*******...\n*******..2"
    _, leaving, total = planned(drawn(closed, "0,0,right,1", "9,3,up,1"), 100)
    assert (total, leaving.facts[BEHIND]) == (0, 0)


def test_a_plan_holds_until_it_is_crossed() -> None:
    state = drawn(ROOM, "0,0,right,1", "13,16,left,1")
    ground, leaving, _ = planned(state, 100)
    moves = int(leaving.facts[MOVES])
    escape, filling = new_escape(len(ground.cells)), new_filling(len(ground.cells))
    first = actions(ground, leaving, 1)[0]
    state = after(state, {0: first})
    head, heads = np.zeros(3, np.int64), np.zeros((2, 3), np.int64)
    lay_out(state, ground)
    stand(state, 0, ground, head)
    heads[0] = head
    look_around(ground, escape, heads, 0)
    again = plan_to_leave(ground, escape, leaving, filling, head, int(state.clock[0]), 0, new_rng(1))
    assert (leaving.facts[MOVES], again) == (moves - 1, moves - 1 + leaving.facts[BEHIND])
    ground.cells[leaving.plan[5]] = 2
    assert plan_to_leave(ground, escape, leaving, filling, head, int(state.clock[0]), 0, new_rng(1)) == 0


@pytest.mark.parametrize(("looks", "worth"), [("down", 56), ("right", 0)])
def test_at_its_door_a_plan_holds_only_for_who_looks_at_the_wall(looks: str, worth: int) -> None:
    rows = ROOM.replace("1", ".").split()
    rows[3] = ".....1.......*"
    state = drawn("\n".join(rows), f"5,3,{looks},1", "13,16,left,1", now=5)
    ground, heads = new_ground(14, 17), np.zeros((2, 3), np.int64)
    lay_out(state, ground)
    for player in range(2):
        stand(state, player, ground, heads[player])
    size = len(ground.cells)
    escape, leaving, filling = new_escape(size), new_leaving(size), new_filling(size)
    detour = [(4, 3), (4, 2), (4, 1), (4, 0), (5, 0), (5, 1), (5, 2), (5, 3)]
    leaving.plan[: len(detour)] = [place_of(ground, x, y) for x, y in detour]
    leaving.facts[MOVES], leaving.facts[RUN], leaving.facts[BEHIND] = len(detour) - 1, 2, 56
    leaving.last[:] = place_of(ground, 5, 3), DOWN, 3, 56, 0
    look_around(ground, escape, heads, 0)
    assert plan_to_leave(ground, escape, leaving, filling, heads[0], 5, 0, new_rng(1)) == worth


def lengths(ground: Ground, place: int, goal: int, so_far: int = 0) -> set[int]:
    """The numbers of moves from a place to another, over all possible ways."""
    if place == goal:
        return {so_far}
    found = set()
    for heading in range(4):
        there = place + ahead(ground, heading)
        if ground.cells[there] == 0:
            ground.cells[there] = 9
            found |= lengths(ground, there, goal, so_far + 1)
            ground.cells[there] = 0
    return found


@pytest.mark.parametrize("now", range(1, 7))
def test_no_way_to_a_door_has_more_moves_than_is_thought_possible(now: int) -> None:
    state = drawn("1...\n" + "....\n" * 4 + "****\n....\n...2", "0,0,right,1", "3,7,left,1", now=now)
    ground, speed, start = new_ground(4, 8), 3, (0, 0)
    lay_out(state, ground)
    most = most_cells(ground, place_of(ground, *start), np.zeros(len(ground.cells), np.int32))
    known = []
    for x in range(4):
        door = np.array([place_of(ground, x, 1), DOWN, speed, 0, 0])
        for y in range(2, 5):
            ground.cells[place_of(ground, x, y)] = 9  # for the run
        ways = lengths(ground, place_of(ground, *start), int(door[0]))
        for y in range(2, 5):
            ground.cells[place_of(ground, x, y)] = 0
        in_time = {moves for moves in ways if (now + moves + speed - 2) % JUMP_EVERY == 0}
        known.append((max(in_time, default=-1), most_moves(ground, door, place_of(ground, *start), now, most)))
    assert all(longest <= thought for longest, thought in known)
    assert [thought < 0 for _, thought in known] in ([False, True] * 2, [True, False] * 2)


# One way leads to a small room behind a wall, 16 moves off, the other to one twice as large, 4 moves off.
FORK = "\n".join(
    "." * 10 + ("*......." + "1" + "." * 19 + "*" if row == 2 else "*" * 29) + ("." if row in (1, 2, 3) else "*") * 10
    for row in range(6)
)


def test_moves_on_the_way_weigh_more_than_cells_behind_the_wall() -> None:
    rows = FORK.splitlines()
    state = drawn("\n".join([*rows[:-1], rows[-1][:-1] + "2"]), "18,2,up,1", "48,5,up,1", now=1)
    _, leaving, total = planned(state, 200)
    assert (leaving.facts[MOVES], leaving.facts[BEHIND], total) == (16, 30, 46)


def test_the_search_ends_when_no_door_can_lead_to_more() -> None:
    state = drawn("1.......*" + "." * 30 + "\n2" + "*" * 38, "0,0,right,1", "0,1,down,1", now=1)
    _, _, total = planned(state, 10**12)  # which would take days
    assert total == 4 + 30
