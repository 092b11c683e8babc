import numpy as np
import pytest

from contests.speed.drawn import after, drawn
from ludus.contests.speed.agents.duel import (
    BOTH_LOST,
    DEPTH,
    FIRST_MOVE,
    LOST,
    ME,
    NODE_LIMIT,
    NODES,
    NOW,
    OPTIONS,
    RIVAL,
    SEARCHED,
    STOPPED,
    TOP_PACE,
    Duel,
    decide,
    new_duel,
)
from ludus.contests.speed.agents.voronoi import new_field, survey
from ludus.contests.speed.agents.walking import lay_out, new_ground, stand
from ludus.contests.speed.game import CHANGE_NOTHING, FELL, SPEED_UP, TURN_LEFT, TURN_RIGHT, SpeedState


def decided(
    state: SpeedState, depth: int, rival: int = 1, nodes: int = 10**9, top: int = 10, caution: float = 1.0
) -> tuple[int, Duel]:
    height, width = state.cells.shape
    players = len(state.players)
    ground, field, duel = new_ground(width, height), new_field(width, height, players), new_duel(players)
    lay_out(state, ground)
    for player in range(players):
        if state.players[player, FELL] == 0:
            stand(state, player, ground, duel.heads[0, player])
    survey(ground, field)
    cells, free = ground.cells.copy(), field.free.copy()
    options = np.zeros(OPTIONS, np.int64)
    options[ME], options[RIVAL], options[DEPTH], options[NODE_LIMIT] = 0, rival, depth, nodes
    options[NOW], options[FIRST_MOVE], options[TOP_PACE] = state.clock[0], -1, top
    best = decide(ground, field, duel, options, caution)
    np.testing.assert_array_equal(ground.cells, cells)
    np.testing.assert_array_equal(field.free, free)
    return (int(duel.moves[0, 0, best]) if best >= 0 else -1), duel


def lives(state: SpeedState, rounds: int) -> bool:
    """True if player 1 has moves with which it survives this many rounds, whatever player 2 does."""
    if rounds == 0:
        return True
    for mine in range(5):
        then = [after(state, {0: mine, 1: theirs}) for theirs in range(5)]
        if all(one.players[0, FELL] == 0 and (one.players[1, FELL] or lives(one, rounds - 1)) for one in then):
            return True
    return False


NARROW = [
    drawn("1....\n.....\n.**..\n....2", "0,0,right,1", "4,3,left,1"),
    drawn("..1..\n.....\n..2..", "2,0,down,1", "2,2,up,1"),
    drawn("1.*..\n..*2.\n.....", "0,0,down,1", "3,1,down,1", now=5),
    drawn("1.*..\n***..\n....2", "0,0,right,1", "4,2,up,1"),
]


@pytest.mark.parametrize("state", NARROW)
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_careful_player_lives_if_it_can(state: SpeedState, depth: int) -> None:
    move, duel = decided(state, depth)
    worst = duel.values[: duel.counts[SEARCHED]].max(initial=LOST)
    if worst < -1.0:
        assert not lives(state, depth)
    if worst > BOTH_LOST:
        assert lives(state, depth)
        for theirs in range(5):
            then = after(state, {0: move, 1: theirs})
            assert then.players[0, FELL] == 0


def test_it_turns_to_the_larger_side() -> None:
    state = drawn("...1..........\n..............\n**************\n.............2", "3,0,down,1", "13,3,left,1")
    assert decided(state, 2)[0] == TURN_LEFT


def test_it_goes_no_faster_than_it_may() -> None:
    state = drawn("1" + "." * 39 + "\n" + "." * 39 + "2", "0,0,right,2", "39,1,left,2")
    moves = {top: set(decided(state, 1, top=top)[1].moves[0, 0].tolist()) for top in (2, 3)}
    assert SPEED_UP not in moves[2]
    assert SPEED_UP in moves[3]


def test_others_than_the_rival_are_given_way() -> None:
    # Player 3 may take the cell ahead; player 2 is far away.
    state = drawn("........\n.1.3....\n........\n.......2", "1,1,right,1", "7,3,left,1", "3,1,left,1")
    _, duel = decided(state, 1)
    assert duel.handicap[CHANGE_NOTHING] < 0
    assert duel.handicap[TURN_LEFT] == duel.handicap[TURN_RIGHT] == 0


def test_nodes_are_a_limit() -> None:
    state = NARROW[0]
    every = int(decided(state, 3)[1].counts[NODES])
    move, duel = decided(state, 3, nodes=every // 2)
    assert duel.counts[STOPPED]
    assert duel.counts[NODES] <= every // 2 + 1
    assert move >= 0
    assert decided(state, 3, nodes=0)[0] == -1


def test_alone_nobody_else_moves() -> None:
    move, duel = decided(drawn("1..\n...\n***\n..2", "0,0,right,1", "2,3,left,1"), 5, rival=-1)
    assert move == CHANGE_NOTHING
    assert duel.lines[0, 0, 0] == 5
