"""The lobby of a server: what games are like, and clients that wait for the next one."""

import asyncio
import math
import random
from collections.abc import Callable
from typing import NamedTuple

from ludus.contests.speed.game import LARGEST, SMALLEST, Speed
from ludus.core.errors import InvalidError
from ludus.net.clients import Client, nothing

SECOND = 10**9


class Span(NamedTuple):
    """A number, or a range from which one is drawn, as the organisers' server does."""

    low: float
    high: float

    @classmethod
    def parse(cls, text: str) -> "Span":
        """Read `4` or `2..6`; ValueError if it is neither."""
        first, dots, last = text.partition("..")
        span = cls(float(first), float(last if dots else first))
        if not all(map(math.isfinite, span)):
            raise ValueError(f"{text} is not finite")
        return span

    @property
    def fixed(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    @property
    def whole(self) -> bool:
        """Whether both ends are whole numbers."""
        return self.low.is_integer() and self.high.is_integer()

    def draw(self) -> float:
        """A number from it, both ends included: a whole one, if they are."""
        return random.randint(int(self.low), int(self.high)) if self.whole else random.uniform(self.low, self.high)

    def __str__(self) -> str:
        return f"{self.low:g}" if self.fixed else f"{self.low:g}..{self.high:g}"


DEADLINES = Span(0.01, 86400.0)
"""The seconds that a round can have."""


class Plan(NamedTuple):
    """What games are like on a server; times in nanoseconds, deadlines in seconds."""

    players: Span = Span(2.0, 6.0)
    width: Span = Span(float(SMALLEST), float(LARGEST))
    height: Span = Span(float(SMALLEST), float(LARGEST))
    deadline: Span = Span(5.0, 15.0)
    grace: int = 2 * SECOND
    lobby: int = 300 * SECOND
    fill: tuple[str, ...] = ()

    def check(self) -> None:
        """Refuse what cannot be played."""
        for parameter in Speed.parameters():
            assert parameter.low is not None
            assert parameter.high is not None
            bounds = Span(parameter.low, parameter.high)
            self._check(parameter.name, bounds, parameter.expects, is_whole=True)
        expected = f"a number of seconds from {DEADLINES.low:g} to {DEADLINES.high:g}"
        self._check("deadline", DEADLINES, expected, is_whole=False)

    def _check(self, name: str, bounds: Span, expected: str, *, is_whole: bool) -> None:
        span: Span = getattr(self, name)
        if span.low > span.high:
            raise InvalidError(f"--{name} {span} goes from more to less: write {Span(span.high, span.low)}.")
        if not bounds.low <= span.low <= span.high <= bounds.high or (is_whole and not span.whole):
            usual = Plan._field_defaults[name]
            raise InvalidError(f"--{name} {span} is not {expected}, or a range of such numbers, as in {usual}.")


class Lobby:
    """Clients that wait for one game, which begins when all its places are taken or the time of the lobby is up.

    After that time, agents take the empty places; where there are none to do so, the game begins with those who came,
    if they are enough, and as soon as they are.
    """

    def __init__(self, plan: Plan, begin: Callable[[list[Client], int], None], left: Callable[[Client], None]) -> None:
        self._plan = plan
        self._begin = begin
        self._left = left
        self.places = int(plan.players.draw())
        self.clients: list[Client] = []
        self.until: float | None = None
        """When its time is up, by the clock of the loop; None as long as it is empty."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_late = False

    def join(self, client: Client) -> None:
        """A client takes a place, until it leaves."""
        self.clients.append(client)
        client.changed = self._look
        self._look()

    def close(self) -> list[Client]:
        """No game begins here; those who waited for it."""
        self._stop()
        waiting, self.clients = self.clients, []
        for client in waiting:
            client.changed = nothing
        return waiting

    def _look(self) -> None:
        for client in [client for client in self.clients if client.gone]:
            self.clients.remove(client)
            self._left(client)
        if not self.clients:
            self._stop()
            return
        if self._timer is None:
            loop = asyncio.get_running_loop()
            self.until = loop.time() + self._plan.lobby / SECOND
            self._timer = loop.call_at(self.until, self._time_is_up)
        enough = self._plan.players.low if self._is_late else self.places
        if len(self.clients) >= enough or (self._is_late and self._plan.fill):
            places = self.places if self._plan.fill else len(self.clients)
            self._begin(self.close(), places)

    def _time_is_up(self) -> None:
        self._is_late = True
        self._look()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.until = None
        self._is_late = False
