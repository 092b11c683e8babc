"""A server of spe_ed that plays by a script: real sockets, one client, and everybody else does what is written down."""

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import numpy as np
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from ludus.contests.speed.api import TIME_PATH, BoardText, read_action, time_message
from ludus.contests.speed.game import CHANGE_NOTHING, DIRECTIONS, NO_ANSWER, SpeedState, empty_board
from ludus.kernel.rules import duplicate, movers, over, play
from ludus.net.contest import NoAnswer

KEY = "a key"


def board(width: int, height: int, *players: tuple[int, int, str]) -> SpeedState:
    """A start with these players, as x, y and direction."""
    state = empty_board(width, height, [(x, y, DIRECTIONS.index(direction), 1, 0) for x, y, direction in players])
    for number, (x, y, _) in enumerate(players, 1):
        state.cells[y, x] = number
    return state


TUNNEL = board(9, 5, (0, 0, "right"), (4, 4, "down"))
"""The second player, if it goes on, is out after the first round."""


@dataclass
class Scripted:
    """The behaviour of the server, and its observations."""

    start: SpeedState = field(default_factory=lambda: duplicate(TUNNEL))
    moves: Sequence[Sequence[int]] = ()
    """Of the others in each round; after that they change nothing."""
    statuses: list[int] = field(default_factory=list)
    """Answers to the first attempts to connect."""
    hangs_up_after: int | None = None
    """States, after which it closes the connection."""
    seconds: Sequence[float] = (600.0,)
    """Until the deadline of each round; the last again and again."""
    ahead: timedelta = timedelta()
    """Its clock is ahead of ours by so much."""
    tells_time: bool = True
    names: Sequence[str] = ("anna", "berta", "carla")
    heard: list[tuple[str, float]] = field(default_factory=list)
    """Messages of the client, with the seconds left to the deadline."""
    games: int = 0
    tries: int = 0
    asked: int = 0
    port: int = 0
    pong: Path | None = None
    """A file that it writes in each round, once the client has answered its ping."""
    closed: Path | None = None
    """A file that it writes once the connection is closed; with it, it waits for no answer."""
    misses: int = 0
    """Requests for the time that it fails, after the first one."""
    gate: threading.Event | None = None
    """Is waited for before a game goes on after its first round."""

    @property
    def now(self) -> datetime:
        """The time of its clock."""
        return datetime.now(UTC) + self.ahead

    def admit(self, connection: ServerConnection, request: Request) -> Response | None:
        """Tell the time, and refuse who may not play."""
        parts = urlsplit(request.path)
        if parts.path == TIME_PATH:
            self.asked += 1
            fails = not self.tells_time or 1 < self.asked <= 1 + self.misses
            return _response(404) if fails else _response(200, time_message(self.now))
        self.tries += 1
        if self.statuses:
            return _response(self.statuses.pop(0))
        return None if parse_qs(parts.query).get("key") == [KEY] else _response(403)

    async def play(self, connection: ServerConnection) -> None:
        """A game with the client as the first player."""
        self.games += 1
        state: SpeedState = duplicate(self.start)
        script, told = list(self.moves), 0
        with suppress(ConnectionClosed):
            while not over(state):
                seconds = self.seconds[min(told, len(self.seconds) - 1)]
                deadline = self.now + timedelta(seconds=seconds)
                await connection.send(BoardText(state, deadline).for_player(0), text=True)
                told += 1
                if told == self.hangs_up_after:
                    connection.transport.close()
                    return
                who = np.zeros(8, np.int64)
                alive = who[: movers(state, who)].tolist()
                chosen = list(script.pop(0)) if script else [CHANGE_NOTHING] * len(alive)
                if self.pong is not None:
                    await (await connection.ping())
                    self.pong.touch()
                if self.closed is not None:
                    chosen[0] = NO_ANSWER
                elif 0 in alive:
                    said = await connection.recv()
                    self.heard.append((str(said), (deadline - self.now).total_seconds()))
                    try:
                        chosen[0] = read_action(said)
                    except NoAnswer:
                        chosen[0] = NO_ANSWER
                if told == 1 and self.gate is not None:
                    await asyncio.to_thread(self.gate.wait, 60)
                play(state, np.array(chosen))
            last = BoardText(state, names=self.names[: len(state.players)])
            await connection.send(last.for_player(0), text=True)
            if self.closed is not None:
                await connection.close()
                self.closed.touch()


def _response(status: int, body: bytes = b"") -> Response:
    retry = {"Retry-After": "1"} if status == 503 else {}
    return Response(status, "", Headers({"Content-Length": str(len(body)), "Connection": "close", **retry}), body)


@contextmanager
def serving(script: Scripted, context: ssl.SSLContext | None = None) -> Iterator[str]:
    """The address of a server with that script."""
    loop, stopped = asyncio.new_event_loop(), asyncio.Event()
    listener = socket.create_server(("localhost", 0))
    script.port = listener.getsockname()[1]

    async def run() -> None:
        async with serve(script.play, sock=listener, process_request=script.admit, ssl=context, compression=None):
            await stopped.wait()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    try:
        yield f"{'wss' if context else 'ws'}://localhost:{script.port}/spe_ed"
    finally:
        loop.call_soon_threadsafe(stopped.set)
        thread.join()
        loop.close()
