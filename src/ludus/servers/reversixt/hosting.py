"""A server of ReversiXT: clients come in over TCP and say their group."""

import asyncio
import itertools
import secrets
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import ClassVar, NamedTuple

from ludus.catalog import agent_from
from ludus.errors import LudusError
from ludus.games.reversixt.game import ReversiXT
from ludus.openings import setting
from ludus.players.in_process import InProcess
from ludus.players.seating import prepare
from ludus.record import Limits, Record
from ludus.servers.base import Host
from ludus.servers.lobby import SECOND, Lobby
from ludus.servers.reversixt.clients import Client
from ludus.servers.reversixt.games import Table
from ludus.spec import format_duration
from ludus.store import Store

USUAL_INCREMENT = 2 * SECOND
"""Nanoseconds that each request adds to a player's account, as on the server of the course."""


class Plan(NamedTuple):
    """What games are like on a server; times in nanoseconds. Maps take turns.

    `increment` is what each request adds to a player's account, 0 is without limit; `depth` is told besides.
    """

    games: tuple[ReversiXT, ...]
    increment: int = USUAL_INCREMENT
    depth: int = 0
    grace: int = 0
    lobby: int = 300 * SECOND
    fill: tuple[str, ...] = ()

    @property
    def limits(self) -> Limits:
        """The account of each player: what is left, and what each move adds to it."""
        total = self.increment or None
        return Limits(total=total, increment=self.increment, grace=self.grace)


class _GameLobby(Lobby[Client]):
    """Where clients wait for a game on a certain map."""

    game: ReversiXT


class ReversiXtHost(Host[Table, Client]):
    """A server of ReversiXT, as the course had one."""

    round_word: ClassVar[str] = "move"

    def __init__(
        self,
        plan: Plan,
        store: Store,
        *,
        games: int | None = None,
        tell: Callable[[str], None] = lambda sentence: None,
        ended: Callable[[Record], None] = lambda record: None,
    ) -> None:
        self.plan = plan
        self._games_in_turn = itertools.cycle(plan.games)
        self._fill = itertools.cycle(plan.fill)
        super().__init__(store, games=games, tell=tell, ended=ended)

    async def _prepare(self) -> None:
        agents = [agent_from(spec) for spec in self.plan.fill]
        for game in self.plan.games:
            setting(game)
            await asyncio.to_thread(prepare, game, agents)

    @asynccontextmanager
    async def _listen(self, host: str, port: int, security: ssl.SSLContext | None) -> AsyncIterator[int]:
        loop = asyncio.get_running_loop()
        try:
            server = await loop.create_server(lambda: Client(self._receive), host, port, ssl=security)
        except OSError as error:
            raise LudusError(f"Nobody can connect to {host}:{port}: {error.strerror}; take another --port.") from None
        async with server:
            yield server.sockets[0].getsockname()[1]

    def _address(self, host: str, security: ssl.SSLContext | None) -> str:
        return f"{host}, port {self.port}"

    def _new_lobby(self) -> Lobby[Client]:
        game = next(self._games_in_turn)
        lobby = _GameLobby(game.seats, game.seats, self.plan.lobby, bool(self.plan.fill), self._begin, self._lose)
        lobby.game = game
        return lobby

    async def _lay(self, number: int, clients: list[Client], places: int, lobby: Lobby[Client]) -> Table:
        assert isinstance(lobby, _GameLobby)
        game = lobby.game
        players: list[Client | InProcess] = list(clients)
        for _ in range(len(clients), places):
            players.append(InProcess(agent_from(next(self._fill))))
        return Table(number, game, players, self.plan.limits, self.plan.depth, secrets.randbits(53))

    def _setting(self, table: Table) -> str:
        game = table.game
        time = f"{format_duration(self.plan.increment)} a move" if self.plan.increment else "without a limit of time"
        return f"on {game.chart.width}×{game.chart.height}, {time}"
