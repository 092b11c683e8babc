"""One game on a server: the driver between its referee, its clients and the agents that fill its places."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from time import perf_counter_ns
from typing import Protocol

from ludus.episode.cost import Cost
from ludus.episode.journal import Phase
from ludus.episode.opening import setting
from ludus.episode.rebuilt import GameCard, Ledger
from ludus.episode.record import Fault, Key, Opening, Record, Seat
from ludus.episode.referee import Referee
from ludus.episode.request import Answer, Request
from ludus.episode.seating import prepare
from ludus.episode.verdict import latest
from ludus.games.game import Game, game_from
from ludus.kernel.jit import compiling_lock
from ludus.kernel.rules import State
from ludus.net.clients import Asked, Round
from ludus.net.contest import Contest, Text
from ludus.net.spectators import Spectators


class HostedPlayer(Asked, Protocol):
    """A client, or an agent in its place."""

    @property
    def name(self) -> str:
        """The name at the board."""

    @property
    def spec(self) -> str:
        """The spec of the agent, as in the record."""

    def send(self, message: bytes) -> None:
        """Receive a message of the server."""

    def ask(self, request: Request, now: int, nanoseconds: int) -> None:
        """Begin a round, in which the player must answer within this time."""

    def release(self) -> None:
        """Release the player at the end of the game."""


class Table:
    """A game and its players; player i has seat i."""

    def __init__(
        self,
        number: int,
        contest: Contest,
        game: Game,
        opening: Opening,
        players: Sequence[HostedPlayer],
        spectators: Spectators,
        seed: int,
        ledger: Ledger | None = None,
    ) -> None:
        self.number = number
        self.players = players
        self.began = datetime.now(UTC)
        self._contest = contest
        self._game = game
        self._spectators = spectators
        self._limits = contest.limits()
        seats = [Seat(player.spec, player.name) for player in players]
        self._referee = Referee(game, seats, limits=self._limits, seed=seed, opening=opening)
        self.round = game.first_round(self.state)
        spec = setting(game).spec
        card = GameCard(game=spec, seats=seats, opening=opening, seed=seed, limits=self._limits, number=number)
        self._journal = ledger.open(card) if ledger is not None else None

    @property
    def state(self) -> State:
        """The present state, not to be changed."""
        return self._referee.state

    @property
    def active(self) -> list[bool]:
        """For each player, true if it is still in the game."""
        return [not self._game.is_out(self.state, seat) for seat in range(len(self.players))]

    async def play(self) -> Record:
        """Play the game to its end, and inform all clients."""
        self._begin()
        while requests := self._referee.requests():
            await self._play_round(requests)
            self.round += 1
        self._send(self._contest.close(self.state, [player.name for player in self.players]))
        return self._referee.record

    def _begin(self) -> None:
        self._referee.begin()
        if self._journal is not None:
            self._journal.phase(Phase.PLAYING, Key(0, 0, self.number))
            for seat in range(len(self.players)):
                self._journal.answered(seat, None, None, Cost())  # nobody needs time to get ready

    def leave(self) -> None:
        """Release all players."""
        for player in self.players:
            player.release()

    async def _play_round(self, requests: Sequence[Request]) -> None:
        now = perf_counter_ns()
        nanoseconds = self._contest.grant(requests[0].clock)
        self._send(self._contest.ask(requests, datetime.now(UTC) + timedelta(microseconds=nanoseconds / 1000)))
        asked = [self.players[request.seat] for request in requests]
        for player, request in zip(asked, requests, strict=True):
            player.ask(request, now, nanoseconds)
        if self._journal is not None:
            self._journal.thinking(requests[0].seat, nanoseconds)
        answers = await Round(asked, latest(self._limits, nanoseconds)).answers()
        for request, answer in zip(requests, answers, strict=True):
            if self._journal is not None:
                self._journal.answered(request.seat, answer.move, answer.fault, answer.cost)
            self._referee.answer(request.seat, answer)

    def _send(self, text: Text) -> None:
        for seat, player in enumerate(self.players):
            player.send(text.for_player(seat))
        self._spectators.show(self.number, text)


def rehearse(contest: Contest) -> None:
    """Compile everything that a game calls, before any client waits for it."""
    game = game_from(contest.name)
    prepare(game, [])
    with compiling_lock(game.name):
        referee = Referee(game, [Seat("", "")] * game.seats)
        referee.begin()
        *others, last = referee.requests()
        for request in others:
            referee.answer(request.seat, Answer(game.moves(referee.state, request.seat)[0]))
        referee.answer(last.seat, Answer(fault=Fault.LATE))
