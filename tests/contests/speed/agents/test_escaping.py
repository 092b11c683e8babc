import numpy as np
import pytest

from contests.speed.drawn import after, drawn
from ludus.contests.speed.agents.escaping import Escape, find_escape, look_around, new_escape
from ludus.contests.speed.agents.walking import Ground, lay_out, new_ground, stand
from ludus.contests.speed.game import FELL, SPEED_UP, SpeedState
from ludus.kernel.deadline import FOREVER, new_watch
from ludus.kernel.state import Array

# Player 1 has a strip of twelve cells to itself; behind a wall there is more room.
STRIP = """
1............*
.............*
**************
..............
..............
..............
..............
..............
*************2
"""
ENCLOSED = ("0,0,right,1", "13,8,left,1")


def laid_out(state: SpeedState) -> tuple[Ground, Escape, Array]:
    height, width = state.cells.shape
    ground, heads = new_ground(width, height), np.zeros((len(state.players), 3), np.int64)
    lay_out(state, ground)
    for player in range(len(heads)):
        stand(state, player, ground, heads[player])
    return ground, new_escape(len(ground.cells)), heads


def found(state: SpeedState) -> tuple[int, list[int]]:
    ground, escape, heads = laid_out(state)
    cells = ground.cells.copy()
    look_around(ground, escape, heads, 0)
    size = find_escape(ground, escape, heads[0], int(state.clock[0]), 1, new_watch(FOREVER))
    np.testing.assert_array_equal(ground.cells, cells)
    return size, escape.best[1 : escape.best[0] + 1].tolist()


def test_spaces_are_measured() -> None:
    ground, escape, heads = laid_out(drawn(STRIP, *ENCLOSED))
    assert look_around(ground, escape, heads, 0) == 25
    # The hall below has another player in it, who will take its share.
    assert sorted(escape.sizes[1:3].tolist()) == [0, 35]


def test_spaces_of_an_earlier_round_are_forgotten() -> None:
    ground, escape, heads = laid_out(drawn(STRIP, *ENCLOSED))
    look_around(ground, escape, heads, 0)
    full, _, heads = laid_out(drawn(STRIP.replace(".", "*"), *ENCLOSED))
    assert look_around(full, escape, heads, 0) == 0
    assert escape.sizes.max() == 0


def test_a_shared_space_is_no_enclosure() -> None:
    ground, escape, heads = laid_out(drawn("1..*\n...2", "0,0,right,1", "3,1,left,1"))
    assert look_around(ground, escape, heads, 0) == -1


@pytest.mark.parametrize("now", [1, 2, 3, 6])
def test_a_way_out_is_survived(now: int) -> None:
    walled = (
        "1............*\n" + ".............*\n" * 5 + "**************\n" + "..............\n" * 8 + "*************2"
    )
    state = drawn(walled, "0,0,right,1", "13,15,left,1", now=now)
    size, moves = found(state)
    assert size > 0
    for move in moves:
        state = after(state, {0: move})
        assert state.players[0, FELL] == 0
    assert state.players[0, 1] > 6
    assert state.clock[0] % 6 == 1


def test_without_a_run_there_is_no_way_out() -> None:
    assert found(drawn("1.*...\n..*...\n***...\n.....2", "0,0,right,1", "5,3,up,1")) == (0, [])


def test_a_jump_into_a_small_space_is_not_one_into_a_trap() -> None:
    # Behind the wall is one cell: a player that lands there cannot slow down.
    assert found(drawn("1......*.*\n********.2", "0,0,right,1", "9,1,up,1", now=3))[0] == 0


ROOM = "...........\n.....1.....\n" + "...........\n" * 6
FAST = ("5,7,up,2", "10,35,up,1")  # and in the next round it may jump over the wall above


def test_a_larger_space_is_better_than_a_nearer_one() -> None:
    small, large = "...........\n" * 5, "...........\n" * 20
    rows = f"{small}***********\n{ROOM}***********\n{large}**********2"
    state = drawn(rows, *FAST, now=6)
    size, moves = found(state)
    assert size > 55
    assert len(moves) == 7


def test_a_jump_is_worth_what_can_be_reached_after_it() -> None:
    # Up the wall is a shaft with an opening at its side, which is passed before one can be slow enough to turn.
    above = "....*.*****\n....*.*****\n...**.*****\n......*****\n****..*****\n"
    rows = f"{above}***********\n{ROOM}" + "***********\n" * 21 + "**********2"
    assert found(drawn(rows, *FAST, now=6)) == (2, [SPEED_UP])
