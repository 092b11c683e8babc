"""What every agent is: parameters, the games it suits, and a move for a view."""

import time
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ludus.clock import FOREVER
from ludus.games.base import Game
from ludus.rules import State
from ludus.spec import Configurable

MARGIN = 300_000
"""Nanoseconds that an agent leaves unused before the referee's limit."""


@dataclass(frozen=True)
class View:
    """What a player sees when asked: the state (not to be changed), its seat, and what happened since its last turn.

    `since` holds one list of moves for each step, in the order of that step's movers, chance included.
    """

    state: State
    seat: int
    since: list[list[int]] = field(default_factory=list)


@dataclass(frozen=True)
class Clock:
    """What the referee grants for one move, in nanoseconds; None is without limit."""

    move: int | None = None
    total: int | None = None
    increment: int = 0

    def limit(self) -> int | None:
        """The most that this move may take."""
        limits = [limit for limit in (self.move, self.total) if limit is not None]
        return min(limits) if limits else None

    def share(self) -> int | None:
        """What a player that must budget should spend on this move: a thirtieth of the rest, and the increment."""
        budget = None if self.total is None else min(self.total, self.total // 30 + self.increment)
        limits = [limit for limit in (self.move, budget) if limit is not None]
        return min(limits) if limits else None


@dataclass(frozen=True)
class Choice:
    """A move and what the agent has to say about it."""

    move: int
    metrics: dict[str, Any] = field(default_factory=dict)


class Agent(Configurable):
    """A way of choosing moves. `begin` resets everything it knows; nothing is shared between episodes."""

    noun: ClassVar[str] = "agent"

    def unsuited(self, game: Game) -> str | None:
        """Why this agent cannot play that game, as the end of a sentence that starts with its name; None if it can."""
        return None

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Get ready for an episode."""
        raise NotImplementedError

    def choose(self, view: View, clock: Clock) -> Choice:
        """A move for the view, within the clock."""
        raise NotImplementedError


def deadline(wish: int | None, clock: Clock, *, limited: bool = False) -> int:
    """The moment to stop thinking: the agent's wish or its share of the clock, never past the referee's limit.

    An agent that is `limited` otherwise (depth, nodes, simulations) and has no wish may use all that the referee allows.
    Without any limit it thinks for a second.
    """
    law = clock.limit()
    budget = wish if wish is not None else law if limited else clock.share()
    if budget is None and not limited:
        budget = 1_000_000_000
    if law is not None:
        budget = max(0, min(law if budget is None else budget, law - MARGIN))
    return FOREVER if budget is None else time.monotonic_ns() + budget
