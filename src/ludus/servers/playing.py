"""One game on somebody else's server: an agent thinks, and an answer goes out in time, whatever the agent does."""

import queue
import secrets
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from ludus.agents.base import Clock, Request, View
from ludus.agents.bot import Briefing
from ludus.catalog import agent_from
from ludus.games.speed import (
    ACTIONS,
    CHANGE_NOTHING,
    FELL,
    NO_ANSWER,
    SLOW_DOWN,
    SPEED_UP,
    TURN_LEFT,
    TURN_RIGHT,
    SpeedState,
)
from ludus.players.base import Answer
from ludus.players.in_process import InProcess
from ludus.protocols.speed_api import Message
from ludus.record import UNLIMITED, Fault, Move, Record, Seat
from ludus.rng import seed_from
from ludus.rules import duplicate, play
from ludus.servers.keeping import REMOTE, UNKNOWN
from ludus.servers.logs import Sighting
from ludus.servers.server_clock import ServerClock
from ludus.tournaments.base import Entrant

MARGIN = 60_000_000
"""Nanoseconds that an agent must be done before an answer has to leave; it is waited for half of them longer."""
LEAST = 20_000_000
"""Nanoseconds that an agent gets however late it is: servers have some grace."""
PATIENCE = 5_000_000_000
"""Nanoseconds after which an agent is not waited for any more, where the server names no deadline."""
_SAFEST_FIRST = (CHANGE_NOTHING, TURN_LEFT, TURN_RIGHT, SLOW_DOWN, SPEED_UP)
_TICK = 0.2  # seconds between two looks at what else there is to do

Idle = Callable[[], None]
"""Is called now and then while something is waited for."""


class Joined:
    """A game that was joined, from its first message on."""

    def __init__(self, entrant: Entrant, first: Message, clock: ServerClock) -> None:
        self._entrant = entrant
        self._clock = clock
        self._began = time.monotonic_ns()
        self._played = datetime.now(UTC)
        self._seed = secrets.randbits(62)
        self._own: Move | None = None
        self._since: list[list[int]] = []
        self.sighting = Sighting(first)
        self.deadline = first.deadline
        start, seat = self.sighting.state, first.you
        self._mind = _Mind(
            entrant.spec,
            Briefing(self.sighting.game, seat, seed_from(self._seed, "seat", seat), UNLIMITED, start, "", None),
        )
        self._mind.start()

    @property
    def lives(self) -> bool:
        """Whether the player is still to answer."""
        return not self.sighting.state.players[self.sighting.you, FELL]

    def take(self, message: Message) -> None:
        """Another round is over."""
        moves = self.sighting.take(message, self._own)
        self.deadline = message.deadline
        self._since = [moves] if moves else []
        self._own = None

    def answer(self, idle: Idle) -> int:
        """The move to be sent now: the agent's, or a safe one where the agent has none by then."""
        seen = self.sighting
        limit = None
        if self.deadline is not None:
            limit = max(LEAST, self._clock.left(self.deadline) - self._clock.trip - MARGIN)
        view = View(seen.state, seen.you, self._since)
        steps = seen.steps[-1:] if self._since else []
        answer = self._mind.ask(Question(view, steps, limit), idle)
        if answer.fault is None and answer.move not in range(len(ACTIONS)):
            answer = answer._replace(fault=Fault.ILLEGAL, evidence=repr(answer.move)[:100])
        move = int(answer.move) if answer.fault is None else safe_move(seen.state, seen.you)
        self._own = Move(
            seen.you, ACTIONS[move], answer.wall, answer.cpu, answer.metrics or {}, answer.fault, answer.evidence
        )
        return move

    @property
    def trouble(self) -> str:
        """What was wrong with the agent at its last move, to be read after its name; empty if nothing was."""
        if self._own is None or self._own.fault is None:
            return ""
        return {
            Fault.ILLEGAL: f"chose {self._own.evidence}, which is no move",
            Fault.FAILED: f"failed with {self._own.evidence}",
        }.get(self._own.fault, self._own.evidence)

    def end(self, why: str) -> tuple[Record, int]:
        """The record, which has no result if the game goes on without us, and `why`; and the nanoseconds it took."""
        self._mind.leave()
        names = self.sighting.names or [UNKNOWN] * self.sighting.game.seats
        seats = [Seat(REMOTE, name) for name in names]
        seats[self.sighting.you] = Seat(self._entrant.spec, self._entrant.name)
        record = self.sighting.record(seats, self._played, why)
        record.seed = self._seed
        return record, time.monotonic_ns() - self._began


def safe_move(state: SpeedState, player: int) -> int:
    """A move after which the player lives if nobody else moves, or else any."""
    own = np.count_nonzero(state.players[:player, FELL] == 0)
    for move in _SAFEST_FIRST:
        after: SpeedState = duplicate(state)
        moves = np.full(len(state.players), NO_ANSWER)
        moves[own] = move
        play(after, moves)
        if after.players[player, FELL] == 0:
            return move
    return CHANGE_NOTHING


# --- Thinking ---------------------------------------------------------------------------------------------------------


class Question(NamedTuple):
    """A move that an agent is asked for, with what it sees and the nanoseconds that it has from now on."""

    view: View
    steps: list[list[Move]]
    limit: int | None
    asked: int = 0


class _Mind(threading.Thread):
    """An agent in a thread of its own, so that nobody has to wait for it."""

    def __init__(self, spec: str, briefing: Briefing) -> None:
        super().__init__(daemon=True)
        self._player = InProcess(agent_from(spec))
        self._briefing = briefing
        self._questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[int, Answer]] = queue.SimpleQueue()

    def run(self) -> None:
        ready = self._player.begin(self._briefing)
        while (question := self._questions.get()) is not None:
            answer = Answer(fault=ready.fault, evidence=ready.evidence)
            if ready.fault is None and self._questions.empty():
                limit = question.limit
                if limit is not None:
                    limit = max(LEAST, limit - (time.monotonic_ns() - question.asked))
                view = question.view
                answer = self._player.think(Request(view.seat, view, Clock(limit), question.steps))
            self._answers.put((question.asked, answer))

    def ask(self, question: Question, idle: Idle) -> Answer:
        """The answer, or the fault that none came in time; then it is not waited for, and never heard."""
        asked = time.monotonic_ns()
        self._questions.put(question._replace(asked=asked))
        until = asked + (PATIENCE if question.limit is None else question.limit + MARGIN // 2)
        while (left := until - time.monotonic_ns()) > 0:
            try:
                of, answer = self._answers.get(timeout=min(_TICK, left / 1e9))
            except queue.Empty:
                idle()
                continue
            if of == asked:
                return answer
        return Answer(wall=time.monotonic_ns() - asked, fault=Fault.LATE, evidence="was not done in time")

    def leave(self) -> None:
        """No question will follow."""
        self._questions.put(None)
