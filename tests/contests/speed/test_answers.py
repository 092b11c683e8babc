import pytest

from ludus.contests.speed.game import ANSWERED_TWICE, CHANGE_NOTHING, SPEED_UP, TURN_LEFT, TURN_RIGHT
from ludus.contests.speed.server import SpeedContest
from ludus.episode.record import Fault
from ludus.net.hearing import Hearing

LEFT, RIGHT = b'{"action":"turn_left"}', b'{"action":"turn_right"}'


def begun() -> Hearing:
    hearing = Hearing(SpeedContest())
    hearing.begin(100)
    return hearing


def test_answer_counts_with_the_time_it_took() -> None:
    hearing = begun()
    assert not hearing.settled
    hearing.receive(LEFT, 150)
    assert hearing.settled
    assert hearing.end(500) == (TURN_LEFT, 50, None, "")


@pytest.mark.parametrize(
    "said", [b'{"Action":"Turn_Left"}', b'{"ACTION": "TURN_LEFT", "more": [1, 2]}', b' {"action":"turn_left"}\n']
)
def test_case_blanks_and_other_fields_do_not_matter(said: bytes) -> None:
    hearing = begun()
    hearing.receive(said, 150)
    assert hearing.end(500).move == TURN_LEFT


@pytest.mark.parametrize("said", [b'{"action":"fly"}', b'{"action":""}', b"{}", b'{"action":null}', b"[]", b'"fly"'])
def test_who_sends_no_action_is_out_at_once_and_still_heard(said: bytes) -> None:
    hearing = begun()
    hearing.receive(said, 150)
    hearing.receive(LEFT, 160)
    reply = hearing.end(500)
    assert (reply.move, reply.wall, reply.fault) == (None, 50, Fault.ILLEGAL)
    assert not hearing.deaf


@pytest.mark.parametrize("said", [b"hello", b"", b'{"action":', b"\xff\xfe"])
def test_who_sends_no_json_is_out_and_heard_no_more(said: bytes) -> None:
    hearing = begun()
    hearing.receive(said, 150)
    assert hearing.deaf
    reply = hearing.end(500)
    assert (reply.move, reply.fault) == (None, Fault.ILLEGAL)
    assert "no JSON" in reply.evidence


def test_second_answer_puts_out_and_the_first_still_shows() -> None:
    hearing = begun()
    hearing.receive(LEFT, 150)
    hearing.receive(RIGHT, 170)
    hearing.receive(RIGHT, 180)
    reply = hearing.end(500)
    assert (reply.move, reply.wall, reply.fault) == (ANSWERED_TWICE + TURN_LEFT, 70, Fault.ILLEGAL)
    assert "turn_right" in reply.evidence


def test_second_answer_that_is_no_json_stops_the_hearing_too() -> None:
    hearing = begun()
    hearing.receive(LEFT, 150)
    hearing.receive(b"hello", 170)
    assert hearing.deaf
    assert hearing.end(500).move == ANSWERED_TWICE + TURN_LEFT


def test_what_comes_between_rounds_counts_for_the_next() -> None:
    hearing = begun()
    hearing.receive(LEFT, 150)
    hearing.end(160)
    hearing.receive(RIGHT, 170)
    hearing.begin(200)
    assert hearing.settled
    assert hearing.end(300)[:3] == (TURN_RIGHT, 0, None)
    hearing.begin(400)
    assert not hearing.settled


def test_two_answers_between_rounds_are_one_too_many() -> None:
    hearing = Hearing(SpeedContest())
    for _ in range(1000):
        hearing.receive(RIGHT, 50)
    hearing.begin(100)
    assert hearing.end(500).move == ANSWERED_TWICE + TURN_RIGHT


def test_who_says_nothing_is_late() -> None:
    assert begun().end(500)[:3] == (None, 400, Fault.LATE)


def test_who_leaves_is_out_now_and_later() -> None:
    hearing = begun()
    hearing.leave(150)
    assert hearing.settled
    assert hearing.end(500)[:3] == (None, 50, Fault.FAILED)
    hearing.begin(600)
    assert hearing.end(700).fault is Fault.FAILED


def test_who_leaves_after_its_answer_is_out_and_the_answer_shows() -> None:
    hearing = begun()
    hearing.receive(b'{"action":"speed_up"}', 150)
    hearing.leave(170)
    assert hearing.end(500)[:3] == (ANSWERED_TWICE + SPEED_UP, 70, Fault.FAILED)


def test_early_answer_of_somebody_who_left_does_not_count() -> None:
    hearing = Hearing(SpeedContest())
    hearing.receive(b'{"action":"change_nothing"}', 50)
    hearing.leave(60)
    hearing.begin(100)
    assert hearing.end(500).move != CHANGE_NOTHING


def test_long_nonsense_is_cut_short_in_the_evidence() -> None:
    hearing = begun()
    hearing.receive(b"x" * 100_000, 150)
    assert len(hearing.end(500).evidence) < 400
