"""Connected clients: messages to and from them, and rounds in which they answer together."""

import asyncio
from collections.abc import Callable, Sequence
from time import perf_counter_ns
from typing import Protocol

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from ludus.episode.cost import Cost
from ludus.episode.request import Answer, Request
from ludus.net.client_answers import LARGEST, ClientAnswers
from ludus.net.contest import Contest
from ludus.net.remote import remote_spec

_MOST_UNREAD = 8 << 20
"""Bytes that may wait for a client that does not read, before it is disconnected."""
FAREWELL = 5.0
"""Seconds within which the last message must be read."""


def nothing() -> None:
    """Do nothing, as a callback."""


class Asked(Protocol):
    """A player that must answer in a round; it calls `changed` when it may have."""

    changed: Callable[[], None]

    @property
    def settled(self) -> bool:
        """True if the round need not wait for it."""

    def end(self, now: int) -> Answer:
        """End the round, and return its answer."""


class Client:
    """One connection of a client, from its admission until it leaves or is released."""

    def __init__(self, connection: ServerConnection, name: str, contest: Contest) -> None:
        self.name = name
        self.changed: Callable[[], None] = nothing
        self._connection = connection
        self._answers = ClientAnswers(contest)
        self._is_let_go = False

    @property
    def spec(self) -> str:
        """The spec of a player that is such a client."""
        return remote_spec(self.name)

    @property
    def present(self) -> bool:
        """True while it is waiting or playing."""
        return not self._is_let_go and self._connection.state is not State.CLOSED

    @property
    def gone(self) -> bool:
        """True if it has left."""
        return self._answers.gone

    async def listen(self) -> None:
        """Receive its messages until it is gone."""
        try:
            while not self._answers.ignored:
                data = await self._connection.recv(decode=False)
                self._hear(data if len(data) <= LARGEST else None)
            await self._connection.wait_closed()
        except ConnectionClosed:
            pass
        finally:
            self._answers.leave(perf_counter_ns())
            self.changed()

    def overflow(self) -> None:
        """Note that a message is too large, of which the rest is not read."""
        self._hear(None)

    def _hear(self, data: bytes | None) -> None:
        self._answers.receive(data, perf_counter_ns())
        self.changed()

    def send(self, message: bytes) -> None:
        """Send a message as text, unless it is empty, without waiting for the client to read it."""
        if message:
            broadcast([self._connection], message, text=True)
        if self._connection.transport.get_write_buffer_size() > _MOST_UNREAD:
            self._connection.transport.abort()

    def release(self) -> None:
        """Close its connection after all messages are sent, without a closing frame, as contest servers do."""
        self._is_let_go = True
        hang_up(self._connection)

    def begin(self, now: int) -> None:
        """Begin a round, in which it must answer."""
        self._answers.begin(now)

    def ask(self, request: Request, now: int, nanoseconds: int) -> None:
        self.begin(now)

    @property
    def settled(self) -> bool:
        return self._answers.settled

    def end(self, now: int) -> Answer:
        reply = self._answers.end(now)
        return Answer(reply.move, None, reply.fault, reply.evidence, Cost(wall=reply.wall))


def hang_up(connection: ServerConnection) -> None:
    """Close a connection after all messages are sent, without a closing frame."""
    connection.transport.close()
    asyncio.get_running_loop().call_later(FAREWELL, connection.transport.abort)


class Round:
    """One round: over when all have answered, or when its time is up.

    It ends in the moment of the last answer, before any further message is read, which belongs to the next round.
    """

    def __init__(self, players: Sequence[Asked], nanoseconds: int) -> None:
        loop = asyncio.get_running_loop()
        self._players = players
        self._over: asyncio.Future[list[Answer]] = loop.create_future()
        self._timer = loop.call_later(nanoseconds / 1e9, self._end)
        for player in players:
            player.changed = self._look
        self._look()

    async def answers(self) -> list[Answer]:
        """The answers of all players, in order."""
        try:
            return await self._over
        finally:
            self._timer.cancel()

    def _look(self) -> None:
        for player in self._players:
            if not player.settled:
                return
        self._end()

    def _end(self) -> None:
        if self._over.done():
            return
        now = perf_counter_ns()
        for player in self._players:
            player.changed = nothing
        self._over.set_result([player.end(now) for player in self._players])
