"""A server in this process and real WebSocket clients that play on it."""

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from ssl import SSLContext
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedError

from ludus.contests.speed.server import SpeedContest
from ludus.core.ranges import Range
from ludus.episode.record import Record
from ludus.net.listener import Keys
from ludus.net.lobby import SECOND
from ludus.net.server import Host
from ludus.store import open_store

LONG = 600.0
"""Seconds that no round of a test waits for."""


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test that cannot hang."""

    async def bounded() -> None:
        async with asyncio.timeout(600):  # a slow machine compiles for minutes
            await test

    asyncio.run(bounded())


class Contestant:
    """A client with a key."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.last: dict[str, Any] = {}

    async def state(self) -> dict[str, Any]:
        """The next state."""
        text = await self.connection.recv()
        assert isinstance(text, str)
        assert text.endswith("}\n")
        self.last = json.loads(text)
        return self.last

    @property
    def me(self) -> dict[str, Any]:
        """This player in the last state."""
        player: dict[str, Any] = self.last["players"][str(self.last["you"])]
        return player

    async def act(self, action: str = "change_nothing") -> None:
        """Answer."""
        await self.connection.send(json.dumps({"action": action}))

    async def is_heard(self) -> None:
        """Wait until the server has got all that was sent."""
        await (await self.connection.ping())

    async def end(self) -> dict[str, Any]:
        """Go straight on until the game is over, and see that the connection is closed without a word."""
        while (await self.state())["running"]:
            if self.me["active"]:
                await self.act()
        await self.is_closed()
        return self.last

    async def is_closed(self) -> None:
        """See that nothing more comes, not even a closing frame."""
        with pytest.raises(ConnectionClosedError) as closed:
            await self.connection.recv()
        assert closed.value.rcvd is None


@dataclass
class Contest:
    """A server that runs."""

    host: Host
    told: list[str] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    scheme: str = "ws"

    async def stored(self, games: int = 1) -> list[Record]:
        """The records, once this many are stored."""
        while len(self.records) < games:
            await asyncio.sleep(0.01)
        return self.records

    def url(self, path: str) -> str:
        return f"{self.scheme}://localhost:{self.host.port}{path}"

    async def join(self, key: str, **options: Any) -> Contestant:
        """Connect a client."""
        return Contestant(await connect(self.url(f"/spe_ed?key={key}"), compression=None, max_size=None, **options))

    async def join_all(self, keys: str) -> list[Contestant]:
        """Connect a client for each letter, in this order."""
        return [await self.join(key) for key in keys]

    async def fetch(self, path: str, *headers: str) -> tuple[int, bytes]:
        """Ask by plain HTTP: the status and the body."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.host.port)
        writer.write("\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode())
        answer = await reader.read()
        writer.close()
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), body


@asynccontextmanager
async def contest(
    folder: Path,
    players: int | tuple[int, int] = 2,
    *,
    width: str = "400",
    height: str = "100",
    deadline: float | tuple[float, float] = LONG,
    grace: float = 0.0,
    lobby: float = LONG,
    fill: tuple[str, ...] = (),
    keys: Keys | None = None,
    games: int | None = None,
    security: SSLContext | None = None,
) -> AsyncIterator[Contest]:
    """A server as long as the context lasts; its boards are so large that nobody meets by chance for a while."""
    low, high = players if isinstance(players, tuple) else (players, players)
    deadlines = deadline if isinstance(deadline, tuple) else (deadline, deadline)
    speed = SpeedContest(
        players=Range(low, high),
        width=Range.parse(width),
        height=Range.parse(height),
        deadline=Range(*deadlines),
        grace=round(grace * SECOND),
    )
    with open_store(str(folder / "store.db")) as store:
        ready = asyncio.Event()
        held: list[Contest] = []
        host = Host(
            speed,
            keys or Keys(),
            lambda record, wall: store.keep_game("hosted", record, wall).name,
            fill=fill,
            patience=round(lobby * SECOND),
            games=games,
            tell=lambda sentence: held[0].told.append(sentence),
            ended=lambda record: held[0].records.append(record),
        )
        held.append(Contest(host, scheme="ws" if security is None else "wss"))
        running = asyncio.create_task(host.run("127.0.0.1", 0, security, ready.set))
        waiting = asyncio.create_task(ready.wait())
        await asyncio.wait([running, waiting], return_when=asyncio.FIRST_COMPLETED)
        try:
            yield held[0]
        finally:
            waiting.cancel()
            host.stop()
            host.stop()
            await running
