"""Clients of ReversiXT that are connected: what they are sent, and their answers."""

import asyncio
from collections import deque
from collections.abc import Callable
from time import perf_counter_ns
from typing import cast

from ludus.agents.base import Answer, Request
from ludus.agents.remote import remote_spec
from ludus.errors import LudusError
from ludus.games.reversixt.game import ReversiXT
from ludus.players.clients import nothing
from ludus.protocols.reversixt_api import (
    FROM_CLIENTS,
    Buffer,
    Kind,
    Message,
    read_move,
    request,
    spoken_move,
)
from ludus.record import Fault

_MILLISECOND = 1_000_000
_MOST_UNREAD = 8 << 20
"""Bytes that wait for a client that does not read, before it is let go."""
_FAREWELL = 5.0
"""Seconds in which the last message must have been taken."""
_INTRODUCTION = 30.0
"""Seconds that a client has to say its group."""


class Client(asyncio.Protocol):
    """One connection of a client; it is handed to `receive` once it has said its group, which is its name.

    What it says without being asked waits until it is asked, as it would on the way.
    """

    def __init__(self, receive: Callable[["Client"], None]) -> None:
        self.name = ""
        self.gone = False
        self.changed: Callable[[], None] = nothing
        self._receive = receive
        self._buffer = Buffer(FROM_CLIENTS)
        self._messages: deque[Message] = deque()
        self._wrong = ""
        self._heard = asyncio.Event()

    @property
    def spec(self) -> str:
        return remote_spec(self.name)

    # --- What comes -------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._timer = asyncio.get_running_loop().call_later(_INTRODUCTION, self._transport.abort)

    def data_received(self, data: bytes) -> None:
        if self._wrong:
            return
        self._buffer.add(data)
        try:
            while (message := self._buffer.next()) is not None:
                if self.name:
                    self._messages.append(message)
                else:
                    self._introduce(message)
        except LudusError as error:
            self._wrong = f"spoke wrongly: {error}"
            if not self.name:
                self._transport.abort()
        self._heard.set()

    def _introduce(self, message: Message) -> None:
        if message.kind is not Kind.GROUP:
            raise LudusError("its group must come first.")
        self._timer.cancel()
        self.name = f"group {message.number}"
        self._receive(self)

    def connection_lost(self, error: Exception | None) -> None:
        self._timer.cancel()
        self.gone = True
        self._heard.set()
        self.changed()

    # --- What it is sent ----------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Send something; who does not take it is not waited for."""
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > _MOST_UNREAD:
            self._transport.abort()

    async def think(self, game: ReversiXT, asked: Request, depth: int, grace: int) -> Answer:
        """Ask for a move, and wait for it as long as the clock of the request says."""
        limit = asked.clock.limit()
        began = perf_counter_ns()
        self.send(request(0 if limit is None else limit // _MILLISECOND, depth))
        try:
            await asyncio.wait_for(self._something(), None if limit is None else (limit + grace) / 1e9)
        except TimeoutError:
            return Answer(None, perf_counter_ns() - began, fault=Fault.LATE, evidence="gave no answer in time")
        wall = perf_counter_ns() - began
        if not self._messages:
            evidence = self._wrong or "closed its connection"
            return Answer(None, wall, fault=Fault.ILLEGAL if self._wrong else Fault.FAILED, evidence=evidence)
        said = self._messages.popleft()
        if said.kind is not Kind.MOVE:
            return Answer(None, wall, fault=Fault.ILLEGAL, evidence="sent its group instead of a move")
        move = read_move(game, asked.view.state, said.payload)
        if move is None:
            return Answer(None, wall, fault=Fault.ILLEGAL, evidence=spoken_move(said.payload))
        return Answer(move, wall)

    async def _something(self) -> None:
        """Wait until there is a message, or there will be none."""
        while not self._messages and not self._wrong and not self.gone:
            self._heard.clear()
            await self._heard.wait()

    def let_go(self) -> None:
        """Close its connection once all is sent."""
        self._transport.close()
        asyncio.get_running_loop().call_later(_FAREWELL, self._transport.abort)
