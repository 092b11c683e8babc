"""Servers, clients and remote players of a game that takes turns, by a contest that Ludus does not bring."""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

import ludus
from ludus.agents.agent import agent_from
from ludus.episode.driver import play_episode
from ludus.episode.limits import Limits
from ludus.episode.local_player import player_for
from ludus.episode.record import Fault, Record
from ludus.episode.replay import replay
from ludus.games.game import game_from
from ludus.net.client import Guest, Listener, door
from ludus.net.gate import Gate
from ludus.net.listener import Keys
from ludus.net.server import Host
from support.nim_contest import NimContest

pytestmark = pytest.mark.slow

NIM = NimContest()
MINUTE = 60 * 10**9


def keeping(records: list[Record]) -> Callable[[Record, int], str]:
    def keep(record: Record, wall: int) -> str:
        records.append(record)
        return "kept"

    return keep


@asynccontextmanager
async def hosted(records: list[Record], *fill: str, games: int = 1) -> AsyncIterator[Host]:
    """A server that ends after this many games; the records are those it passes on."""

    ready = asyncio.Event()
    host = Host(NIM, Keys(), keeping(records), fill=fill, patience=10**7 if fill else MINUTE, games=games)
    running = asyncio.create_task(host.run("127.0.0.1", 0, None, ready.set))
    async with asyncio.timeout(300):
        await ready.wait()
        yield host
        await running


async def join(host: Host, key: str) -> ClientConnection:
    return await connect(f"ws://127.0.0.1:{host.port}/nim?key={key}", compression=None)


async def play_first(connection: ClientConnection) -> list[dict[str, Any]]:
    """Take the first legal move each time; all that the server told."""
    told = []
    game = game_from("nim")
    with suppress(ConnectionClosed):
        async for text in connection:
            told.append(json.loads(text))
            if told[-1]["mover"] == told[-1]["you"]:
                state = game.load(told[-1]["position"])
                await connection.send(str(game.moves(state, told[-1]["you"])[0]))
    return told


def test_two_clients_take_turns_and_both_see_all() -> None:
    records: list[Record] = []

    async def test() -> None:
        async with hosted(records) as host:
            both = [await join(host, key) for key in ("anna", "bob")]
            anna, bob = await asyncio.gather(*map(play_first, both))
            assert [told["position"] for told in anna] == [told["position"] for told in bob]
            assert [told["mover"] for told in anna[:3]] == [0, 1, 0]
            assert anna[-1]["names"] == ["anna", "bob"]

    asyncio.run(test())
    (record,) = records
    assert [seat.agent for seat in record.seats] == ["remote:anna", "remote:bob"]
    *_, last = replay(record)
    assert game_from("nim").scores(last.state) == record.scores


def test_agents_fill_places_and_an_unreadable_answer_is_a_fault() -> None:
    records: list[Record] = []

    async def test() -> None:
        async with hosted(records, "random", games=2) as host:
            await play_first(await join(host, "anna"))
            rude = await join(host, "rude")
            await rude.send("hello")
            with suppress(ConnectionClosed):
                while True:
                    await rude.recv()

    asyncio.run(test())
    played, broken_off = records
    assert [seat.agent for seat in played.seats] == ["remote:anna", "random"]
    assert all(move.fault is None for step in played.steps for move in step)
    assert (broken_off.steps[0][0].fault, broken_off.scores) == (Fault.ILLEGAL, [-1.0, 1.0])


def test_an_agent_joins_and_its_record_is_that_of_the_server() -> None:
    records: list[Record] = []
    kept: list[Record] = []

    async def test() -> None:
        async with hosted(records, "random") as host:
            where = door(NIM, f"ws://127.0.0.1:{host.port}", "anna")
            guest = Guest(
                NIM, where, lambda: player_for(agent_from("random"), "me"), keeping(kept), Listener(), lambda: None
            )
            await asyncio.to_thread(guest.play, 1)

    asyncio.run(test())
    moves = [[[move.move for move in step] for step in record.steps] for record in (records[0], kept[0])]
    assert moves[0] == moves[1]
    assert kept[0].scores == records[0].scores
    assert [seat.name for seat in kept[0].seats] == ["me", "random"]


def test_client_plays_in_place_of_an_agent() -> None:
    told: list[list[dict[str, Any]]] = []

    async def play(port: int) -> None:
        told.append(await play_first(await connect(f"ws://127.0.0.1:{port}/nim?key=anna", compression=None)))

    with Gate(NIM, Keys(), "127.0.0.1", 0, tell=lambda sentence: None) as gate:
        client = threading.Thread(target=lambda: asyncio.run(play(gate.port)))
        client.start()
        players = [player_for(agent_from(spec)) for spec in ("remote:anna", "random")]
        limits = Limits(move=MINUTE, preparation=MINUTE)
        record = play_episode(game_from("nim"), players, limits=limits, seed=3)
        client.join()
    assert [len(step) for step in record.steps] == [1] * len(record.steps)
    assert told[0][-1]["names"] == ["anna", "random"]
    assert len(told[0]) == len(record.steps) + 1


def test_port_in_use_is_busy() -> None:
    with Gate(NIM, Keys(), "127.0.0.1", 0, tell=lambda sentence: None) as gate:
        with pytest.raises(ludus.BusyError, match=f"127.0.0.1.*{gate.port}"):
            Gate(NIM, Keys(), "127.0.0.1", gate.port, tell=lambda sentence: None).__enter__()
        with pytest.raises(ludus.BusyError, match=f"127.0.0.1.*{gate.port}"):
            asyncio.run(Host(NIM, Keys(), keeping([])).run("127.0.0.1", gate.port, None, lambda: None))
