"""What servers of all games share: clients wait in a lobby and play, many games at once, and each of them is stored."""

import asyncio
import itertools
import ssl
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from time import perf_counter_ns
from typing import ClassVar, Generic, Protocol, TypeVar

from ludus.agents.bot import Bot
from ludus.agents.human import Human
from ludus.agents.remote import Remote
from ludus.catalog import agent_from
from ludus.errors import LudusError
from ludus.games.base import Game
from ludus.players.in_process import gist
from ludus.record import Record
from ludus.servers.keeping import keep
from ludus.servers.lobby import Guest, Lobby
from ludus.store import Store


class Named(Protocol):
    """Whoever plays."""

    @property
    def name(self) -> str: ...


class AnyTable(Protocol):
    """A game that is being played."""

    @property
    def players(self) -> Sequence[Named]: ...

    async def play(self) -> Record:
        """Play it to its end."""

    def leave(self) -> None:
        """Let all players go."""


TableT = TypeVar("TableT", bound=AnyTable)
GuestT = TypeVar("GuestT", bound=Guest)


def check_fill(agents: Sequence[str], games: Sequence[Game], example: str) -> tuple[str, ...]:
    """The specs of agents that fill places of all these games; LudusError if one cannot."""
    made = [agent_from(text) for text in agents]
    for agent in made:
        if isinstance(agent, Bot | Human | Remote):
            raise LudusError(f"{agent.spec()} cannot fill a place: name an agent of Ludus, such as {example}.")
        for game in games:
            if reason := agent.unsuited(game):
                raise LudusError(
                    f"{agent.spec()} cannot fill a place of {game.title} with {game.seats} players: it {reason}."
                )
    return tuple(agent.spec() for agent in made)


class Host(Generic[TableT, GuestT]):
    """A server. `run` it; `stop` it, twice if it must be at once.

    `tell` gets sentences about what happens, and `ended` the record of each game, once it is stored. If nobody reads
    what `ended` writes, it stops after the games that are on, with that BrokenPipeError.
    """

    round_word: ClassVar[str] = "round"

    def __init__(
        self,
        store: Store,
        *,
        games: int | None = None,
        tell: Callable[[str], None] = lambda sentence: None,
        ended: Callable[[Record], None] = lambda record: None,
    ) -> None:
        self.tables: dict[int, TableT] = {}
        """The games that are being played, by number."""
        self.port = 0
        """Where it listens, once it does."""
        self.stopping = False
        """Whether no more games are begun."""
        self._store = store
        self._games = games
        self._tell = tell
        self._ended = ended
        self._tasks: set[asyncio.Task[None]] = set()
        self._keeping: set[asyncio.Task[None]] = set()
        self._numbers = itertools.count(1)
        self._done = asyncio.Event()
        self._is_asked_to_stop = False
        self._cut_off = False
        self._unread: BrokenPipeError | None = None
        self._writer = ThreadPoolExecutor(max_workers=1)
        self.lobby = self._new_lobby()

    # --- What differs from game to game ---------------------------------------------------------------------------

    async def _prepare(self) -> None:
        """Compile and start what the first game needs."""
        raise NotImplementedError

    def _release(self) -> None:
        """End what `_prepare` started."""

    def _listen(self, host: str, port: int, security: ssl.SSLContext | None) -> AbstractAsyncContextManager[int]:
        """Let clients in, to `_receive`, as long as the context lasts; the port."""
        raise NotImplementedError

    def _address(self, host: str, security: ssl.SSLContext | None) -> str:
        """Where clients connect to."""
        raise NotImplementedError

    def _new_lobby(self) -> Lobby[GuestT]:
        """Where clients wait for the next game."""
        raise NotImplementedError

    async def _lay(self, number: int, clients: list[GuestT], places: int, lobby: Lobby[GuestT]) -> TableT:
        """The table of a game whose players waited in that lobby, with agents at places that no client has taken."""
        raise NotImplementedError

    def _setting(self, table: TableT) -> str:
        """Where and how fast a game is played, in words."""
        raise NotImplementedError

    def _changed(self) -> None:
        """Who waits and what is played is not as before."""

    def _left(self, number: int) -> None:
        """A table is empty."""

    # --- Beginning and stopping -----------------------------------------------------------------------------------

    async def run(
        self,
        host: str,
        port: int,
        security: ssl.SSLContext | None = None,
        ready: Callable[[], None] = lambda: None,
    ) -> bool:
        """Serve until it is stopped, or so many games were played; whether all were played to their end.

        `ready` is called when all is compiled and clients can come in.
        """
        try:
            await self._prepare()
            async with self._listen(host, port, security) as self.port:
                self._tell(f"Clients connect to {self._address(host, security)}.")
                ready()
                await self._done.wait()
                for task in self._tasks:
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)
                await asyncio.gather(*self._keeping)
        finally:
            self._release()
            self._writer.shutdown()
        if self._unread is not None:
            raise self._unread
        return not self._cut_off

    def stop(self) -> None:
        """Let nobody in any more and let the games end; asked again, end them."""
        if self._is_asked_to_stop:
            self._cut_off = bool(self.tables)
            self._done.set()
            return
        self._is_asked_to_stop = True
        self._close()
        if self.tables:
            self._tell(f"Nobody is let in any more; {_games(len(self.tables))} will be played to the end.")

    def _close(self) -> None:
        self.stopping = True
        for client in self.lobby.close():
            client.let_go()
        if not self._tasks:
            self._done.set()

    # --- From the lobby to the table ------------------------------------------------------------------------------

    def _receive(self, client: GuestT) -> None:
        if self.stopping:
            client.let_go()
            return
        lobby = self.lobby
        lobby.join(client)
        if lobby is self.lobby:
            self._tell(f"{client.name} waits: {len(lobby.clients)} of {lobby.places}.")
            self._changed()

    def _lose(self, client: GuestT) -> None:
        self._tell(f"{client.name} left before a game began.")
        self._changed()

    def _begin(self, clients: list[GuestT], places: int) -> None:
        """A game begins; those who come now wait for the next one."""
        number = next(self._numbers)
        task = asyncio.create_task(self._play(number, clients, places, self.lobby))
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        self.lobby = self._new_lobby()
        if number == self._games:
            self._close()

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._tell(f"A game was broken off, please report it: {gist(error)}.")
        if self.stopping and not self._tasks:
            self._done.set()

    async def _play(self, number: int, clients: list[GuestT], places: int, lobby: Lobby[GuestT]) -> None:
        began = perf_counter_ns()
        try:
            table = await self._lay(number, clients, places, lobby)
        except BaseException as error:
            for client in clients:
                client.let_go()
            if not isinstance(error, LudusError):
                raise
            self._tell(f"Game {number} cannot begin: {error}")
            return
        self.tables[number] = table
        try:
            names = ", ".join(player.name for player in table.players)
            self._tell(f"Game {number} begins {self._setting(table)}: {names}.")
            self._changed()
            record = await table.play()
        finally:
            table.leave()
            del self.tables[number]
            self._left(number)
            self._changed()
        keeping = asyncio.create_task(self._keep(number, record, perf_counter_ns() - began))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)
        await asyncio.shield(keeping)  # whoever stops the server at once does not want to lose what was played

    async def _keep(self, number: int, record: Record, wall: int) -> None:
        loop = asyncio.get_running_loop()
        result = _result(record, self.round_word)
        try:
            kept = await loop.run_in_executor(self._writer, keep, self._store, "hosted", record, wall)
        except LudusError as error:
            self._tell(f"Game {number}: {result}, but it could not be stored: {error}")
        else:
            self._tell(f"Game {number}: {result}; stored as {kept.name}.")
        try:
            self._ended(record)
        except BrokenPipeError as error:
            self._unread = error
            self._close()


def _result(record: Record, round_word: str) -> str:
    best = max(record.scores)
    winners = [seat.name for seat, score in zip(record.seats, record.scores, strict=True) if score == best]
    rounds = f"{len(record.steps)} {round_word}{'s' * (len(record.steps) != 1)}"
    return f"{winners[0]} won after {rounds}" if len(winners) == 1 else f"a draw after {rounds}: {', '.join(winners)}"


def _games(number: int) -> str:
    return "one game" if number == 1 else f"{number} games"
