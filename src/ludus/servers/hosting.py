"""A server of spe_ed: clients come in over WebSocket, with keys."""

import asyncio
import itertools
import secrets
import ssl
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

import msgspec

from ludus.games.speed import LARGEST, SMALLEST, Speed
from ludus.openings import start_state
from ludus.players.clients import Client
from ludus.players.entrance import Entrance, Keys, address
from ludus.record import Opening, Record
from ludus.rng import seed_from
from ludus.servers.base import Host
from ludus.servers.games import Table, rehearse
from ludus.servers.lobby import Lobby, Plan, Span
from ludus.servers.minds import Mind, Minds
from ludus.servers.spectators import SPECTATE, Spectators
from ludus.store import Store

GAMES = "/games"
"""The path of the list of games."""

_DRAWN_BY_THE_GAME = Span(float(SMALLEST), float(LARGEST))


class SpeedHost(Host[Table, Client]):
    """A server of spe_ed, as the contest's organisers had one."""

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
        self._minds = Minds(plan.fill)
        self._fill = itertools.cycle(plan.fill)
        self._spectators = Spectators(self._listing)
        self._entrance = Entrance(
            keys, self._receive, pages={GAMES: self._listing}, stream=SPECTATE, attend=self._spectators.attend
        )
        super().__init__(store, games=games, tell=tell, ended=ended)

    async def _prepare(self) -> None:
        await asyncio.to_thread(rehearse)
        await self._minds.start()

    def _release(self) -> None:
        self._minds.close()

    def _listen(self, host: str, port: int, security: ssl.SSLContext | None) -> AbstractAsyncContextManager[int]:
        return self._entrance.open(host, port, security)

    def _address(self, host: str, security: ssl.SSLContext | None) -> str:
        return address(host, self.port, security)

    def _close(self) -> None:
        self._entrance.closed = True
        super()._close()

    def _new_lobby(self) -> Lobby[Client]:
        plan = self.plan
        places = int(plan.players.draw())
        least = int(plan.players.low)
        return Lobby(places, least, plan.lobby, bool(plan.fill), self._begin, self._lose)

    async def _lay(self, number: int, clients: list[Client], places: int, lobby: Lobby[Client]) -> Table:
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

    def _setting(self, table: Table) -> str:
        height, width = table.state.cells.shape
        return f"on {width}×{height}, {self.plan.deadline}s a round"

    # --- What others can see --------------------------------------------------------------------------------------

    def _changed(self) -> None:
        self._spectators.tell_list()

    def _left(self, number: int) -> None:
        self._spectators.let_go(number)

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
