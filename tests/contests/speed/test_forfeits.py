"""spe_ed under the referee: a player without a valid answer is out, and the others continue."""

from typing import Any

import pytest

from contests.speed.positions import game_of, head, living
from ludus.contests.speed.game import ACTIONS, ANSWERED_TWICE
from ludus.episode.cost import Cost
from ludus.episode.limits import Limits, Policy
from ludus.episode.record import Ending, Fault, Opening, Record, Seat
from ludus.episode.referee import Referee
from ludus.episode.request import Answer

MS = 1_000_000
CALM = "1........./........../2........./........../3......... r 1 0,0,right,1 0,2,right,1 0,4,right,1"


def begun(**limits: Any) -> Referee:
    game = game_of(3)
    seats = [Seat("test", f"player {seat}") for seat in range(3)]
    referee = Referee(game, seats, limits=Limits(**limits), opening=Opening(CALM))
    referee.begin()
    return referee


def answer_all(referee: Referee, move: int = ACTIONS.index("change_nothing")) -> None:
    for request in referee.requests():
        referee.answer(request.seat, Answer(move))


def asked(referee: Referee) -> list[int]:
    return [request.seat for request in referee.requests()]


def finish(referee: Referee) -> Record:
    while asked(referee):
        answer_all(referee)
    return referee.record


def faulty(referee: Referee, fault: str) -> None:
    """Let the first player be at fault, and the others go straight on."""
    if fault == "late":
        referee.answer(0, Answer(4, cost=Cost(wall=500 * MS)))
    elif fault == "illegal":
        referee.answer(0, Answer(5))
    elif fault == "nonsense":
        referee.answer(0, Answer("turn_left"))
    else:
        referee.answer(0, Answer(None, fault=Fault.FAILED, evidence="broke"))
    answer_all(referee)


@pytest.mark.parametrize("fault", ["late", "illegal", "nonsense", "failed"])
def test_player_at_fault_is_out_and_the_others_go_on(fault: str) -> None:
    referee = begun(move=100 * MS)
    faulty(referee, fault)
    assert asked(referee) == [1, 2]
    state = referee.state
    assert head(state, 0) == (0, 0, "right", 1)
    assert living(state) == [1, 2]
    record = finish(referee)
    assert record.steps[0][0].move == "no_answer"
    assert record.steps[0][0].fault == ("illegal" if fault == "nonsense" else fault)
    assert record.ending is Ending.RULES
    assert record.scores == [-1.0, 0.5, 0.5]


def test_fault_of_the_last_but_one_ends_the_game_by_the_rules() -> None:
    referee = begun(move=100 * MS)
    referee.answer(0, Answer(4, cost=Cost(wall=500 * MS)))
    referee.answer(1, Answer(99))
    referee.answer(2, Answer(4))
    record = referee.record
    assert [move.move for move in record.steps[0]] == ["no_answer", "no_answer", "change_nothing"]
    assert record.ending is Ending.RULES
    assert record.scores == pytest.approx([-0.5, -0.5, 1.0])


def test_answer_given_twice_shows_in_the_record() -> None:
    referee = begun()
    twice = ANSWERED_TWICE + ACTIONS.index("turn_right")
    referee.answer(0, Answer(twice, fault=Fault.ILLEGAL, evidence="answered twice"))
    answer_all(referee)
    assert head(referee.state, 0) == (0, 0, "down", 1)
    assert finish(referee).steps[0][0].move == "turn_right_void"


@pytest.mark.parametrize("fault", ["late", "illegal", "nonsense", "failed"])
def test_under_the_policy_random_a_fault_costs_a_random_move_only(fault: str) -> None:
    referee = begun(move=100 * MS, policy=Policy.RANDOM)
    faulty(referee, fault)
    first = finish(referee).steps[0][0]
    assert first.move in ACTIONS
    assert first.fault is not None


def test_under_the_policy_soft_only_the_hard_limit_puts_a_player_out() -> None:
    referee = begun(move=100 * MS, hard=1000 * MS, policy=Policy.SOFT)
    faulty(referee, "late")
    soft = finish(referee).steps[0][0]
    assert (soft.fault, soft.move in ACTIONS) == (Fault.LATE, True)
    referee = begun(move=100 * MS, hard=1000 * MS, policy=Policy.SOFT)
    referee.answer(0, Answer(4, cost=Cost(wall=2000 * MS)))
    answer_all(referee)
    assert asked(referee) == [1, 2]
    assert finish(referee).steps[0][0].move == "no_answer"
