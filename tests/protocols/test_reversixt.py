"""Clients of ReversiXT as bots: what they are sent and how they are understood, and real ones that connect."""

import sys
from pathlib import Path

import numpy as np
import pytest

from ludus import rules
from ludus.agents.base import Clock, Request, View
from ludus.agents.bot import Briefing, FoulError
from ludus.catalog import agent_from, game_from
from ludus.errors import LudusError
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import Map
from ludus.players.driving import play_episode
from ludus.players.seating import player_for
from ludus.protocols.reversixt import ReversiXtClient, ReversiXtDialogue
from ludus.protocols.reversixt_api import FROM_SERVERS, Buffer, Kind, Message, read_request
from ludus.record import UNLIMITED, Fault, Limits, Move
from ludus.replay import replay
from ludus.rng import new_rng

GAME = ReversiXT(map=Map(2, 0, 1, 0, ("021-", "0000", "021-")).packed())
"""Player 1 takes 0,0 and 0,2, and then both throw a bomb."""

CLIENT = """
import socket, struct, sys

def read(n):
    data = b""
    while len(data) < n:
        more = server.recv(n - len(data))
        if not more:
            sys.exit(0)
        data += more
    return data

server = socket.create_connection((sys.argv[1], int(sys.argv[2])))
server.sendall(bytes.fromhex("010000000105"))
moves = [tuple(map(int, word.split(","))) for word in sys.argv[3:]]
print("hello from standard output", flush=True)
while True:
    kind, length = struct.unpack(">BI", read(5))
    read(length)
    if kind == 4:
        x, y = moves.pop(0)
        server.sendall(struct.pack(">BIHHB", 5, 5, x, y, 0))
"""


def told(data: bytes) -> list[Message]:
    buffer = Buffer(FROM_SERVERS)
    buffer.add(data)
    return list(iter(buffer.next, None))


def begun(seat: int = 0) -> ReversiXtDialogue:
    """A talk that has come to its first question."""
    dialogue = ReversiXtDialogue(3)
    talk = dialogue.begin(Briefing(GAME, seat, 0, UNLIMITED, GAME.start(new_rng(0)), "", None))
    assert next(talk) == b""
    with pytest.raises(StopIteration):
        talk.send("01 00 00 00 01 05")
    return dialogue


def asked(seat: int, *made: str, limit: int | None = None) -> Request:
    state, steps = GAME.start(new_rng(0)), []
    for text in made:
        [player] = GAME.movers(state)
        rules.play(state, np.array([GAME.parse(state, player, text)]))
        steps.append([Move(player, text)])
    return Request(seat, View(state, seat), Clock(limit), steps)


def test_the_first_question_follows_map_and_number() -> None:
    start = told(begun().ask(asked(0, limit=2_000_000_000)))
    assert [said.kind for said in start] == [Kind.MAP, Kind.NUMBER, Kind.REQUEST]
    assert start[0].payload.decode() == GAME.chart.text()
    assert start[1].number == 1
    assert read_request(start[2].payload) == (2000, 3)


def test_moves_and_the_end_of_phase_1_are_told_in_their_order() -> None:
    said = told(begun(1).ask(asked(1, "0,0", "0,2")))
    assert [one.kind for one in said[2:]] == [Kind.MADE, Kind.MADE, Kind.END_OF_PHASE, Kind.REQUEST]
    assert read_request(said[-1].payload) == (0, 3)


def test_the_end_tells_what_was_not_told_before() -> None:
    dialogue = begun()
    dialogue.ask(asked(0))
    steps = [[Move(0, "0,0")], [Move(0, "out")]]
    kinds = [said.kind for said in told(dialogue.conclude(steps))]
    assert kinds == [Kind.MADE, Kind.DISQUALIFIED, Kind.END_OF_PHASE, Kind.END_OF_GAME]


def test_a_move_is_understood() -> None:
    dialogue = begun()
    dialogue.ask(asked(0))
    choice = dialogue.hear("05 00 00 00 05 00 00 00 02 00")
    assert choice is not None
    assert GAME.format(GAME.start(new_rng(0)), 0, choice.move) == "0,2"


@pytest.mark.parametrize("line", ["01 00 00 00 01 05", "05 00 00 00 05 00 63 00 02 00"])
def test_what_is_no_move_is_a_fault(line: str) -> None:
    dialogue = begun()
    dialogue.ask(asked(0))
    with pytest.raises(FoulError):
        dialogue.hear(line)


def client(folder: Path, *moves: str) -> ReversiXtClient:
    file = folder / "client.py"
    file.write_text(CLIENT)
    made = agent_from(f"reversixt:{sys.executable} {file} {{host}} {{port}} {' '.join(moves)}")
    assert isinstance(made, ReversiXtClient)
    return made


def test_a_client_that_connects_plays_like_any_bot(tmp_path: Path) -> None:
    players = [player_for(client(tmp_path, "0,0", "0,2", "3,1")), player_for(agent_from("random"))]
    record = play_episode(GAME, players, limits=Limits(move=5_000_000_000, preparation=10_000_000_000))
    assert [step[0].move for step in record.steps if step[0].seat == 0] == ["0,0", "0,2", "3,1"]
    assert "hello from standard output" in record.seats[0].log
    assert not record.out
    assert len(list(replay(record))) == len(record.steps) + 1


def test_a_wrong_move_disqualifies_a_client_and_the_evidence_shows_its_bytes(tmp_path: Path) -> None:
    players = [player_for(client(tmp_path, "3,1")), player_for(agent_from("random"))]
    record = play_episode(GAME, players, limits=Limits(move=5_000_000_000, preparation=10_000_000_000))
    [made] = record.steps[0]
    assert made.fault is Fault.ILLEGAL
    assert record.scores == [-1.0, 1.0]


def test_a_client_that_leaves_is_out(tmp_path: Path) -> None:
    players = [player_for(client(tmp_path, "0,0")), player_for(agent_from("random"))]
    record = play_episode(GAME, players, limits=Limits(move=5_000_000_000, preparation=10_000_000_000))
    assert record.steps[1][0].fault is Fault.FAILED
    assert "< 05 00 00 00 05 00 00 00 00 00" in record.steps[1][0].evidence
    assert record.scores == [-1.0, 1.0]


def test_a_command_must_say_where_the_port_goes() -> None:
    with pytest.raises(LudusError, match=r"write where its command names it, as in reversixt:./client -i \{host\}"):
        agent_from("reversixt:./client")


def test_it_plays_reversixt_alone(tmp_path: Path) -> None:
    assert client(tmp_path).unsuited(game_from("othello")) == "plays reversixt alone"
