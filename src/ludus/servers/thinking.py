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
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import msgspec
import numpy as np

from ludus.agents.base import Clock, Request, View
from ludus.agents.bot import Briefing
from ludus.catalog import agent_from, game_from
from ludus.errors import LudusError
from ludus.games.speed import Speed, SpeedState
from ludus.players.base import Answer
from ludus.players.in_process import InProcess
from ludus.players.seating import prepare
from ludus.record import UNLIMITED, Fault
from ludus.rng import new_rng

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
    """What an agent answers to the round with this clock, as the referee takes it; id −1: how preparing went."""

    id: int
    clock: int = 0
    move: int | None = None
    wall: int = 0
    cpu: int = 0
    metrics: dict[str, Any] = {}
    fault: Fault | None = None
    evidence: str = ""


PREPARED = -1

_messages = msgspec.msgpack.Decoder(Sit | Ask | Rise)


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else str(value)


class _Seat(threading.Thread):
    """An agent at a seat, with what it is asked."""

    def __init__(self, sit: Sit, room: "_Room") -> None:
        super().__init__(daemon=True)
        self._sit = sit
        self._room = room
        self.asked: queue.SimpleQueue[Ask | None] = queue.SimpleQueue()

    def run(self) -> None:
        player = InProcess(agent_from(self._sit.agent))
        game = game_from(self._sit.game)
        assert isinstance(game, Speed)
        start = game.start(new_rng(0))
        ready = player.begin(Briefing(game, self._sit.seat, self._sit.seed, UNLIMITED, start, "", None))
        while (ask := self.asked.get()) is not None:
            answer = Answer(fault=ready.fault, evidence=ready.evidence)
            if ready.fault is None:
                answer = player.think(self._request(ask))
            self._room.say(
                Thought(
                    self._sit.id,
                    ask.clock,
                    answer.move,
                    answer.wall,
                    answer.cpu,
                    answer.metrics or {},
                    answer.fault,
                    answer.evidence,
                )
            )

    def _request(self, ask: Ask) -> Request:
        state = SpeedState(
            np.frombuffer(ask.cells, np.int8).reshape(-1, ask.width).copy(),
            np.array(ask.players, np.int64),
            np.array([ask.clock], np.int64),
        )
        left = max(0, ask.until - time.monotonic_ns())
        return Request(self._sit.seat, View(state, self._sit.seat, ask.since), Clock(left))


class _Room:
    """All agents of this process."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._encoder = msgspec.msgpack.Encoder(enc_hook=_plain)
        self._speaking = threading.Lock()
        self._seats: dict[int, _Seat] = {}

    def say(self, thought: Thought) -> None:
        """Tell the server; that it is gone is noticed elsewhere."""
        with self._speaking, suppress(OSError):
            self._connection.send_bytes(self._encoder.encode(thought))

    def serve(self) -> None:
        """Do what the server says until there is none any more."""
        while True:
            message = _messages.decode(self._connection.recv_bytes())
            if isinstance(message, Sit):
                self._seats[message.id] = _Seat(message, self)
                self._seats[message.id].start()
            elif isinstance(message, Ask):
                self._seats[message.id].asked.put(message)
            else:
                self._seats.pop(message.id).asked.put(None)


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
