"""A process in which agents of Ludus think that play on a server: each in a thread of its own.

The server never waits for them, and compiled code lets go of the interpreter's lock. It is started with one open file:
a socket to the server, on which all messages go.
"""

import os
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
import numpy as np

from ludus.agents.agent import Clock, View
from ludus.contests.speed.game import Speed, SpeedState
from ludus.core.errors import LudusError
from ludus.core.registry import agent_from, game_from
from ludus.episode.limits import UNLIMITED
from ludus.episode.local_player import LocalPlayer, gist
from ludus.episode.player import Briefing
from ludus.episode.record import Fault
from ludus.episode.request import Answer, Request
from ludus.episode.seating import prepare
from ludus.kernel.rng import new_rng

_NICE = 5
"""The server itself comes first: a move that is chosen but not carried out is late."""


class Sit(msgspec.Struct, array_like=True, frozen=True, tag="sit"):
    """An agent sits down at a seat of a game; `id` is like no other's."""

    id: int
    agent: str
    game: str
    seat: int
    seed: int


class Ask(msgspec.Struct, array_like=True, frozen=True, tag="ask"):
    """An agent is to move, until a moment of the monotonic clock."""

    id: int
    width: int
    cells: bytes
    players: list[list[int]]
    clock: int
    since: list[list[int]]
    until: int


class Rise(msgspec.Struct, array_like=True, frozen=True, tag="rise"):
    """An agent is wanted no more."""

    id: int


class Thought(msgspec.Struct, array_like=True, frozen=True):
    """What an agent answers to the round with this clock, as the referee takes it; id −1: how preparing went.

    An agent may call anything a move: the referee judges it.
    """

    id: int
    clock: int = 0
    move: Any = None
    wall: int = 0
    cpu: int = 0
    metrics: Any = None
    fault: Fault | None = None
    evidence: str = ""


PREPARED = -1

_messages = msgspec.msgpack.Decoder(Sit | Ask | Rise)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


class Thinker(threading.Thread):
    """An agent in a thread of its own, so that nobody has to wait for it.

    A question is a number and a request, which is made when the agent gets to it. `answered` is called in this thread;
    a question that another one follows already is not thought about.
    """

    def __init__(self, spec: str, briefing: Briefing, answered: Callable[[int, Answer], None]) -> None:
        super().__init__(daemon=True)
        self._player = LocalPlayer(agent_from(spec))
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

    def ask(self, number: int, request: Callable[[], Request]) -> None:
        """A question."""
        self._questions.put((number, request))

    def leave(self) -> None:
        """No question will follow."""
        self._questions.put(None)


class _Room:
    """All agents of this process."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._encoder = msgspec.msgpack.Encoder(enc_hook=_plain)
        self._speaking = threading.Lock()
        self._seated: dict[int, tuple[int, Thinker]] = {}

    def say(self, thought: Thought) -> None:
        """Tell the server; that it is gone is noticed elsewhere."""
        try:
            data = self._encoder.encode(thought)
        except Exception as error:  # what an agent answers may be anything
            data = self._encoder.encode(Thought(thought.id, thought.clock, fault=Fault.FAILED, evidence=gist(error)))
        with self._speaking, suppress(OSError):
            self._connection.send_bytes(data)

    def serve(self) -> None:
        """Do what the server says until there is none any more."""
        while True:
            message = _messages.decode(self._connection.recv_bytes())
            if isinstance(message, Sit):
                self._seat(message)
            elif isinstance(message, Ask):
                seat, thinker = self._seated[message.id]
                thinker.ask(message.clock, partial(_request, message, seat))
            else:
                self._seated.pop(message.id)[1].leave()

    def _seat(self, sit: Sit) -> None:
        game = game_from(sit.game)
        briefing = Briefing(game, sit.seat, sit.seed, UNLIMITED, game.start(new_rng(0)), "", None)
        thinker = Thinker(sit.agent, briefing, partial(self._answer, sit.id))
        self._seated[sit.id] = sit.seat, thinker
        thinker.start()

    def _answer(self, id: int, clock: int, answer: Answer) -> None:
        self.say(
            Thought(id, clock, answer.move, answer.wall, answer.cpu, answer.metrics, answer.fault, answer.evidence)
        )


def _request(ask: Ask, seat: int) -> Request:
    state = SpeedState(
        np.frombuffer(ask.cells, np.int8).reshape(-1, ask.width).copy(),
        np.array(ask.players, np.int64),
        np.array([ask.clock], np.int64),
    )
    left = max(0, ask.until - time.monotonic_ns())
    return Request(seat, View(state, seat, ask.since), Clock(left))


def main() -> None:
    """Prepare the agents named on the command line, and serve."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server hears it, and decides
    with suppress(OSError):
        os.nice(_NICE)
    connection = Connection(int(sys.argv[1]))
    room = _Room(connection)
    with suppress(EOFError, ConnectionResetError, BrokenPipeError):
        try:
            prepare(Speed(), [agent_from(spec) for spec in sys.argv[2:]])
        except LudusError as error:
            room.say(Thought(PREPARED, fault=Fault.FAILED, evidence=str(error)))
            return
        room.say(Thought(PREPARED))
        room.serve()
    os._exit(0)  # threads may be thinking, and nobody wants to know


if __name__ == "__main__":
    main()
