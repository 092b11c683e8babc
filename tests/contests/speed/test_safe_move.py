import numpy as np
import pytest

from contests.speed.scripted_server import board
from ludus.contests.speed.game import CHANGE_NOTHING, FELL, SLOW_DOWN, SPEED, TURN_LEFT, TURN_RIGHT
from ludus.contests.speed.server import SpeedContest
from ludus.kernel.rules import duplicate


@pytest.mark.parametrize(
    ("x", "y", "direction", "speed", "move"),
    [
        (4, 4, "right", 1, CHANGE_NOTHING),
        (8, 4, "right", 1, TURN_LEFT),
        (8, 0, "right", 1, TURN_RIGHT),
        (6, 0, "right", 3, TURN_RIGHT),
    ],
)
def test_a_safe_move_is_one_that_is_survived(x: int, y: int, direction: str, speed: int, move: int) -> None:
    state = board(9, 9, (0, 8, "up"), (2, 8, "up"), (x, y, direction))
    state.players[0, FELL] = 1  # who is out makes no move
    state.players[2, SPEED] = speed
    assert SpeedContest().safe_move(state, 2) == move


def test_slower_may_be_all_that_is_safe_and_a_state_is_left_as_it_is() -> None:
    state = board(9, 9, (0, 8, "up"), (5, 0, "right"))
    state.players[1, SPEED] = 4
    state.cells[1, 5] = 1
    before = duplicate(state)
    assert SpeedContest().safe_move(state, 1) == SLOW_DOWN
    assert all(np.array_equal(*fields) for fields in zip(before, state, strict=True))


def test_where_nothing_is_safe_nothing_is_changed() -> None:
    state = board(9, 9, (0, 8, "up"), (8, 0, "right"))
    state.cells[1, 8] = 1
    assert SpeedContest().safe_move(state, 1) == CHANGE_NOTHING
