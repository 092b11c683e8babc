"""A server: clients connect, wait in the lobby and play, many games at the same time."""

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

from ludus.agents.agent import agent_from
from ludus.core.errors import InvalidError, LudusError
from ludus.core.failures import gist
from ludus.core.seeds import seed_from
from ludus.core.text import plural
from ludus.episode.rebuilt import Ledger
from ludus.episode.record import Record
from ludus.games.game import game_from
from ludus.net.agent_pool import AgentPool, PooledAgent
from ludus.net.clients import Client
from ludus.net.contest import Contest
from ludus.net.crowd import Caps
from ludus.net.listener import Keys, OpenPort, address
from ludus.net.lobby import SECOND, Lobby
from ludus.net.spectators import SPECTATE, Spectators
from ludus.net.table import HostedPlayer, Table, rehearse

GAMES = "/games"
"""The path of the list of games."""

LOBBY = 300 * SECOND
"""Default time for which the first client in a lobby waits for others, in nanoseconds."""

AT_ONCE = 100
"""Default maximum of games at once."""


def check_fill(contest: Contest, agents: Sequence[str]) -> tuple[str, ...]:
    """The specs of agents that fill places of games; InvalidError if one cannot."""
    made = [agent_from(text) for text in agents]
    for agent in made:
        if agent.person or agent.outside:
            raise InvalidError(f"{agent.spec()} cannot fill a place: name an agent of Ludus, such as random.")
        for number in range(contest.least_places, contest.most_places + 1):
            game = game_from(contest.name, number)
            if reason := agent.unsuited(game):
                raise InvalidError(
                    f"{agent.spec()} cannot fill a place of {game.title} with {number} players: it {reason}."
                )
    return tuple(agent.spec() for agent in made)


class Host:
    """A server: `run` it; `stop` it, or call `stop` twice to stop at once.

    It plays at most `at_once` games at the same time, and admits clients within `caps`. After the time of the lobby,
    agents with the specs in `fill` take the empty places. The games can be watched by the `ledger`. `tell` receives
    notes on events. `keep` stores the record of a game and its duration in nanoseconds, in a separate thread, and
    returns its name; `ended` then gets the record. If the output of `ended` is no longer read, the server stops after
    the current games, with that BrokenPipeError.
    """

    def __init__(
        self,
        contest: Contest,
        keys: Keys,
        keep: Callable[[Record, int], str],
        *,
        fill: Sequence[str] = (),
        patience: int = LOBBY,
        games: int | None = None,
        at_once: int = AT_ONCE,
        caps: Caps | None = None,
        ledger: Ledger | None = None,
        tell: Callable[[str], None] = lambda sentence: None,
        ended: Callable[[Record], None] = lambda record: None,
    ) -> None:
        self.contest = contest
        self.tables: dict[int, Table] = {}
        """Games in progress, by number."""
        self.port = 0
        """The port, once it is open."""
        self._keep_record = keep
        self._patience = patience
        self._games = games
        self._ledger = ledger
        self._tell = tell
        self._ended = ended
        self._agents = AgentPool(game_from(contest.name).spec(), fill)
        self._fill = itertools.cycle(fill)
        self._is_filled = bool(fill)
        self._spectators = Spectators(self._listing)
        self._port = OpenPort(
            contest,
            keys,
            self._receive,
            pages={GAMES: self._listing},
            stream=SPECTATE,
            attend=self._spectators.attend,
            caps=caps,
            is_full=lambda: len(self._tasks) >= at_once,
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
        self.lobby = self._new_lobby()

    async def run(
        self,
        host: str,
        port: int,
        security: ssl.SSLContext | None = None,
        ready: Callable[[], None] = lambda: None,
    ) -> bool:
        """Serve until stopped, or until this many games were played; False if a game was interrupted.

        `ready` is called when everything is compiled and clients can connect.
        """
        # A daemon, because the records may never be read.
        threading.Thread(target=self._publish_records, args=[asyncio.get_running_loop()], daemon=True).start()
        try:
            await asyncio.to_thread(rehearse, self.contest)
            await self._agents.start()
            async with self._port.open(host, port, security) as self.port:
                self._tell(f"Clients connect to {address(host, self.port, security, self.contest.path)}.")
                ready()
                await self._done.wait()
                for task in self._tasks:
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)
                await asyncio.gather(*self._keeping)
            await self._wait_for_records()
        finally:
            self._to_tell.put(None)
            self._agents.close()
            self._writer.shutdown()
        if isinstance(self._unread, BrokenPipeError):
            raise self._unread
        if self._unread is not None:
            raise LudusError(f"Records cannot be written: {self._unread.strerror}; the games are in the store.")
        return not self._cut_off

    @property
    def stopping(self) -> bool:
        """True if no more games will begin."""
        return self._port.closed

    def stop(self) -> None:
        """Admit no more clients and let the games end; called again, end them."""
        if self._is_asked_to_stop:
            self._cut_off |= bool(self.tables)
            self._done.set()
            self._at_once.set()
            return
        self._is_asked_to_stop = True
        self._close()
        if self.tables:
            self._tell(f"No more clients are admitted; {_games(len(self.tables))} will be finished.")

    # --- From the lobby to the table ------------------------------------------------------------------------------

    def _receive(self, client: Client) -> None:
        if self.stopping:
            client.release()
            return
        lobby = self.lobby
        lobby.join(client)
        if lobby is self.lobby:
            self._tell(f"{client.name} waits: {len(lobby.clients)} of {lobby.places}.")
            self._spectators.send_list()

    def _left(self, client: Client) -> None:
        self._tell(f"{client.name} left before a game began.")
        self._spectators.send_list()

    def _stuck(self, missing: int) -> None:
        self._tell(
            f"The time of the lobby is up, and {plural(missing, 'client')} more must come before a game can begin: "
            "agents take empty places only with --fill."
        )

    def _begin(self, clients: list[Client], places: int) -> None:
        """Begin a game; new clients wait for the next one."""
        number = next(self._numbers)
        task = asyncio.create_task(self._play(number, clients, places))
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        self.lobby = self._new_lobby()
        if number == self._games:
            self._close()

    def _new_lobby(self) -> Lobby:
        return Lobby(self.contest, self._patience, self._begin, self._left, self._stuck, filled=self._is_filled)

    def _close(self) -> None:
        self._port.closed = True
        for client in self.lobby.close():
            client.release()
        self._spectators.send_list()
        if not self._tasks:
            self._done.set()

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._tell(f"A game was interrupted by an error, please report it: {gist(error)}.")
        if self.stopping and not self._tasks:
            self._done.set()

    async def _play(self, number: int, clients: list[Client], places: int) -> None:
        began = perf_counter_ns()
        try:
            table = await self._lay(number, clients, places)
        except BaseException as error:
            for client in clients:
                client.release()
            if not isinstance(error, LudusError):
                raise
            self._tell(f"Game {number} cannot begin: {error}")
            return
        self.tables[number] = table
        try:
            names = ", ".join(player.name for player in table.players)
            board, pace = self.contest.in_words(table.state), self.contest.pace
            how = (f" on {board}" if board else "") + (f", {pace}" if pace else "")
            self._tell(f"Game {number} begins{how}: {names}.")
            self._spectators.send_list()
            record = await table.play()
        finally:
            table.leave()
            if self._ledger is not None:
                self._ledger.close(number)
            del self.tables[number]
            self._spectators.release(number)
            self._spectators.send_list()
        keeping = asyncio.create_task(self._keep(number, record, perf_counter_ns() - began))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)
        await asyncio.shield(keeping)  # store finished games even if the server stops at once

    async def _lay(self, number: int, clients: list[Client], places: int) -> Table:
        """The table of a new game, with agents at the empty places."""
        seed = secrets.randbits(53)
        game, opening = self.contest.set_up(places, seed)
        agents: list[PooledAgent] = []
        try:
            for seat in range(len(clients), places):
                own_seed = seed_from(seed, "seat", seat)
                agents.append(await self._agents.seat(next(self._fill), game.spec(), seat, own_seed))
            players: list[HostedPlayer] = [*clients, *agents]
            return Table(number, self.contest, game, opening, players, self._spectators, seed, self._ledger)
        except BaseException:
            for agent in agents:
                agent.release()
            raise

    async def _keep(self, number: int, record: Record, wall: int) -> None:
        loop = asyncio.get_running_loop()
        result = _result(record)
        try:
            kept = await loop.run_in_executor(self._writer, self._keep_record, record, wall)
        except LudusError as error:
            self._tell(f"Game {number}: {result}, but it could not be stored: {error}")
        else:
            self._tell(f"Game {number}: {result}; stored as {kept}.")
        self._to_tell.put(record)

    def _publish_records(self, loop: asyncio.AbstractEventLoop) -> None:
        """Pass on records of finished games, in a separate thread: a slow reader must not delay games."""
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

    async def _wait_for_records(self) -> None:
        """Wait until all records are passed on, unless the server is to stop at once."""
        self._to_tell.put(None)
        waits = [asyncio.create_task(event.wait()) for event in (self._all_told, self._at_once)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    # --- Public information ---------------------------------------------------------------------------------------

    def _listing(self) -> bytes:
        games = [self._listed(table) for table in self.tables.values()]
        lobby = {"places": self.lobby.places, "waiting": [client.name for client in self.lobby.clients]}
        return msgspec.json.encode({"games": games, "lobby": lobby}) + b"\n"

    def _listed(self, table: Table) -> dict[str, Any]:
        players = [
            {"name": player.name, "active": active} for player, active in zip(table.players, table.active, strict=True)
        ]
        board = self.contest.facts(table.state)
        return {"game": table.number, "players": players, **board, "round": table.round, "began": table.began}


def _result(record: Record) -> str:
    best = max(record.scores)
    winners = [seat.name for seat, score in zip(record.seats, record.scores, strict=True) if score == best]
    rounds = plural(len(record.steps), "round")
    return f"{winners[0]} won after {rounds}" if len(winners) == 1 else f"a draw after {rounds}: {', '.join(winners)}"


def _games(number: int) -> str:
    return "one game" if number == 1 else f"{number} games"
