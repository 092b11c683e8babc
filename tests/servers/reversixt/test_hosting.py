"""A server of ReversiXT, over real sockets: what clients are sent, and what happens to those who break the rules."""

import time
from contextlib import suppress
from pathlib import Path

import pytest

from ludus.errors import LudusError
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import Map
from ludus.protocols.reversixt_api import Kind
from ludus.record import Ending, Fault
from ludus.replay import replay
from ludus.servers.base import check_fill
from servers.reversixt.course import Course, Scripted, hosting

DUEL = Map(2, 0, 1, 0, ("0210", "0000", "0000", "0120")).packed()
"""Player 1 has a move at 0,0 and player 2 then one at 0,3, and so on."""
BOMBS_ONLY = Map(2, 0, 1, 0, ("100", "002")).packed()
THREE = Map(3, 0, 0, 0, ("0210", "0000", "0320", "0000", "0130")).packed()


def move(x: int, y: int, special: int = 0) -> bytes:
    return bytes([Kind.MOVE, 0, 0, 0, 5, 0, x, 0, y, special])


def pair(course: Course) -> tuple[Scripted, Scripted]:
    """Two clients whose game has begun, in the order of their numbers."""
    first = course.client(7)
    while not course.told or "waits" not in course.told[-1]:
        time.sleep(0.01)
    second = course.client(9)
    assert first.hear_start()[1] == 1
    assert second.hear_start()[1] == 2
    return first, second


def kinds(client: Scripted) -> list[Kind]:
    return [said.kind for said in client.hear_all()]


def result_of(course: Course) -> Fault | None:
    """The fault of the only player that has one."""
    while not course.records:
        time.sleep(0.01)
    [record] = course.records
    list(replay(record))
    faults = [made.fault for step in record.steps for made in step if made.fault]
    return faults[0] if faults else None


def test_a_game_goes_from_the_map_to_the_end_and_is_stored(tmp_path: Path) -> None:
    with hosting(tmp_path, BOMBS_ONLY, depth=3) as course:
        first, second = pair(course)
        end_of_phase = first.hear()
        assert end_of_phase is not None
        assert end_of_phase.kind is Kind.END_OF_PHASE
        milliseconds, depth = first.hear_request()
        assert (milliseconds, depth) == (20_000, 3)
        first.say(move(2, 1))
        made = first.hear()
        assert made is not None
        assert made.kind is Kind.MADE
        assert made.payload == bytes([0, 2, 0, 1, 0, 1])
        assert second.hear_request() == (20_000, 3)
        second.say(move(1, 0, 200))
        assert kinds(first) == kinds(second) == [Kind.MADE, Kind.END_OF_GAME]
        assert result_of(course) is None
        [record] = course.records
        assert record.ending is Ending.RULES
        assert record.scores == [1.0, -1.0]
        assert [seat.name for seat in record.seats] == ["group 7", "group 9"]


def test_what_is_left_of_the_time_is_added_to_the_next_request(tmp_path: Path) -> None:
    with hosting(tmp_path, Map(2, 0, 2, 0, ("100", "002")).packed(), increment=30) as course:
        first, second = pair(course)
        first.hear_request()
        first.say(move(1, 0))
        second.hear_request()
        second.say(move(2, 0))
        assert 50_000 < first.hear_request()[0] <= 60_000


def test_the_end_of_phase_1_is_told_though_there_are_no_bombs(tmp_path: Path) -> None:
    with hosting(tmp_path, Map(2, 0, 0, 0, ("021", "000")).packed()) as course:
        first, second = pair(course)
        first.hear_request()
        first.say(move(0, 0))
        assert kinds(first) == kinds(second) == [Kind.MADE, Kind.END_OF_PHASE, Kind.END_OF_GAME]


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (move(3, 2), Fault.ILLEGAL),
        (move(200, 2), Fault.ILLEGAL),
        (move(0, 0, 3), Fault.ILLEGAL),
        (bytes.fromhex("01 00000001 04"), Fault.ILLEGAL),
        (b"nonsense", Fault.ILLEGAL),
    ],
)
def test_who_answers_wrongly_is_disqualified_and_told_so(tmp_path: Path, answer: bytes, fault: Fault) -> None:
    with hosting(tmp_path, DUEL) as course:
        first, second = pair(course)
        first.hear_request()
        first.say(answer)
        told = first.hear_all()
        assert [said.kind for said in told] == [Kind.DISQUALIFIED, Kind.END_OF_PHASE, Kind.END_OF_GAME]
        assert told[0].number == 1
        assert second.hear_all() == told
        assert result_of(course) is fault
        assert course.records[0].scores == [-1.0, 1.0]


def test_who_is_late_is_disqualified(tmp_path: Path) -> None:
    with hosting(tmp_path, DUEL, increment=0.3) as course:
        first, second = pair(course)
        assert first.hear_request()[0] == 300
        assert kinds(second) == [Kind.DISQUALIFIED, Kind.END_OF_PHASE, Kind.END_OF_GAME]
        assert result_of(course) is Fault.LATE


def test_who_leaves_is_disqualified(tmp_path: Path) -> None:
    with hosting(tmp_path, DUEL) as course:
        first, second = pair(course)
        first.hear_request()
        first.leave()
        assert kinds(second) == [Kind.DISQUALIFIED, Kind.END_OF_PHASE, Kind.END_OF_GAME]
        assert result_of(course) is Fault.FAILED


def test_the_others_play_on_without_who_is_disqualified(tmp_path: Path) -> None:
    with hosting(tmp_path, THREE, fill=("random",), lobby=0.2) as course, course.client() as client:
        client.hear_start()
        client.hear_request()
        client.say(b"nonsense")
        told = kinds(client)
        assert told[0] is Kind.DISQUALIFIED
        assert told.count(Kind.MADE) >= 1
        assert told[-2:] == [Kind.END_OF_PHASE, Kind.END_OF_GAME]
        result_of(course)
        assert course.records[0].scores[0] == -1.0


def test_maps_take_turns_and_without_a_time_there_is_no_limit(tmp_path: Path) -> None:
    with hosting(tmp_path, "classic", "cross", increment=0, depth=4, fill=("random",), lobby=0.1) as course:
        for players in (2, 4):
            with course.client() as client:
                text, number = client.hear_start()
                assert (text[0], number) == (str(players), 1)
                assert client.hear_request() == (0, 4)


@pytest.mark.parametrize("first_words", [b"GET / HTTP/1.1\r\n\r\n", move(0, 0)])
def test_who_does_not_say_its_group_is_not_let_in(tmp_path: Path, first_words: bytes) -> None:
    with hosting(tmp_path, DUEL) as course, Scripted(course.port) as client:
        client.say(first_words)
        with suppress(ConnectionResetError):
            assert client.hear() is None
        assert not any("waits" in sentence for sentence in course.told)


def test_only_agents_that_suit_every_map_fill_places() -> None:
    with pytest.raises(LudusError, match="alphabeta cannot fill a place of ReversiXT with 4 players"):
        check_fill(["alphabeta"], [ReversiXT(), ReversiXT(map="cross")], "brs")
