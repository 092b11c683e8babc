"""Joining servers of ReversiXT, over real sockets."""

import socket
import threading
from pathlib import Path

import pytest

from ludus.errors import LudusError
from ludus.games.reversixt.maps import Map
from ludus.protocols.reversixt_api import Kind, message, number, request
from ludus.record import Ending, Record
from ludus.replay import replay
from ludus.servers.keeping import Ended
from ludus.servers.reversixt.joining import Address, Guest, Listener
from ludus.store import open_store
from ludus.tournaments.base import Entrant
from servers.reversixt.course import hosting

SMALL = Map(2, 0, 0, 0, ("0210", "0000"))


class Remembering(Listener):
    """Keeps the games."""

    def __init__(self) -> None:
        self.games: list[Ended] = []

    def ended(self, ended: Ended) -> None:
        self.games.append(ended)


def joined(folder: Path, port: int, spec: str = "random", games: int = 1) -> list[Ended]:
    listener = Remembering()
    with open_store(str(folder / "guest.db")) as store:
        guest = Guest(Address("127.0.0.1", port), 3, Entrant(spec, spec), store, listener, lambda: None)
        try:
            guest.play(games)
        finally:
            stored = [record for summary in store.tournaments() for _, record in store.records(summary.id)]
            assert len(stored) == len(listener.games)
    return listener.games


def scripted_server(answers: list[bytes | None]) -> tuple[int, threading.Thread]:
    """A server for one client that says these things, None for waiting for a message, and hangs up."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listening.accept()
        with connection, listening:
            connection.settimeout(30)
            connection.recv(100)
            for answer in answers:
                if answer is None:
                    connection.recv(100)
                else:
                    connection.sendall(answer)

    thread = threading.Thread(target=serve)
    thread.start()
    return listening.getsockname()[1], thread


def test_an_agent_plays_a_whole_game_and_has_the_same_record_as_the_server(tmp_path: Path) -> None:
    with hosting(tmp_path, "cross", fill=("random",), lobby=0.1) as course:
        [ended] = joined(tmp_path, course.port)
        while not course.records:
            pass
        [theirs] = course.records
    ours = ended.record
    assert texts(ours) == texts(theirs)
    assert ours.scores == theirs.scores
    assert ours.ending is Ending.RULES
    assert ours.seats[ended.you].agent == "random"
    assert len(list(replay(ours))) == len(ours.steps) + 1


def texts(record: Record) -> list[str]:
    return [made.move for step in record.steps for made in step]


START = message(Kind.MAP, SMALL.text().encode()) + number(Kind.NUMBER, 1)


def test_a_move_is_sent_as_the_server_wants_it(tmp_path: Path) -> None:
    made = bytes.fromhex("06 00000006 0000 0000 00 01")
    end = message(Kind.END_OF_PHASE) + message(Kind.END_OF_GAME)
    port, thread = scripted_server([START, request(5000, 0), None, made + end])
    [ended] = joined(tmp_path, port)
    thread.join()
    assert texts(ended.record) == ["0,0"]
    assert ended.record.scores == [1.0, -1.0]
    assert ended.record.steps[0][0].wall > 0


def test_who_is_disqualified_is_out_in_the_record(tmp_path: Path) -> None:
    port, thread = scripted_server(
        [START, request(5000, 0), None, number(Kind.DISQUALIFIED, 1), message(Kind.END_OF_GAME)]
    )
    [ended] = joined(tmp_path, port)
    thread.join()
    assert texts(ended.record) == ["out"]
    assert ended.record.scores == [-1.0, 1.0]


def test_a_game_that_is_cut_off_is_kept_without_a_result(tmp_path: Path) -> None:
    port, thread = scripted_server([START, request(5000, 0), None])
    [ended] = joined(tmp_path, port)
    thread.join()
    assert ended.record.ending is Ending.MACHINE
    assert "the connection was lost" in ended.record.seats[0].remarks[-1]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([number(Kind.NUMBER, 1), number(Kind.NUMBER, 1)], "sends neither a map nor a number first"),
        (
            [message(Kind.MAP, b"nonsense"), number(Kind.NUMBER, 1)],
            "sends no map: line 1: 'nonsense' is not the number",
        ),
        ([message(Kind.MAP, SMALL.text().encode()), number(Kind.NUMBER, 5)], "says that we are player 5"),
        ([START, bytes.fromhex("06 00000006 0003 0001 00 01")], "tells of a move of player 1 that breaks the rules"),
        ([START, b"\x01\x00\x00\x00\x01\x01"], "a message of type 1 came"),
    ],
)
def test_a_server_that_speaks_wrongly_is_told(tmp_path: Path, said: list[bytes], told: str) -> None:
    port, thread = scripted_server([*said])
    with pytest.raises(LudusError, match=told):
        joined(tmp_path, port)
    thread.join()


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(LudusError, match=f"The server at 127.0.0.1:{port} cannot be reached: Connection refused"):
        joined(tmp_path, port)


@pytest.mark.parametrize("text", ["", ":80", "host:", "host:x", "host:0", "host:99999"])
def test_an_address_must_be_one(text: str) -> None:
    with pytest.raises(LudusError, match=r"is no address of a server: write one such as example\.org:7777"):
        Address.parse(text)


def test_an_address_without_a_port_has_the_usual_one() -> None:
    assert Address.parse("example.org") == ("example.org", 7777)
    assert str(Address.parse("127.0.0.1:99")) == "127.0.0.1:99"
