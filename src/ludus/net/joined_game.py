"""One game on another server: an agent thinks, and an answer is sent in time, whatever the agent does."""

import queue
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime

from msgspec.structs import asdict, replace

from ludus.agents.agent import Clock, View
from ludus.core.seeds import seed_from
from ludus.episode.cost import Cost
from ludus.episode.limits import Limits
from ludus.episode.player import Briefing, Player
from ludus.episode.rebuilt import Ledger
from ludus.episode.record import Fault, Move, Opening, Record, Seat
from ludus.episode.request import Answer, Request
from ludus.episode.verdict import SILENT, no_move
from ludus.net.agent_process import PlayerThread
from ludus.net.clock_sync import ServerClock
from ludus.net.contest import Contest
from ludus.net.notebook import Notebook
from ludus.net.remote import remote_seats
from ludus.net.sighting import Message

MARGIN = 60_000_000
"""Nanoseconds between an agent's deadline and the sending of an answer; half of them are extra time for the agent."""
LEAST = 20_000_000
"""Minimum nanoseconds for an agent, even if it is late: servers have some grace."""
PATIENCE = 5_000_000_000
"""Nanoseconds after which an agent is no longer waited for, if the server sets no deadline."""
_LATEST = 3600 * 10**9
"""Nanoseconds after which a bot that gives no answer is ended; meanwhile safe moves are sent for it."""
_ENDING = 2.0  # seconds for a bot to end
_TICK = 0.2  # seconds between two checks for other work

Idle = Callable[[], None]
"""A function called from time to time during a wait."""


class Joined:
    """A joined game, from its first message on."""

    def __init__(
        self,
        contest: Contest,
        player: Player,
        first: Message,
        clock: ServerClock,
        number: int = 1,
        ledger: Ledger | None = None,
    ) -> None:
        self._contest = contest
        self._player = player
        self._clock = clock
        self._began = time.monotonic_ns()
        self._played = datetime.now(UTC)
        self._seed = secrets.randbits(62)
        self._own: Move | None = None
        self._since: list[list[int]] = []
        self.sighting = contest.sighting(first)
        own = Seat(player.spec, player.name)
        self._notebook = Notebook(ledger, number, own, self.sighting) if ledger is not None else None
        self.deadline = first.deadline
        start, seat = self.sighting.state, first.you
        own_seed = seed_from(self._seed, "seat", seat)
        briefing = Briefing(
            self.sighting.game, seat, own_seed, self._limits(), start, "", opening=Opening(self.sighting.start)
        )
        self._answers: queue.SimpleQueue[tuple[int, Answer]] = queue.SimpleQueue()
        self._thread = PlayerThread(player, briefing, lambda asked, answer: self._answers.put((asked, answer)))
        self._thread.start()

    def _limits(self) -> Limits:
        """The limits that a bot is told.

        Times of rounds may differ, so it is asked to be as quick as in the first round, but not ended if it is late.
        """
        quick = PATIENCE if self.deadline is None else min(PATIENCE, self._left(self.deadline))
        return Limits(move=quick, grace=_LATEST)

    def _left(self, deadline: datetime) -> int:
        return max(LEAST, self._clock.left(deadline) - self._clock.trip - MARGIN)

    @property
    def is_asked(self) -> bool:
        """True if the player must answer."""
        return self.sighting.you in self.sighting.game.movers(self.sighting.state)

    def take(self, message: Message) -> None:
        """Note that another round is over."""
        moves = self.sighting.take(message, self._own)
        if self._notebook is not None:
            self._notebook.take(moves)
        self.deadline = message.deadline
        self._since = [moves] if moves else []
        self._own = None

    def answer(self, idle: Idle) -> int:
        """The move to send now: the agent's, or a safe one if the agent has none in time."""
        seen = self.sighting
        limit = None
        if self.deadline is not None:
            limit = self._left(self.deadline)
        answer = self._ask(limit, idle)
        if answer.fault is None and answer.move not in seen.game.moves(seen.state, seen.you):
            fault, evidence = no_move(answer.move)
            answer = replace(answer, fault=fault, evidence=evidence)
        move = int(answer.move) if answer.fault is None else self._contest.safe_move(seen.state, seen.you)
        text = seen.game.format(seen.state, seen.you, move)
        self._own = Move(seen.you, text, answer.metrics or {}, answer.fault, answer.evidence, **asdict(answer.cost))
        return move

    def _ask(self, limit: int | None, idle: Idle) -> Answer:
        """The agent's answer, or a fault if it was too late, after which it is no longer waited for."""
        seen, asked = self.sighting, time.monotonic_ns()
        if self._notebook is not None:
            self._notebook.thinking(limit)
        view = View(seen.state, seen.you, self._since)
        steps = seen.steps[-1:] if self._since else []

        def request() -> Request:
            left = None if limit is None else max(LEAST, limit - (time.monotonic_ns() - asked))
            return Request(view.seat, view, Clock(left), steps)

        self._thread.ask(asked, request)
        until = asked + (PATIENCE if limit is None else limit + MARGIN // 2)
        while (left := until - time.monotonic_ns()) > 0:
            try:
                of, answer = self._answers.get(timeout=min(_TICK, left / 1e9))
            except queue.Empty:
                idle()
                continue
            if of == asked:
                return answer
        return Answer(None, None, *SILENT, Cost(wall=time.monotonic_ns() - asked))

    @property
    def is_left(self) -> bool:
        """True if the player, a person, has left the game."""
        return self._own is not None and self._own.fault is Fault.QUIT

    @property
    def trouble(self) -> str:
        """The problem with the agent at its last move, as a verb phrase after its name; empty if there was none."""
        if self._own is None or self._own.fault is None:
            return ""
        return {
            Fault.ILLEGAL: f"chose {self._own.evidence}, which is not a move",
            Fault.FAILED: f"failed with {self._own.evidence}",
        }.get(self._own.fault, self._own.evidence)

    def end(self, why: str) -> tuple[Record, int]:
        """The record, without a result if the game goes on without this player because of `why`; and its duration."""
        self._thread.leave()
        if self._notebook is not None:
            self._notebook.close()
        if self._player.agent.has_processes:
            self._thread.join(_ENDING)
        seats = remote_seats(self.sighting.names, self.sighting.game.seats)
        seats[self.sighting.you] = Seat(self._player.spec, self._player.name)
        record = self.sighting.record(seats, self._played, why)
        record.seed = self._seed
        return record, time.monotonic_ns() - self._began
