"""Clients as players in any episode: they are waited for at a gate, and communicate through it."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from time import perf_counter_ns
from typing import TYPE_CHECKING, ClassVar

from ludus.agents.agent import Agent
from ludus.core.errors import InvalidError
from ludus.episode import verdict
from ludus.episode.limits import THINKING
from ludus.episode.player import Answers, Briefing, Player
from ludus.episode.record import Fault, Preparation, Record
from ludus.episode.request import Answer, Request
from ludus.kernel.rules import State
from ludus.net.contest import Text

if TYPE_CHECKING:  # network modules are slow to import, and few episodes need them
    from ludus.net.clients import Client
    from ludus.net.gate import Gate

ARRIVAL = 300 * 10**9
"""Default time for a client to connect, in nanoseconds."""

open_gates: list["Gate"] = []
"""Open gates; clients are expected at the last of them."""


class RemotePlayer(Player):
    """A client, which connects again for each episode, as for each game of a server."""

    sees_all: ClassVar[bool] = True

    def __init__(self, agent: Agent, name: str = "") -> None:
        super().__init__(agent, name)
        self._client: Client | None = None

    @property
    def _gate(self) -> "Gate":
        if not open_gates:
            raise InvalidError(
                f"{self.spec} needs a client, but no port is open: 'ludus run' and 'ludus play' open one with --port."
            )
        return open_gates[-1]

    def begin(self, briefing: Briefing) -> Preparation:
        self.close()
        self._seat = briefing.seat
        self._limits = briefing.limits
        limit = ARRIVAL if briefing.limits.preparation is None else briefing.limits.preparation
        began = perf_counter_ns()
        self._client = self._gate.take(self.agent.awaited, limit)
        if self._client is None:
            return Preparation(*verdict.not_within(limit, "connect"), wall=perf_counter_ns() - began)
        return Preparation()

    def think(self, request: Request) -> Answer:
        return self.ask_together([(self, request)])()[0]

    @staticmethod
    def ask_together(asked: Sequence[tuple["RemotePlayer", Request]]) -> Answers:
        """Ask several clients at the same time; answers come when the last has answered or its time is up."""
        questions = [player.question(request) for player, request in asked]
        answers = asked[0][0]._gate.ask([question for question in questions if question is not None])

        def collect() -> list[Answer]:
            missing = Answer(fault=Fault.FAILED, evidence="is not connected")
            found = iter(answers.result())
            return [missing if question is None else next(found) for question in questions]

        return collect

    def question(self, request: Request) -> tuple["Client", bytes, int] | None:
        """The client, the message that asks it, and its time in nanoseconds; None if it is not connected."""
        if self._client is None:
            return None
        text = self._asking(request)
        return self._client, text.for_player(self._seat), verdict.latest(self._limits, _limit(request))

    def show(self, request: Request) -> None:
        """Show a round in which others are asked: a client that is out sees the game to its end, as on a server."""
        self._send(self._asking(request))

    def finish(self, record: Record, seat: int, state: State) -> None:
        """Show the end of the episode, with the clients' names as on a server."""
        prefix = f"{self.agent.name}:"
        self._send(self._gate.contest.close(state, [seat.name.removeprefix(prefix) for seat in record.seats]))
        self.close()

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            self._gate.release(client)

    def _asking(self, request: Request) -> Text:
        deadline = datetime.now(UTC) + timedelta(microseconds=_limit(request) / 1000)
        return self._gate.contest.ask([request], deadline)

    def _send(self, text: Text) -> None:
        if self._client is not None:
            self._gate.send(self._client, text.for_player(self._seat))


def _limit(request: Request) -> int:
    limit = request.clock.limit()
    return THINKING if limit is None else limit
