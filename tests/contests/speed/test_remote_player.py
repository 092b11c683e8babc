"""Clients of spe_ed that play where agents do."""

import gc
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trustme
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from ludus.agents.agent import Clock, View, agent_from
from ludus.contests.speed.server import SpeedContest
from ludus.core.errors import BusyError, LudusError
from ludus.episode.driver import play_episode
from ludus.episode.limits import Limits
from ludus.episode.local_player import player_for
from ludus.episode.player import Player
from ludus.episode.record import Ending, Fault, Record
from ludus.episode.request import Request
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.net import listener
from ludus.net.call import Call
from ludus.net.gate import Gate
from ludus.net.listener import Keys, address, tls
from ludus.net.remote import Remote
from ludus.net.remote_player import RemotePlayer, open_gates
from ludus.run.runner import run
from ludus.store import open_store
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.run_options import RunOptions
from support.sentences import missing

pytestmark = pytest.mark.slow

SPEED = SpeedContest()
MINUTE = 60 * 10**9
LIMITS = Limits(move=10 * MINUTE, preparation=10 * MINUTE)
"""Bots may have to compile before they are ready."""
GAME = "speed:players={},width=400,height=100"
Script = Callable[[int, dict[str, Any]], str | None]
"""The client's answer to a state, given its number in the game, from 1."""


@pytest.fixture
def gate() -> Iterator[Gate]:
    with Gate(SPEED, Keys(), "127.0.0.1", 0, tell=lambda sentence: None) as opened:
        yield opened


def straight(number: int, state: dict[str, Any]) -> str:
    return '{"action":"change_nothing"}'


def suicidal(number: int, state: dict[str, Any]) -> str:
    return '{"action":"slow_down"}'


def join(gate: Gate, key: str, script: Script = straight, games: int = 1) -> "Future[list[list[dict[str, Any]]]]":
    """A client in a thread of its own; the states of each of its games."""
    seen: Future[list[list[dict[str, Any]]]] = Future()

    def play() -> None:
        try:
            seen.set_result([_play(f"ws://127.0.0.1:{gate.port}/spe_ed?key={key}", script) for _ in range(games)])
        except BaseException as error:
            seen.set_exception(error)

    threading.Thread(target=play, daemon=True).start()
    return seen


def _play(url: str, script: Script) -> list[dict[str, Any]]:
    states: list[dict[str, Any]] = []
    with connect(url, compression=None) as connection, suppress(ConnectionClosed):
        for text in connection:
            states.append(json.loads(text))
            _answer(connection, script(len(states), states[-1]), states[-1])
    return states


def _answer(connection: ClientConnection, said: str | None, state: dict[str, Any]) -> None:
    if state["running"] and state["players"][str(state["you"])]["active"] and said is not None:
        connection.send(said)


def players(*specs: str) -> list[Player]:
    return [player_for(agent_from(spec)) for spec in specs]


def episode(*specs: str, limits: Limits = LIMITS) -> Record:
    return play_episode(game_from(GAME.format(len(specs))), players(*specs), limits=limits)


def test_client_plays_against_agents_and_sees_the_end(gate: Gate) -> None:
    seen = join(gate, "anna")
    record = episode("remote:anna", "random")
    (states,) = seen.result(60)
    assert [state["running"] for state in states] == [True] * len(record.steps) + [False]
    assert [player["name"] for player in states[-1]["players"].values()] == ["anna", "random"]
    assert "deadline" in states[0]
    assert record.ending is Ending.RULES
    assert record.scores == [1.0, -1.0]
    assert all(step[0].wall > 0 for step in record.steps)


def test_clients_move_together_and_dead_ones_see_the_game_to_its_end(gate: Gate) -> None:
    def ends_later(number: int, state: dict[str, Any]) -> str:
        return suicidal(number, state) if number == 4 else straight(number, state)

    anna, bob, carl = join(gate, "anna", suicidal), join(gate, "bob", ends_later), join(gate, "carl")
    record = episode("remote:anna", "remote:bob", "remote:carl")
    assert len(record.steps) == 4
    assert record.scores == [-1.0, 0.0, 1.0]
    for client in (anna, bob, carl):
        (states,) = client.result(60)
        assert len(states) == 5
        assert [player["active"] for player in states[1]["players"].values()] == [False, True, True]


@pytest.mark.parametrize(
    ("said", "limit", "fault"),
    [("nonsense", MINUTE, Fault.ILLEGAL), ("{}", MINUTE, Fault.ILLEGAL), (None, 2 * 10**8, Fault.LATE)],
)
def test_faults_of_clients_are_those_of_a_server(gate: Gate, said: str | None, limit: int, fault: Fault) -> None:
    seen = join(gate, "anna", lambda number, state: said)
    record = episode("remote:anna", "random", "random", limits=Limits(move=limit, preparation=MINUTE))
    (made,) = [made for step in record.steps for made in step if made.seat == 0]
    assert (made.move, made.fault) == ("no_answer", fault)
    (states,) = seen.result(60)
    assert len(states) == len(record.steps) + 1


def test_error_while_clients_are_asked_is_passed_on(gate: Gate) -> None:
    class Broken(RemotePlayer):
        def question(self, request: Request) -> Any:
            return "no client", b"", MINUTE

    state = game_from(GAME.format(2)).start(new_rng(0))
    with pytest.raises(AttributeError, match="send"):
        Broken(Remote(client="anna")).think(Request(0, View(state, 0, []), Clock(None)))


def test_gate_with_a_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    authority.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(tmp_path / "server.pem"))
    authority.cert_pem.write_to_path(str(tmp_path / "authority.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    told: list[str] = []
    with Gate(SPEED, Keys(), "localhost", 0, tls(tmp_path / "server.pem", None), tell=told.append) as gate:
        assert told == [f"Clients connect to wss://localhost:{gate.port}/spe_ed?key=KEY."]
        url = f"wss://localhost:{gate.port}/spe_ed?key=anna"
        with Call(url) as anna:
            record = episode("remote:anna", "random", limits=Limits(move=10**8, preparation=MINUTE))
            assert json.loads(anna.receive(60))["running"]
    assert record.steps[0][0].fault is Fault.LATE


def test_address_with_colons_is_in_brackets() -> None:
    assert address("::1", 80, None, "/spe_ed") == "ws://[::1]:80/spe_ed?key=KEY"


def test_client_that_leaves_is_out(gate: Gate) -> None:
    def leave(number: int, state: dict[str, Any]) -> str:
        raise ConnectionClosed(None, None)

    seen = join(gate, "anna", leave)
    record = episode("remote:anna", "random", "random")
    seen.exception(60)
    (made,) = [made for step in record.steps for made in step if made.seat == 0]
    assert made.fault is Fault.FAILED


def test_client_that_does_not_come_loses_and_the_others_play(gate: Gate) -> None:
    record = episode("remote:anna", "random", "random", limits=Limits(preparation=3 * 10**9))
    preparation = record.seats[0].preparation
    assert preparation is not None
    assert preparation.fault is Fault.LATE
    assert "did not connect within 3s" in preparation.evidence
    assert record.scores[0] == -1.0


def test_bots_and_clients_think_at_once(gate: Gate) -> None:
    seen = join(gate, "anna")
    bot = f"stdio:{Path(sys.executable).with_name('ludus')} bot random"
    record = episode("remote:anna", bot, "random")
    assert record.ending is Ending.RULES
    assert record.steps[0][1].fault is None
    assert len(seen.result(60)) == 1


def test_clients_play_a_whole_tournament_and_come_back_for_each_episode(gate: Gate, tmp_path: Path) -> None:
    tournament = make_tournament(
        GAME.format(2), ["remote:anna", "remote:bob", "random"], episodes=2, limits=LIMITS, name="cup"
    )
    anna, bob = join(gate, "anna", games=8), join(gate, "bob", games=8)
    with open_store(str(tmp_path / "store.db")) as store:
        ran = run(tournament, store, RunOptions(workers=0))
        assert ran.played == 12
        records = [record for _, record in store.records(ran.id)]
    assert len(anna.result(60)) == len(bob.result(60)) == 8
    assert {seat.name for record in records for seat in record.seats} == {"remote:anna", "remote:bob", "random"}
    assert all(record.ending is Ending.RULES for record in records)


def test_only_awaited_clients_are_admitted() -> None:
    keys = Keys({"secret": "anna", "other": "bob"}, ["anna"])
    with Gate(SPEED, keys, "127.0.0.1", 0, tell=lambda sentence: None) as gate:
        with pytest.raises(InvalidStatus, match="403"):
            join(gate, "other").result(60)
        with pytest.raises(InvalidStatus, match="403"):
            join(gate, "anna").result(60)
        join(gate, "secret", suicidal)
        assert episode("remote:anna", "random").scores == [-1.0, 1.0]
    assert open_gates == []


def test_gate_names_its_address_and_the_awaited_client() -> None:
    told: list[str] = []
    with Gate(SPEED, Keys(), "127.0.0.1", 0, tell=told.append) as gate:
        assert gate.take("anna", 1_200_000_000) is None
    address, waiting = told
    assert f"ws://127.0.0.1:{gate.port}/spe_ed?key=KEY" in address
    assert missing(waiting, "anna 1200ms") == []


def test_port_in_use_gets_one_sentence(gate: Gate) -> None:
    with pytest.raises(BusyError, match=f"127.0.0.1.* {gate.port}: Address already in use"):
        Gate(SPEED, Keys(), "127.0.0.1", gate.port, tell=lambda sentence: None).__enter__()


def test_connection_without_a_request_leaves_no_trace(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(listener, "_CLOSING", 0.1)
    ignored: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", ignored.append)
    with Gate(SPEED, Keys(), "127.0.0.1", 0, tell=lambda sentence: None) as gate:
        silent = socket.create_connection(("127.0.0.1", gate.port))
        time.sleep(0.5)  # until it is accepted; if that takes longer, there is less to be seen
    del gate
    gc.collect()
    silent.close()
    assert (caplog.records, ignored) == ([], [])


def test_without_a_gate_remote_players_are_refused() -> None:
    with pytest.raises(LudusError, match="no port is open"):
        episode("remote:anna", "random")


def test_remote_players_need_a_game_with_a_server() -> None:
    agent = Remote(client="anna")
    assert agent.unsuited(game_from("speed")) is None
    assert "plays only games with servers" in (agent.unsuited(game_from("hex")) or "")
    with pytest.raises(LudusError, match="needs client"):
        agent_from("remote")
