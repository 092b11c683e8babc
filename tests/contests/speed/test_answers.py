import pytest

from ludus.contests.speed.game import ANSWERED_TWICE, CHANGE_NOTHING, SPEED_UP, TURN_LEFT, TURN_RIGHT
from ludus.contests.speed.server import SpeedContest
from ludus.episode.record import Fault
from ludus.net.client_answers import ClientAnswers

LEFT, RIGHT = b'{"action":"turn_left"}', b'{"action":"turn_right"}'


def begun() -> ClientAnswers:
    answers = ClientAnswers(SpeedContest())
    answers.begin(100)
    return answers


def test_answer_counts_with_the_time_it_took() -> None:
    answers = begun()
    assert not answers.settled
    answers.receive(LEFT, 150)
    assert answers.settled
    assert answers.end(500) == (TURN_LEFT, 50, None, "")


@pytest.mark.parametrize(
    "said", [b'{"Action":"Turn_Left"}', b'{"ACTION": "TURN_LEFT", "more": [1, 2]}', b' {"action":"turn_left"}\n']
)
def test_case_blanks_and_other_fields_do_not_matter(said: bytes) -> None:
    answers = begun()
    answers.receive(said, 150)
    assert answers.end(500).move == TURN_LEFT


@pytest.mark.parametrize("said", [b'{"action":"fly"}', b'{"action":""}', b"{}", b'{"action":null}', b"[]", b'"fly"'])
def test_who_sends_no_action_is_out_at_once_and_still_heard(said: bytes) -> None:
    answers = begun()
    answers.receive(said, 150)
    answers.receive(LEFT, 160)
    reply = answers.end(500)
    assert (reply.move, reply.wall, reply.fault) == (None, 50, Fault.ILLEGAL)
    assert not answers.ignored


@pytest.mark.parametrize("said", [b"hello", b"", b'{"action":', b"\xff\xfe"])
def test_who_sends_no_json_is_out_and_heard_no_more(said: bytes) -> None:
    answers = begun()
    answers.receive(said, 150)
    assert answers.ignored
    reply = answers.end(500)
    assert (reply.move, reply.fault) == (None, Fault.ILLEGAL)
    assert "not JSON" in reply.evidence


def test_second_answer_puts_out_and_the_first_still_shows() -> None:
    answers = begun()
    answers.receive(LEFT, 150)
    answers.receive(RIGHT, 170)
    answers.receive(RIGHT, 180)
    reply = answers.end(500)
    assert (reply.move, reply.wall, reply.fault) == (ANSWERED_TWICE + TURN_LEFT, 70, Fault.ILLEGAL)
    assert "turn_right" in reply.evidence


def test_second_answer_that_is_no_json_stops_the_hearing_too() -> None:
    answers = begun()
    answers.receive(LEFT, 150)
    answers.receive(b"hello", 170)
    assert answers.ignored
    assert answers.end(500).move == ANSWERED_TWICE + TURN_LEFT


def test_what_comes_between_rounds_counts_for_the_next() -> None:
    answers = begun()
    answers.receive(LEFT, 150)
    answers.end(160)
    answers.receive(RIGHT, 170)
    answers.begin(200)
    assert answers.settled
    assert answers.end(300)[:3] == (TURN_RIGHT, 0, None)
    answers.begin(400)
    assert not answers.settled


def test_two_answers_between_rounds_are_one_too_many() -> None:
    answers = ClientAnswers(SpeedContest())
    for _ in range(1000):
        answers.receive(RIGHT, 50)
    answers.begin(100)
    assert answers.end(500).move == ANSWERED_TWICE + TURN_RIGHT


def test_who_says_nothing_is_late() -> None:
    assert begun().end(500)[:3] == (None, 400, Fault.LATE)


def test_who_leaves_is_out_now_and_later() -> None:
    answers = begun()
    answers.leave(150)
    assert answers.settled
    assert answers.end(500)[:3] == (None, 50, Fault.FAILED)
    answers.begin(600)
    assert answers.end(700).fault is Fault.FAILED


def test_who_leaves_after_its_answer_is_out_and_the_answer_shows() -> None:
    answers = begun()
    answers.receive(b'{"action":"speed_up"}', 150)
    answers.leave(170)
    assert answers.end(500)[:3] == (ANSWERED_TWICE + SPEED_UP, 70, Fault.FAILED)


def test_early_answer_of_somebody_who_left_does_not_count() -> None:
    answers = ClientAnswers(SpeedContest())
    answers.receive(b'{"action":"change_nothing"}', 50)
    answers.leave(60)
    answers.begin(100)
    assert answers.end(500).move != CHANGE_NOTHING


def test_long_nonsense_is_cut_short_in_the_evidence() -> None:
    answers = begun()
    answers.receive(b"x" * 100_000, 150)
    assert len(answers.end(500).evidence) < 400


def test_message_that_is_too_large_puts_out_and_nothing_more_is_heard() -> None:
    answers = begun()
    answers.receive(None, 5)
    answers.receive(b'{"action":"turn_left"}', 6)
    reply = answers.end(9)
    assert (reply.move, reply.fault) == (None, Fault.ILLEGAL)
    assert answers.ignored
