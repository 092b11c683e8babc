"""One game of ReversiXT on a server: the driver between its referee, its clients and the agents that fill places."""

import asyncio
from collections.abc import Sequence

from ludus import rules
from ludus.agents.base import Answer, Request
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.rules import BOMBING, GONE, OUT, ReversiXtState
from ludus.openings import start_state
from ludus.players.in_process import InProcess
from ludus.protocols.reversixt_api import Kind, message, number, write_made
from ludus.record import Limits, Move, Record, Seat
from ludus.referee import Referee
from ludus.rng import seed_from
from ludus.servers.reversixt.clients import Client

Player = Client | InProcess


class Table:
    """A game and its players, of whom player i has the seat i."""

    def __init__(
        self, id: int, game: ReversiXT, players: Sequence[Player], limits: Limits, depth: int, seed: int
    ) -> None:
        self.id = id
        self.players = players
        self.moves = 0
        self.game = game
        self._limits = limits
        self._depth = depth
        self._seed = seed
        seats = [Seat(player.spec, player.name) for player in players]
        self._referee = Referee(game, seats, limits=limits, seed=seed, watch=self._tell)
        self._before: ReversiXtState = start_state(game)
        self._clients = [(seat, player) for seat, player in enumerate(players) if isinstance(player, Client)]
        self._said_end_of_phase = False

    @property
    def state(self) -> ReversiXtState:
        """The state as it is now, not to be changed."""
        return self._referee.state

    @property
    def active(self) -> list[bool]:
        """Whether each player is still in the game."""
        return [not gone for gone in self.state.players[:, GONE].tolist()]

    async def play(self) -> Record:
        """Play it to its end, which all clients are told."""
        text = message(Kind.MAP, self.game.chart.text().encode())
        for seat, client in self._clients:
            client.send(text + number(Kind.NUMBER, seat + 1))
        for seat, player in enumerate(self.players):
            if isinstance(player, InProcess):
                await asyncio.to_thread(player.agent.begin, self.game, seat, seed_from(self._seed, "seat", seat))
        self._look_for_the_end_of_phase_1()
        self._referee.begin()
        while requests := self._referee.requests():
            [asked] = requests
            self._referee.answer(asked.seat, await self._think(asked))
        self._end_phase_1()
        self._send(message(Kind.END_OF_GAME))
        return self._referee.record

    async def _think(self, asked: Request) -> Answer:
        player = self.players[asked.seat]
        if isinstance(player, Client):
            return await player.think(self.game, asked, self._depth, self._limits.grace)
        return await asyncio.to_thread(player.think, asked)

    def _tell(self, state: ReversiXtState, step: list[Move]) -> None:
        """A step was carried out."""
        [made] = step
        self.moves += 1
        move = self.game.parse(self._before, made.seat, made.move)
        if move == OUT:
            self._send(number(Kind.DISQUALIFIED, made.seat + 1))
        else:
            self._send(write_made(self._before, move, made.seat))
        rules.copy(state, self._before)
        self._look_for_the_end_of_phase_1()

    def _look_for_the_end_of_phase_1(self) -> None:
        if self._before.turn[BOMBING]:
            self._end_phase_1()

    def _end_phase_1(self) -> None:
        if not self._said_end_of_phase:
            self._said_end_of_phase = True
            self._send(message(Kind.END_OF_PHASE))

    def _send(self, data: bytes) -> None:
        for _, client in self._clients:
            client.send(data)

    def leave(self) -> None:
        """Let all clients go."""
        for _, client in self._clients:
            client.let_go()
