"""Faults, policies, clocks: who is out, and by what."""

from typing import Any

import pytest

from ludus import LudusError
from ludus.episode.cost import Cost
from ludus.episode.limits import Limits, Policy
from ludus.episode.record import Ending, Fault, Out, Preparation
from ludus.episode.request import Answer
from ludus.games.game import game_from
from support.refereeing import asked, begun, play_first_moves, referee_of, texts

MS = 1_000_000


# --- Faults and policies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("move", [9, -1, 0.5, "a1", None, 2**70])
def test_an_illegal_move_loses(move: Any) -> None:
    referee = begun("tic-tac-toe")
    referee.answer(0, Answer(4))
    referee.answer(1, Answer(move, cost=Cost(wall=7)))
    record = referee.record
    assert (record.ending, record.by, record.scores) == (Ending.ILLEGAL, [1], [1.0, -1.0])
    assert record.out == [Out(1, 1, Fault.ILLEGAL)]
    last = record.steps[-1][0]
    assert (last.move, last.fault, last.wall) == ("", Fault.ILLEGAL, 7)
    assert last.evidence


def test_a_taken_square_is_illegal_and_named_in_the_evidence() -> None:
    referee = begun("tic-tac-toe")
    referee.answer(0, Answer(4))
    referee.answer(1, Answer(4))
    assert referee.record.steps[-1][0].evidence == "b2"


def test_a_late_move_loses_but_grace_forgives() -> None:
    limits = Limits(move=100 * MS, grace=10 * MS)
    referee = begun("tic-tac-toe", limits=limits)
    referee.answer(0, Answer(4, cost=Cost(wall=110 * MS)))
    referee.answer(1, Answer(0, cost=Cost(wall=120 * MS, cpu=30 * MS)))
    record = referee.record
    assert (record.ending, record.by, record.scores) == (Ending.LATE, [1], [1.0, -1.0])
    late = "a1 after 120 ms; limit 100ms and 10ms of grace; 30.0 ms of CPU, 0 ns of waiting for a core"
    assert record.steps[-1][0].evidence == late


def test_waiting_for_a_core_is_not_on_the_clock_but_computing_is() -> None:
    referee = begun("tic-tac-toe", limits=Limits(move=100 * MS, grace=10 * MS))
    referee.answer(0, Answer(4, cost=Cost(wall=400 * MS, cpu=80 * MS, waited=300 * MS)))
    assert asked(referee) == [1]
    referee.answer(1, Answer(0, cost=Cost(wall=400 * MS, cpu=380 * MS, waited=300 * MS)))
    assert (referee.record.ending, referee.record.by) == (Ending.LATE, [1])
    assert referee.record.steps[-1][0].evidence.endswith("380 ms of CPU, 300 ms of waiting for a core")


def test_clock_never_stands_for_long() -> None:
    referee = begun("tic-tac-toe", limits=Limits(move=100 * MS, grace=10 * MS))
    referee.answer(0, Answer(4, cost=Cost(wall=1100 * MS, cpu=MS, waited=1099 * MS)))
    assert asked(referee) == [1]
    referee.answer(1, Answer(0, cost=Cost(wall=1110 * MS, cpu=MS, waited=1109 * MS)))
    assert (referee.record.ending, referee.record.by) == (Ending.LATE, [1])


def test_waiting_for_a_core_takes_nothing_from_the_total() -> None:
    referee = begun("tic-tac-toe", limits=Limits(total=500 * MS))
    referee.answer(0, Answer(4, cost=Cost(wall=400 * MS, cpu=80 * MS, waited=300 * MS)))
    referee.answer(1, Answer(0, cost=Cost(wall=100 * MS, cpu=300 * MS)))
    [request] = referee.requests()
    assert (request.clock.total, request.left) == (400 * MS, [400 * MS, 400 * MS])


def test_waiting_for_a_core_is_not_on_the_hard_limit() -> None:
    referee = begun("tic-tac-toe", limits=Limits(policy=Policy.SOFT, move=100 * MS, hard=300 * MS))
    referee.answer(0, Answer(4, cost=Cost(wall=900 * MS, cpu=200 * MS, waited=700 * MS)))
    assert asked(referee) == [1]


@pytest.mark.parametrize("fault", [Fault.FAILED, Fault.ILLEGAL, Fault.LATE, Fault.QUIT])
def test_a_fault_that_the_driver_reports_loses(fault: Fault) -> None:
    referee = begun("tic-tac-toe")
    referee.answer(0, Answer(None, fault=fault, evidence="why"))
    record = referee.record
    assert (record.ending, record.scores) == (Ending(fault.value), [-1.0, 1.0])
    assert (record.steps[0][0].fault, record.steps[0][0].evidence) == (fault, "why")


@pytest.mark.parametrize("fault", [Fault.FAILED, Fault.ILLEGAL, Fault.LATE])
def test_policy_random_plays_a_random_move_instead(fault: Fault) -> None:
    game = "tic-tac-toe"
    records = []
    for seed in (1, 1, 2, 3, 4, 5):
        referee = begun(game, limits=Limits(policy=Policy.RANDOM), seed=seed)
        referee.answer(0, Answer(None, fault=fault, evidence="why"))
        assert asked(referee) == [1]
        records.append(play_first_moves(referee, game))
    first = records[0].steps[0][0]
    assert first.move in {f"{column}{row}" for column in "abc" for row in "123"}
    assert (first.fault, first.evidence) == (fault, "why")
    assert records[0].ending is Ending.RULES
    assert records[0].out == []
    assert texts(records[0]) == texts(records[1])
    assert len({record.steps[0][0].move for record in records}) > 1


def test_policy_soft_replaces_a_late_move_and_loses_past_the_hard_limit() -> None:
    limits = Limits(policy=Policy.SOFT, move=100 * MS, hard=300 * MS, grace=10 * MS)
    referee = begun("tic-tac-toe", limits=limits)
    referee.answer(0, Answer(4, cost=Cost(wall=310 * MS)))
    assert asked(referee) == [1]
    referee.answer(1, Answer(99, cost=Cost(wall=50 * MS)))
    assert asked(referee) == [0]
    referee.answer(0, Answer(0, cost=Cost(wall=311 * MS)))
    record = referee.record
    assert (record.ending, record.by) == (Ending.LATE, [0])
    assert [step[0].fault for step in record.steps] == [Fault.LATE, Fault.ILLEGAL, Fault.LATE]
    assert [bool(step[0].move) for step in record.steps] == [True, True, False]


@pytest.mark.parametrize(("move", "fault"), [("nonsense", None), (99, None), (None, Fault.FAILED)])
def test_past_the_hard_limit_a_player_is_out_whatever_it_says(move: Any, fault: Fault | None) -> None:
    limits = Limits(policy=Policy.SOFT, move=100 * MS, hard=300 * MS)
    referee = begun("tic-tac-toe", limits=limits)
    referee.answer(0, Answer(move, fault=fault, cost=Cost(wall=400 * MS)))
    assert (referee.record.ending, referee.record.scores) == (Ending(fault or Fault.LATE), [-1.0, 1.0])


def test_soft_needs_two_limits() -> None:
    with pytest.raises(LudusError, match="needs both"):
        Limits(policy=Policy.SOFT, move=1)
    with pytest.raises(LudusError, match="below the move time"):
        Limits(policy=Policy.SOFT, move=2 * MS, hard=MS)
    with pytest.raises(LudusError, match="needs the policy 'soft'"):
        Limits(hard=1)


def test_leaving_ends_the_episode_under_every_policy() -> None:
    referee = begun("nim:players=3", limits=Limits(policy=Policy.RANDOM))
    referee.answer(0, Answer(0))
    referee.answer(1, Answer(None, fault=Fault.QUIT))
    record = referee.record
    assert (record.ending, record.by, record.scores) == (Ending.QUIT, [1], [0.5, -1.0, 0.5])


# --- Preparation --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preparation", "ending"),
    [
        (Preparation(wall=2_000 * MS), Ending.LATE),
        (Preparation(fault=Fault.FAILED, evidence="no memory"), Ending.FAILED),
    ],
)
def test_who_does_not_get_ready_loses_before_the_first_move(preparation: Preparation, ending: Ending) -> None:
    referee = referee_of("tic-tac-toe", limits=Limits(preparation=1_000 * MS))
    referee.begin([Preparation(wall=MS), preparation])
    record = referee.record
    assert (record.ending, record.by, record.scores, record.steps) == (ending, [1], [1.0, -1.0], [])
    assert record.seats[1].preparation == preparation


def test_policy_random_lets_who_was_not_ready_play() -> None:
    referee = referee_of("tic-tac-toe", limits=Limits(preparation=MS, policy=Policy.RANDOM))
    referee.begin([Preparation(wall=2_000 * MS), Preparation()])
    assert asked(referee) == [0]


# --- Clocks -------------------------------------------------------------------------------------------------------


def test_the_total_shrinks_by_the_time_used_and_grows_by_the_increment() -> None:
    game = game_from("nim:players=3")
    referee = begun("nim:players=3", limits=Limits(total=1_000 * MS, increment=100 * MS))
    totals: dict[int, list[int]] = {0: [], 1: [], 2: []}
    for used in [300, 0, 0, 805, 0, 0, 0]:
        (request,) = referee.requests()
        assert request.clock.increment == 100 * MS
        totals[request.seat].append((request.clock.total or 0) // MS)
        referee.answer(request.seat, Answer(game.moves(request.view.state, request.seat)[0], cost=Cost(wall=used * MS)))
    assert totals == {0: [1_000, 800, 100], 1: [1_000, 1_100], 2: [1_000, 1_100]}


def test_the_smaller_of_move_time_and_total_is_the_limit() -> None:
    referee = begun("tic-tac-toe", limits=Limits(move=100 * MS, total=150 * MS, grace=0))
    referee.answer(0, Answer(0, cost=Cost(wall=100 * MS)))
    referee.answer(1, Answer(1, cost=Cost(wall=0)))
    assert referee.requests()[0].clock.limit() == 50 * MS
    referee.answer(0, Answer(2, cost=Cost(wall=51 * MS)))
    assert referee.record.ending is Ending.LATE


def test_an_increment_needs_a_total() -> None:
    with pytest.raises(LudusError, match="total"):
        Limits(increment=1)
