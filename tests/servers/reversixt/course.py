"""A server of ReversiXT that runs, and clients over real sockets that say what a test wants."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from ludus.games.reversixt.game import ReversiXT
from ludus.protocols.reversixt_api import FROM_SERVERS, Buffer, Kind, Message, number, read_request
from ludus.record import Record
from ludus.servers.reversixt.hosting import Plan, ReversiXtHost
from ludus.store import open_store

SECOND = 10**9
_PATIENCE = 60.0


@dataclass
class Course:
    """A server, what it told and what was played on it."""

    port: int = 0
    told: list[str] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)

    def client(self, group: int = 1) -> "Scripted":
        """A client that has said its group."""
        client = Scripted(self.port)
        client.say(number(Kind.GROUP, group))
        return client


@contextmanager
def hosting(
    folder: Path, *maps: str, increment: float = 20.0, depth: int = 0, lobby: float = 60.0, fill: tuple[str, ...] = ()
) -> Iterator[Course]:
    """A server as long as the context lasts."""
    course, ready = Course(), threading.Event()
    games = tuple(ReversiXT(map=name) for name in maps)
    plan = Plan(games, round(increment * SECOND), depth, 0, round(lobby * SECOND), fill)
    stop: list[ReversiXtHost] = []
    loop = asyncio.new_event_loop()

    async def run() -> None:
        with open_store(str(folder / "store.db")) as store:
            host = ReversiXtHost(plan, store, tell=course.told.append, ended=course.records.append)
            stop.append(host)

            def is_ready() -> None:
                course.port = host.port
                ready.set()

            try:
                await host.run("127.0.0.1", 0, None, is_ready)
            finally:
                ready.set()

    thread = threading.Thread(target=lambda: loop.run_until_complete(run()))
    thread.start()
    try:
        assert ready.wait(_PATIENCE)
        yield course
    finally:
        for _ in range(2):
            loop.call_soon_threadsafe(stop[0].stop)
        thread.join()
        loop.close()


class Scripted:
    """A client that does what it is told."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), _PATIENCE)
        self._buffer = Buffer(FROM_SERVERS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.leave()

    def say(self, data: bytes) -> None:
        self._socket.sendall(data)

    def hear(self) -> Message | None:
        """The next message; None when the server has closed the connection."""
        while (said := self._buffer.next()) is None:
            data = self._socket.recv(1 << 16)
            if not data:
                return None
            self._buffer.add(data)
        return said

    def hear_all(self) -> list[Message]:
        """Everything until the server closes the connection."""
        return list(iter(self.hear, None))

    def hear_start(self) -> tuple[str, int]:
        """The text of the map, and the number of this player."""
        first, second = self.hear(), self.hear()
        assert first is not None
        assert second is not None
        assert (first.kind, second.kind) == (Kind.MAP, Kind.NUMBER)
        return first.payload.decode(), second.number

    def hear_request(self) -> tuple[int, int]:
        """The milliseconds and the depth of the next request, after whatever comes before it."""
        while True:
            said = self.hear()
            assert said is not None
            if said.kind is Kind.REQUEST:
                return read_request(said.payload)

    def leave(self) -> None:
        self._socket.close()
