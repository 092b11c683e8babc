"""Joining servers of ReversiXT: an agent as a client of the course, one game after the other."""

import os
import secrets
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from ludus.agents.base import Agent, Answer, Clock, Request
from ludus.agents.remote import remote_spec
from ludus.catalog import agent_from
from ludus.errors import LudusError
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import parse_map
from ludus.protocols.reversixt_api import (
    FROM_SERVERS,
    PORT,
    Buffer,
    Kind,
    Message,
    number,
    read_move,
    read_request,
    write_move,
)
from ludus.record import Fault, Record, Seat
from ludus.referee import Referee
from ludus.rng import new_rng, seed_from
from ludus.rules import sample
from ludus.servers.keeping import Ended, keep
from ludus.store import Store
from ludus.tournaments.base import Entrant

_TICK = 0.2  # seconds between two looks at what else there is to do
_AT_ONCE = 1 << 16
_CONNECTING = 20.0  # seconds
_WAITS = (1, 2, 4, 8, 16, 30)
"""Seconds until the next try; the last again and again."""
_MILLISECOND = 1_000_000
_MARGIN = 50 * _MILLISECOND
"""What is left of the time for the way to the server; less where that is over a fifth of it."""
_TO_THE_DEPTH = 10 * 1_000_000_000
"""What an agent may think where a server names no time."""


class Address(NamedTuple):
    """Where a server is."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Read `HOST` or `HOST:PORT`."""
        host, _, port = text.rpartition(":") if ":" in text else (text, "", str(PORT))
        if not host or not port.isdecimal() or not 0 < int(port) < 65536:
            raise LudusError(f"'{text}' is no address of a server: write one such as example.org:{PORT}.")
        return cls(host.strip("[]"), int(port))

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Listener:
    """Is told what happens; what it is not interested in, it leaves as it is."""

    def wait(self, seconds: float, why: str) -> None:
        """It will be tried again after so many seconds."""

    def connected(self) -> None:
        """The server has let us in, and a game will begin when it likes."""

    def began(self, game: "Joined") -> None:
        """A game has begun."""

    def moved(self, game: "Joined", text: str) -> None:
        """A move was sent."""

    def stopping(self) -> None:
        """The user has asked to stop, which will be done after this game."""

    def ended(self, ended: Ended) -> None:
        """A game is over and stored."""


class Joined:
    """A game that was joined: a referee of our own follows what the server tells."""

    def __init__(self, agent: Agent, entrant: Entrant, game: ReversiXT, you: int) -> None:
        self.game, self.you = game, you
        self.out = False
        """Whether we were disqualified."""
        self._agent = agent
        self._seed = secrets.randbits(62)
        self._gone: set[int] = set()
        self._remarks: list[str] = []
        self._own: Answer | None = None
        seats = [Seat(remote_spec(f"player {seat + 1}"), f"player {seat + 1}") for seat in range(game.seats)]
        seats[you] = Seat(entrant.spec, entrant.name)
        self.referee = Referee(game, seats, seed=self._seed)
        self.referee.begin()
        agent.begin(game, you, seed_from(self._seed, "seat", you))

    def _asked(self) -> Request | None:
        requests = self.referee.requests()
        return requests[0] if requests else None

    def answer(self, milliseconds: int) -> int:
        """The move to be sent now; one by chance where the agent fails."""
        asked = self._asked()
        if asked is None or asked.seat != self.you:
            raise LudusError("The server asks for a move where by the rules it is not our turn.")
        limit = milliseconds * _MILLISECOND if milliseconds else _TO_THE_DEPTH
        began, cpu = time.perf_counter_ns(), time.thread_time_ns()
        metrics: dict[str, Any] = {}
        try:
            choice = self._agent.choose(asked.view, Clock(move=limit - min(_MARGIN, limit // 5)))
            move, metrics = int(choice.move), choice.metrics
            if move not in self.game.moves(asked.view.state, self.you):
                raise ValueError(f"{move} is no legal move")
        except Exception as error:  # an agent may be anybody's
            move = int(sample(asked.view.state, self.you, new_rng(self._seed, "substitute", began)))
            self._remarks.append(f"the agent failed, and a move by chance was sent: {type(error).__name__}: {error}")
        wall, cpu = time.perf_counter_ns() - began, time.thread_time_ns() - cpu
        self._own = Answer(move, wall, cpu, metrics)
        return move

    def take(self, said: Message) -> None:
        """The server tells of a move, or that somebody is disqualified."""
        player = said.payload[-1] - 1
        if not 0 <= player < self.game.seats:
            raise LudusError(f"The server names a player {player + 1} of {self.game.seats}.")
        if said.kind is Kind.DISQUALIFIED:
            self._gone.add(player)
            self.out = self.out or player == self.you
        else:
            self._follow_the_gone(player)
            asked = self._asked()
            move = None if asked is None else read_move(self.game, asked.view.state, said.payload)
            if asked is None or asked.seat != player or move not in self.game.moves(asked.view.state, player):
                raise LudusError(f"The server tells of a move of player {player + 1} that breaks the rules.")
            own = self._own if player == self.you and self._own is not None and self._own.move == move else None
            self._own = None
            self.referee.answer(player, own or Answer(move))
        self._follow_the_gone()

    def _follow_the_gone(self, until: int = -1) -> None:
        """Whoever was disqualified is out when its turn comes, unless that is the player given."""
        while (asked := self._asked()) is not None and asked.seat in self._gone and asked.seat != until:
            self.referee.answer(asked.seat, Answer(fault=Fault.ILLEGAL, evidence="was disqualified by the server"))

    def end(self, why: str) -> Record:
        """The record, without a result if the game goes on without us, and `why`."""
        if self._asked() is not None:
            self._remarks.append(f"the record ends before the game did: {why}")
            self.referee.give_up()
        record = self.referee.record
        record.seats[self.you].remarks = [*record.seats[self.you].remarks, *self._remarks]
        return record


class Guest:
    """An agent that plays on a server; `check` is called all the time, and raises KeyboardInterrupt to stop it.

    A game that has begun is played to its end before that.
    """

    def __init__(
        self,
        address: Address,
        group: int,
        entrant: Entrant,
        store: Store,
        listener: Listener,
        check: Callable[[], None],
    ) -> None:
        self._address = address
        self._group = group
        self._entrant = entrant
        self._agent = agent_from(entrant.spec)
        self._store = store
        self._tell = listener
        self._check = check
        self._played = 0
        self._failed = 0
        self._is_playing = False
        self._is_stopping = False

    def play(self, games: int | None = None) -> None:
        """So many games, or until it is stopped; KeyboardInterrupt if that cuts off a game."""
        try:
            while games is None or self._played < games:
                self._check()
                self._visit()
        except KeyboardInterrupt:
            if self._is_playing:
                raise

    def _visit(self) -> None:
        """Go there and play a game, unless none comes of it: then wait a while."""
        try:
            connection = socket.create_connection(self._address, _CONNECTING)
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or str(error)
            if not self._played:
                raise LudusError(
                    f"The server at {self._address} cannot be reached: {reason}; is the address right?"
                ) from None
            self._wait(f"the server cannot be reached: {reason}")
            return
        with connection:
            talk = _Talk(connection)
            talk.send(number(Kind.GROUP, self._group))
            self._tell.connected()
            first, second = talk.receive(self._check), talk.receive(self._check)
            if first is not None and second is not None:
                self._play(talk, first, second)
                self._played += 1
                self._failed = 0
                return
        self._wait("the server closed the connection before a game began")

    def _wait(self, why: str) -> None:
        seconds = _WAITS[min(self._failed, len(_WAITS) - 1)]
        self._failed += 1
        self._tell.wait(seconds, why)
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._check()
            time.sleep(min(_TICK, left))

    def _play(self, talk: "_Talk", first: Message, second: Message) -> None:
        if first.kind is not Kind.MAP or second.kind is not Kind.NUMBER:
            raise LudusError(f"The server at {self._address} sends neither a map nor a number first.")
        try:
            chart = parse_map(first.payload.decode("ascii", "replace"))
        except LudusError as error:
            raise LudusError(f"The server at {self._address} sends no map: {error}") from None
        if not 1 <= second.number <= chart.players:
            raise LudusError(f"The server at {self._address} says that we are player {second.number}.")
        began = time.perf_counter_ns()
        game = Joined(self._agent, self._entrant, ReversiXT(map=chart.packed()), second.number - 1)
        self._is_playing = True
        self._tell.began(game)
        why = "it was stopped"
        try:
            why = self._follow(talk, game)
            self._is_playing = False
        except LudusError as error:
            why = str(error).rstrip(".")
            raise
        finally:
            record = game.end(why)
            kept = keep(self._store, f"joined {self._address}", record, time.perf_counter_ns() - began)
            self._tell.ended(Ended(record, game.you, kept.name))

    def _follow(self, talk: "_Talk", game: Joined) -> str:
        """Play until the server ends it; why it is over."""
        while (said := talk.receive(self._linger)) is not None:
            if said.kind is Kind.REQUEST:
                milliseconds, _ = read_request(said.payload)
                state = game.referee.state
                move = game.answer(milliseconds)
                talk.send(write_move(state, move))
                self._tell.moved(game, game.game.format(state, game.you, move))
            elif said.kind in (Kind.MADE, Kind.DISQUALIFIED):
                game.take(said)
            elif said.kind is Kind.END_OF_GAME:
                return "the server ended it"
        return "the connection was lost"

    def _linger(self) -> None:
        """Hear that the user wants to stop, and go on with the game."""
        if not self._is_stopping:
            try:
                self._check()
            except KeyboardInterrupt:
                self._is_stopping = True
                self._tell.stopping()


class _Talk:
    """The connection to a server."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(_TICK)
        self._connection = connection
        self._buffer = Buffer(FROM_SERVERS)

    def send(self, data: bytes) -> None:
        """Send something; that nobody is there any more is seen when something is received."""
        with suppress(OSError):
            self._connection.sendall(data)

    def receive(self, idle: Callable[[], None]) -> Message | None:
        """The next message; None if there will be none."""
        while (said := self._buffer.next()) is None:
            idle()
            try:
                data = self._connection.recv(_AT_ONCE)
            except TimeoutError:
                continue
            except OSError:
                return None
            if not data:
                return None
            self._buffer.add(data)
        return said
