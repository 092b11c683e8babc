"""A server of spe_ed: clients come in, wait in the lobby and play; many games at once, and each of them is stored."""

import asyncio
import itertools
import queue
import secrets
import ssl
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import perf_counter_ns
from typing import Any

import msgspec

from ludus.contests.speed.game import LARGEST, SMALLEST, Speed
from ludus.core.errors import InvalidError, LudusError
from ludus.core.registry import agent_from
from ludus.core.seeds import seed_from
from ludus.episode.local_player import gist
from ludus.episode.opening import start_state
from ludus.episode.record import Opening, Record
from ludus.net.agent_pool import Mind, Minds
from ludus.net.clients import Client
from ludus.net.listener import Entrance, Keys, address
from ludus.net.lobby import Lobby, Plan, Span
from ludus.net.spectators import SPECTATE, Spectators
from ludus.net.table import Table, rehearse
from ludus.store import Store
from ludus.store.keeping import keep

GAMES = "/games"
"""The path of the list of games."""

_DRAWN_BY_THE_GAME = Span(float(SMALLEST), float(LARGEST))


def check_fill(agents: Sequence[str], players: Span) -> tuple[str, ...]:
    """The specs of agents that fill places of games with so many players; LudusError if one cannot."""
    made = [agent_from(text) for text in agents]
    for agent in made:
        if agent.outside or agent.person:
            raise InvalidError(f"{agent.spec()} cannot fill a place: name an agent of Ludus, such as speed.combi.")
        for number in range(int(players.low), int(players.high) + 1):
            if reason := agent.unsuited(Speed(players=number)):
                raise InvalidError(f"{agent.spec()} cannot fill a place of spe_ed with {number} players: it {reason}.")
    return tuple(agent.spec() for agent in made)


class Host:
    """A server. `run` it; `stop` it, twice if it must be at once.

    `tell` gets sentences about what happens, and `ended` the record of each game, once it is stored. If nobody reads
    what `ended` writes, it stops after the games that are on, with that BrokenPipeError.
    """

    def __init__(
        self,
        plan: Plan,
        keys: Keys,
        store: Store,
        *,
        games: int | None = None,
        tell: Callable[[str], None] = lambda sentence: None,
        ended: Callable[[Record], None] = lambda record: None,
    ) -> None:
        plan.check()
        self.plan = plan
        self.tables: dict[int, Table] = {}
        """The games that are being played, by number."""
        self.port = 0
        """Where it listens, once it does."""
        self._store = store
        self._games = games
        self._tell = tell
        self._ended = ended
        self._minds = Minds(plan.fill)
        self._fill = itertools.cycle(plan.fill)
        self._spectators = Spectators(self._listing)
        self._entrance = Entrance(
            keys, self._receive, pages={GAMES: self._listing}, stream=SPECTATE, attend=self._spectators.attend
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._keeping: set[asyncio.Task[None]] = set()
        self._numbers = itertools.count(1)
        self._done = asyncio.Event()
        self._is_asked_to_stop = False
        self._cut_off = False
        self._unread: OSError | None = None
        self._writer = ThreadPoolExecutor(max_workers=1)
        self._to_tell: queue.SimpleQueue[Record | None] = queue.SimpleQueue()
        self._all_told, self._at_once = asyncio.Event(), asyncio.Event()
        self.lobby = Lobby(plan, self._begin, self._left)

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
        # As a daemon: whoever reads the records may never do so.
        threading.Thread(target=self._tell_records, args=[asyncio.get_running_loop()], daemon=True).start()
        try:
            await asyncio.to_thread(rehearse)
            await self._minds.start()
            async with self._entrance.open(host, port, security) as self.port:
                self._tell(f"Clients connect to {address(host, self.port, security)}.")
                ready()
                await self._done.wait()
                for task in self._tasks:
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)
                await asyncio.gather(*self._keeping)
            await self._records_told()
        finally:
            self._to_tell.put(None)
            self._minds.close()
            self._writer.shutdown()
        if isinstance(self._unread, BrokenPipeError):
            raise self._unread
        if self._unread is not None:
            raise LudusError(f"Records cannot be written: {self._unread.strerror}; the games are in the store.")
        return not self._cut_off

    @property
    def stopping(self) -> bool:
        """Whether no more games are begun."""
        return self._entrance.closed

    def stop(self) -> None:
        """Let nobody in any more and let the games end; asked again, end them."""
        if self._is_asked_to_stop:
            self._cut_off |= bool(self.tables)
            self._done.set()
            self._at_once.set()
            return
        self._is_asked_to_stop = True
        self._close()
        if self.tables:
            self._tell(f"Nobody is let in any more; {_games(len(self.tables))} will be played to the end.")

    # --- From the lobby to the table ------------------------------------------------------------------------------

    def _receive(self, client: Client) -> None:
        if self.stopping:
            client.let_go()
            return
        lobby = self.lobby
        lobby.join(client)
        if lobby is self.lobby:
            self._tell(f"{client.name} waits: {len(lobby.clients)} of {lobby.places}.")
            self._spectators.tell_list()

    def _left(self, client: Client) -> None:
        self._tell(f"{client.name} left before a game began.")
        self._spectators.tell_list()

    def _begin(self, clients: list[Client], places: int) -> None:
        """A game begins; those who come now wait for the next one."""
        number = next(self._numbers)
        task = asyncio.create_task(self._play(number, clients, places))
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        self.lobby = Lobby(self.plan, self._begin, self._left)
        if number == self._games:
            self._close()

    def _close(self) -> None:
        self._entrance.closed = True
        for client in self.lobby.close():
            client.let_go()
        self._spectators.tell_list()
        if not self._tasks:
            self._done.set()

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._tell(f"A game was broken off, please report it: {gist(error)}.")
        if self.stopping and not self._tasks:
            self._done.set()

    async def _play(self, number: int, clients: list[Client], places: int) -> None:
        began = perf_counter_ns()
        try:
            table = await self._lay(number, clients, places)
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
            height, width = table.state.cells.shape
            self._tell(f"Game {number} begins on {width}×{height}, {self.plan.deadline}s a round: {names}.")
            self._spectators.tell_list()
            record = await table.play()
        finally:
            table.leave()
            del self.tables[number]
            self._spectators.let_go(number)
            self._spectators.tell_list()
        keeping = asyncio.create_task(self._keep(number, record, perf_counter_ns() - began))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)
        await asyncio.shield(keeping)  # whoever stops the server at once does not want to lose what was played

    async def _lay(self, number: int, clients: list[Client], places: int) -> Table:
        """The table of a new game, with agents at the places that no client has taken."""
        seed = secrets.randbits(53)
        spans = self.plan.width, self.plan.height
        width, height = (None if span == _DRAWN_BY_THE_GAME else int(span.draw()) for span in spans)
        game, opening = Speed(players=places, width=width, height=height), Opening(seed=seed)
        if not all(span.fixed or span == _DRAWN_BY_THE_GAME for span in spans):
            # A spec without the size: else each size would come into a tournament of its own.
            opening = Opening(game.save(start_state(game, opening)))
            game = Speed(players=places)
        minds: list[Mind] = []
        try:
            for seat in range(len(clients), places):
                own_seed = seed_from(seed, "seat", seat)
                minds.append(await self._minds.seat(next(self._fill), game.spec(), seat, own_seed))
            plan = self.plan
            players: list[Client | Mind] = [*clients, *minds]
            return Table(number, game, opening, players, plan.deadline, plan.grace, self._spectators, seed)
        except BaseException:
            for mind in minds:
                mind.rise()
            raise

    async def _keep(self, number: int, record: Record, wall: int) -> None:
        loop = asyncio.get_running_loop()
        result = _result(record)
        try:
            kept = await loop.run_in_executor(self._writer, keep, self._store, "hosted", record, wall)
        except LudusError as error:
            self._tell(f"Game {number}: {result}, but it could not be stored: {error}")
        else:
            self._tell(f"Game {number}: {result}; stored as {kept.name}.")
        self._to_tell.put(record)

    def _tell_records(self, loop: asyncio.AbstractEventLoop) -> None:
        """Tell of games that ended, in a thread of its own: a reader that takes its time keeps nobody from playing."""
        try:
            while (record := self._to_tell.get()) is not None:
                self._ended(record)
        except OSError as error:
            with suppress(RuntimeError):  # the server has ended meanwhile
                loop.call_soon_threadsafe(self._lose_reader, error)
        finally:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self._all_told.set)

    def _lose_reader(self, error: OSError) -> None:
        self._unread = error
        self._close()

    async def _records_told(self) -> None:
        """Wait until all records are told, unless the server is to stop at once."""
        self._to_tell.put(None)
        waits = [asyncio.create_task(event.wait()) for event in (self._all_told, self._at_once)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    # --- What others can see --------------------------------------------------------------------------------------

    def _listing(self) -> bytes:
        games = [_listed(table) for table in self.tables.values()]
        lobby = {"places": self.lobby.places, "waiting": [client.name for client in self.lobby.clients]}
        return msgspec.json.encode({"games": games, "lobby": lobby}) + b"\n"


def _listed(table: Table) -> dict[str, Any]:
    height, width = table.state.cells.shape
    return {
        "game": table.number,
        "players": [
            {"name": player.name, "active": active} for player, active in zip(table.players, table.active, strict=True)
        ],
        "width": width,
        "height": height,
        "round": table.round,
        "began": table.began,
    }


def _result(record: Record) -> str:
    best = max(record.scores)
    winners = [seat.name for seat, score in zip(record.seats, record.scores, strict=True) if score == best]
    rounds = f"{len(record.steps)} {'round' if len(record.steps) == 1 else 'rounds'}"
    return f"{winners[0]} won after {rounds}" if len(winners) == 1 else f"a draw after {rounds}: {', '.join(winners)}"


def _games(number: int) -> str:
    return "one game" if number == 1 else f"{number} games"
