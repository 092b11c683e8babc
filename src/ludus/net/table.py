"""One game on a server: the driver between its referee, its clients and the agents that fill its places."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from time import perf_counter_ns

from ludus.contests.speed.api import BoardText
from ludus.contests.speed.game import CHANGE_NOTHING, FELL, Speed, SpeedState
from ludus.episode.limits import Limits
from ludus.episode.record import Fault, Opening, Record, Seat
from ludus.episode.referee import Referee
from ludus.episode.request import Answer, Request
from ludus.episode.seating import prepare
from ludus.kernel.jit import compiling_lock
from ludus.net.agent_pool import Mind
from ludus.net.clients import Client, Round
from ludus.net.lobby import SECOND, Span
from ludus.net.remote import remote_spec
from ludus.net.spectators import Spectators

Player = Client | Mind


class Table:
    """A game and its players, of whom player i has the seat i."""

    def __init__(
        self,
        number: int,
        game: Speed,
        opening: Opening,
        players: Sequence[Player],
        deadline: Span,
        grace: int,
        spectators: Spectators,
        seed: int,
    ) -> None:
        self.number = number
        self.players = players
        self.round = 1
        self.began = datetime.now(UTC)
        self._deadline = deadline
        self._grace = grace
        self._spectators = spectators
        seats = [Seat(_spec(player), player.name) for player in players]
        # A deadline that each round draws is none of the limits, which are those of all rounds.
        limits = Limits(move=round(deadline.low * SECOND) if deadline.fixed else None, grace=grace)
        self._referee = Referee(game, seats, limits=limits, seed=seed, opening=opening)
        self._clients = [(seat, player) for seat, player in enumerate(players) if isinstance(player, Client)]

    @property
    def state(self) -> SpeedState:
        """The state as it is now, not to be changed."""
        return self._referee.state

    @property
    def active(self) -> list[bool]:
        """Whether each player is still in the game."""
        return [fell == 0 for fell in self.state.players[:, FELL].tolist()]

    async def play(self) -> Record:
        """Play it to its end, which all clients are told."""
        self._referee.begin()
        while requests := self._referee.requests():
            await self._play_round(requests)
        self._tell_the_end()
        return self._referee.record

    def leave(self) -> None:
        """Let all players go."""
        for player in self.players:
            if isinstance(player, Client):
                player.let_go()
            else:
                player.rise()

    async def _play_round(self, requests: Sequence[Request]) -> None:
        now = perf_counter_ns()
        self.round = self.state.clock.item()
        nanoseconds = round(self._deadline.draw() * SECOND)
        text = BoardText(self.state, datetime.now(UTC) + timedelta(microseconds=nanoseconds / 1000))
        for seat, client in self._clients:
            client.send(text.for_player(seat))
        parties = []
        for request in requests:
            player = self.players[request.seat]
            if isinstance(player, Client):
                player.begin(now)
            else:
                player.ask(self.state, request.view.since, now, nanoseconds)
            parties.append(player)
        self._spectators.show(self.number, text)
        answers = await Round(parties, nanoseconds + self._grace).answers()
        for request, answer in zip(requests, answers, strict=True):
            self._referee.answer(request.seat, answer)

    def _tell_the_end(self) -> None:
        text = BoardText(self.state, names=[player.name for player in self.players])
        for seat, client in self._clients:
            client.send(text.for_player(seat))
        self._spectators.show(self.number, text)


def rehearse() -> None:
    """Compile all that a game calls, before anybody waits for it."""
    game = Speed()
    prepare(game, [])
    with compiling_lock(game.name):
        referee = Referee(game, [Seat("", "")] * game.seats)
        referee.begin()
        for request, fault in zip(referee.requests(), (None, Fault.LATE), strict=True):
            referee.answer(request.seat, Answer(CHANGE_NOTHING, fault=fault))


def _spec(player: Player) -> str:
    return player.spec if isinstance(player, Mind) else remote_spec(player.name)
