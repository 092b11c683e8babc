"""A process for agents of Ludus that play on a server, each in a thread of its own.

The server never waits for them, and compiled code releases the interpreter's lock. It is started with one open file: a
socket to the server for all messages.
"""

import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

import msgspec
from msgspec.structs import astuple

from ludus.agents.agent import Clock, View, agent_from
from ludus.core.errors import LudusError, to_words
from ludus.core.failures import gist
from ludus.episode.cost import Cost
from ludus.episode.limits import UNLIMITED
from ludus.episode.local_player import LocalPlayer
from ludus.episode.player import Briefing, Player
from ludus.episode.record import Fault, plain_value
from ludus.episode.request import Answer, Request
from ludus.episode.seating import prepare
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng

_NICE = 5
"""Niceness of the process. The server has priority: a chosen move is late until it is played."""


class Join(msgspec.Struct, array_like=True, frozen=True, tag="join"):
    """A message that seats an agent in a game; `id` is unique."""

    id: int
    agent: str
    game: str
    seat: int
    seed: int


class Ask(msgspec.Struct, array_like=True, frozen=True, tag="ask"):
    """A request to move before a moment of the monotonic clock; the state is pickled, and questions are numbered."""

    id: int
    state: bytes
    number: int
    since: list[list[int]]
    until: int


class Leave(msgspec.Struct, array_like=True, frozen=True, tag="leave"):
    """A message that releases an agent."""

    id: int


class AgentAnswer(msgspec.Struct, array_like=True, frozen=True):
    """An agent's answer to the question with this number, in the form of the referee; id −1 reports on preparing.

    After a failure to prepare, the move is the error in words.
    An agent may send any object as a move: the referee judges it.
    """

    id: int
    number: int = 0
    move: Any = None
    metrics: Any = None
    fault: Fault | None = None
    evidence: str = ""
    cost: Cost = msgspec.field(default_factory=Cost)


PREPARED = -1

_messages = msgspec.msgpack.Decoder(Join | Ask | Leave)


class PlayerThread(threading.Thread):
    """A player in a thread of its own, so that nothing waits for it.

    A question is a number and a function that makes the request when the player comes to it. `answered` is called in
    this thread; a question that another one already follows is skipped.
    """

    def __init__(self, player: Player, briefing: Briefing, answered: Callable[[int, Answer], None]) -> None:
        super().__init__(daemon=True)
        self._player = player
        self._briefing = briefing
        self._answered = answered
        self._questions: queue.SimpleQueue[tuple[int, Callable[[], Request]] | None] = queue.SimpleQueue()

    def run(self) -> None:
        ready = self._player.begin(self._briefing)
        while (question := self._questions.get()) is not None:
            number, request = question
            answer = Answer(fault=ready.fault, evidence=ready.evidence)
            if ready.fault is None and self._questions.empty():
                answer = self._player.think(request())
            self._answered(number, answer)
        self._player.close()

    def ask(self, number: int, request: Callable[[], Request]) -> None:
        """Add a question."""
        self._questions.put((number, request))

    def leave(self) -> None:
        """End the thread after the last question."""
        self._questions.put(None)


class _Room:
    """All agents of this process."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._encoder = msgspec.msgpack.Encoder(enc_hook=plain_value)
        self._speaking = threading.Lock()
        self._seated: dict[int, tuple[int, PlayerThread]] = {}

    def send(self, answer: AgentAnswer) -> None:
        """Send an answer to the server; a missing server is noticed elsewhere."""
        try:
            data = self._encoder.encode(answer)
        except Exception as error:  # an answer may be any object
            data = self._encoder.encode(AgentAnswer(answer.id, answer.number, fault=Fault.FAILED, evidence=gist(error)))
        with self._speaking, suppress(OSError):
            self._connection.send_bytes(data)

    def serve(self) -> None:
        """Process messages of the server until it has gone."""
        while True:
            message = _messages.decode(self._connection.recv_bytes())
            if isinstance(message, Join):
                self._seat(message)
            elif isinstance(message, Ask):
                seat, thread = self._seated[message.id]
                thread.ask(message.number, partial(_request, message, seat))
            else:
                self._seated.pop(message.id)[1].leave()

    def _seat(self, join: Join) -> None:
        game = game_from(join.game)
        briefing = Briefing(game, join.seat, join.seed, UNLIMITED, game.start(new_rng(0)), "", None)
        thread = PlayerThread(LocalPlayer(agent_from(join.agent)), briefing, partial(self._answer, join.id))
        self._seated[join.id] = join.seat, thread
        thread.start()

    def _answer(self, id: int, number: int, answer: Answer) -> None:
        self.send(AgentAnswer(id, number, *astuple(answer)))


def _request(ask: Ask, seat: int) -> Request:
    state = pickle.loads(ask.state)
    left = max(0, ask.until - time.monotonic_ns())
    return Request(seat, View(state, seat, ask.since), Clock(left))


def main() -> None:
    """Prepare the game and the agents named on the command line, and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server receives it, and decides
    with suppress(OSError):
        os.nice(_NICE)
    connection = Connection(int(sys.argv[1]))
    room = _Room(connection)
    with suppress(EOFError, ConnectionResetError, BrokenPipeError):
        try:
            prepare(game_from(sys.argv[2]), [agent_from(spec) for spec in sys.argv[3:]])
        except LudusError as error:
            room.send(AgentAnswer(PREPARED, move=to_words(error), fault=Fault.FAILED))
            return
        room.send(AgentAnswer(PREPARED))
        room.serve()
    os._exit(0)  # do not wait for threads that still think


if __name__ == "__main__":
    main()
