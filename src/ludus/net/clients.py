"""Connected clients: what they are sent, what they say, and rounds in which they answer together."""

import asyncio
from collections.abc import Callable, Sequence
from time import perf_counter_ns
from typing import Protocol

from websockets.asyncio.server import ServerConnection, broadcast
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from ludus.episode.cost import Cost
from ludus.episode.request import Answer, Request
from ludus.net.contest import Contest
from ludus.net.hearing import Hearing
from ludus.net.remote import remote_spec

_MOST_UNREAD = 8 << 20
"""Bytes that wait for a client that does not read, before it is let go."""
FAREWELL = 5.0
"""Seconds in which the last message must have been taken."""


def nothing() -> None:
    """What is to be done where nobody waits for a change."""


class Asked(Protocol):
    """A player that is to answer in a round; `changed` is to be called when it may have."""

    changed: Callable[[], None]

    @property
    def settled(self) -> bool:
        """Whether the round need not wait for it."""

    def end(self, now: int) -> Answer:
        """The round is over; what it answered."""


class Client:
    """One connection of a client, from when it is let in until it leaves or is let go."""

    def __init__(self, connection: ServerConnection, name: str, contest: Contest) -> None:
        self.name = name
        self.changed: Callable[[], None] = nothing
        self._connection = connection
        self._hearing = Hearing(contest)
        self._is_let_go = False

    @property
    def spec(self) -> str:
        """The spec of a player that is such a client."""
        return remote_spec(self.name)

    @property
    def present(self) -> bool:
        """Whether it is waiting or playing."""
        return not self._is_let_go and self._connection.state is not State.CLOSED

    @property
    def gone(self) -> bool:
        """Whether it has left."""
        return self._hearing.gone

    async def listen(self) -> None:
        """Hear it until it is gone."""
        try:
            while not self._hearing.deaf:
                data = await self._connection.recv(decode=False)
                self._hearing.receive(data, perf_counter_ns())
                self.changed()
            await self._connection.wait_closed()
        except ConnectionClosed:
            pass
        finally:
            self._hearing.leave(perf_counter_ns())
            self.changed()

    def send(self, message: bytes) -> None:
        """Send a message as text, unless it is empty; who does not take it is not waited for."""
        if message:
            broadcast([self._connection], message, text=True)
        if self._connection.transport.get_write_buffer_size() > _MOST_UNREAD:
            self._connection.transport.abort()

    def let_go(self) -> None:
        """Close its connection once all is sent, without a closing frame, as servers of contests do."""
        self._is_let_go = True
        hang_up(self._connection)

    def begin(self, now: int) -> None:
        """A round begins, in which it is to answer."""
        self._hearing.begin(now)

    def ask(self, request: Request, now: int, nanoseconds: int) -> None:
        self.begin(now)

    @property
    def settled(self) -> bool:
        return self._hearing.settled

    def end(self, now: int) -> Answer:
        reply = self._hearing.end(now)
        return Answer(reply.move, None, reply.fault, reply.evidence, Cost(wall=reply.wall))


def hang_up(connection: ServerConnection) -> None:
    """Close a connection once all is sent, without a closing frame."""
    connection.transport.close()
    asyncio.get_running_loop().call_later(FAREWELL, connection.transport.abort)


class Round:
    """One round: over as soon as all have answered, or when its time is up.

    It is over in the very moment of the last answer, before anything else is heard: what follows is for the next one.
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
        """What came of it, player by player."""
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
