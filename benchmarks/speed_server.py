"""The server of spe_ed: rounds a second with six clients on this machine, and fifty games at once.

Beside it, a bare WebSocket server of the same library answers the same clients with texts as long as a state, and does
nothing else. Server and clients are processes of their own.
"""

import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from ludus.episode.record import Fault
from ludus.store import open_store
from side_by_side import Row, compare, main

PLAYERS, WIDTH, HEIGHT = 6, 60, 50
GAMES, ROUNDS = 50, 8
AGENT = "mcts"
EXCHANGES = 400
_WAYS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
_TURNS = list(_WAYS)


class Player(msgspec.Struct):
    """A player as a client needs it."""

    x: int
    y: int
    direction: str
    active: bool


class State(msgspec.Struct):
    """A state as a client needs it."""

    width: int
    height: int
    cells: list[list[int]]
    players: dict[str, Player]
    you: int
    running: bool


decoded = msgspec.json.Decoder(State).decode


def action(state: State) -> bytes:
    """Straight on, or where there is room."""
    me = state.players[str(state.you)]
    for name, turn in ((b"change_nothing", 0), (b"turn_left", -1), (b"turn_right", 1)):
        dx, dy = _WAYS[_TURNS[(_TURNS.index(me.direction) + turn) % 4]]
        x, y = me.x + dx, me.y + dy
        if 0 <= x < state.width and 0 <= y < state.height and state.cells[y][x] == 0:
            return b'{"action":"%b"}' % name
    return b'{"action":"change_nothing"}'


async def play(connection: ClientConnection, begun: asyncio.Event | None = None, most: int | None = None) -> int:
    """Play a game, or give up after this many rounds; return the number of states with a round."""
    rounds = 0
    with suppress(ConnectionClosed):
        while (state := decoded(await connection.recv(decode=False))).running:
            rounds += 1
            if begun is not None:
                begun.set()
            if state.players[str(state.you)].active:
                await connection.send(b'{"action":"slow_down"}' if rounds == most else action(state))
    return rounds


class Program:
    """A server as a process, which tells its port."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if match := re.search(r"ws://\S+:(\d+)/", line):
                self.port = int(match[1])
                return
        raise RuntimeError(f"{command[0]} does not listen")

    def end(self) -> None:
        """Stop it, and wait until all is stored."""
        self._process.send_signal(signal.SIGINT)
        self._process.communicate(timeout=60)


def ludus_host(store: Path, *options: str) -> Program:
    """`ludus host speed`."""
    program = str(Path(sys.executable).with_name("ludus"))
    return Program(program, "host", "speed", "--port", "0", "--store", str(store), *options)


def _url(port: int) -> str:
    return f"ws://127.0.0.1:{port}/spe_ed?key="


@asynccontextmanager
async def connected(port: int, clients: int) -> Any:
    """Open this many connections, one key each."""
    made = [await connect(f"{_url(port)}{number}", compression=None, max_size=None) for number in range(clients)]
    try:
        yield made
    finally:
        await asyncio.gather(*(connection.close() for connection in made))


def rounds_a_second(port: int) -> float:
    """Of one game with all clients, from its first round to its end."""

    async def measure() -> float:
        async with connected(port, PLAYERS) as clients:
            begin = time.perf_counter()
            rounds = await asyncio.gather(*map(play, clients))
            return max(rounds) / (time.perf_counter() - begin)

    return asyncio.run(measure())


def echoes_a_second(port: int) -> float:
    """Of all clients of a server that only answers, until each has had an answer."""

    async def exchange(connection: ClientConnection) -> None:
        for _ in range(EXCHANGES):
            await connection.send(b'{"action":"change_nothing"}')
            decoded(await connection.recv(decode=False))

    async def measure() -> float:
        async with connected(port, PLAYERS) as clients:
            begin = time.perf_counter()
            await asyncio.gather(*map(exchange, clients))
            return EXCHANGES / (time.perf_counter() - begin)

    return asyncio.run(measure())


async def answer_all() -> None:
    """The peer: a bare server of the same library, whose answers are as long as a state."""
    players = {str(n): {"x": 10, "y": 10, "direction": "up", "speed": 1, "active": True} for n in range(1, PLAYERS + 1)}
    state = {"width": WIDTH, "height": HEIGHT, "cells": [[0] * WIDTH] * HEIGHT, "players": players}
    text = msgspec.json.encode(state | {"you": 1, "running": True}).decode()

    async def handle(connection: ServerConnection) -> None:
        async for _ in connection:
            await connection.send(text)

    async with serve(handle, "127.0.0.1", 0, compression=None, ping_interval=None) as server:
        print(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/", file=sys.stderr, flush=True)
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, server.close)
        await server.wait_closed()


def late_moves(folder: Path) -> tuple[int, int]:
    """Late moves of agents that fill places, and all their moves, in this many simultaneous games."""
    store = folder / "many.db"
    options = ("--players", "2", "--deadline", "2", "--grace", "2s", "--lobby", "10ms", "--fill", AGENT)
    host = ludus_host(store, *options)

    async def measure() -> None:
        async with asyncio.TaskGroup() as tasks:
            for number in range(GAMES):  # one after the other, or they would play each other
                begun = asyncio.Event()
                client = await connect(f"{_url(host.port)}{number}", compression=None)
                tasks.create_task(play(client, begun, ROUNDS))
                await begun.wait()

    asyncio.run(measure())
    host.end()
    with open_store(str(store)) as opened:
        records = [record for summary in opened.tournaments() for _, record in opened.records(summary.id)]
    assert len(records) == GAMES
    moves = [
        move for record in records for step in record.steps for move in step if record.seats[move.seat].agent == AGENT
    ]
    return sum(move.fault is Fault.LATE for move in moves), len(moves)


def measure() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        size = ("--width", str(WIDTH), "--height", str(HEIGHT))
        host = ludus_host(Path(folder, "one.db"), "--players", str(PLAYERS), "--deadline", "15", *size)
        peer = Program(sys.executable, __file__, "--peer")
        row = compare(
            f"{PLAYERS} clients on {WIDTH}×{HEIGHT}",
            lambda: rounds_a_second(host.port),
            lambda: echoes_a_second(peer.port),
            "rounds/s",
            "bare WebSocket echo",
        )
        host.end()
        peer.end()
        yield row
        organisers = "organisers' server: about 100"
        yield Row(f"{PLAYERS} clients, alone", row.ludus, None, "rounds/s", None, 300, organisers)
        late, moves = late_moves(Path(folder))
        beside = f"{moves} moves of {AGENT} on {os.cpu_count()} cores"
        yield Row(f"{GAMES} games at once", late, None, "late moves", None, 0, beside, less_is_better=True)


if __name__ == "__main__":
    if "--peer" in sys.argv:
        asyncio.run(answer_all())
    else:
        main("The server of spe_ed", measure)
