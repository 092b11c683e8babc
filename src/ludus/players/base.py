"""Whoever sits at the board in one episode, as the driver knows them."""

from typing import Any, NamedTuple

from ludus.agents.base import Agent, Request
from ludus.agents.bot import Briefing
from ludus.record import Fault, Preparation


class Answer(NamedTuple):
    """A move or a fault, and what was measured: in the order in which the referee takes them."""

    move: Any = None
    wall: int = 0
    cpu: int = 0
    metrics: dict[str, Any] | None = None
    fault: Fault | None = None
    evidence: str = ""
    waited: int = 0
    memory: int = 0


class Player:
    """An agent at the board, and the name it goes by."""

    def __init__(self, agent: Agent, name: str = "") -> None:
        self.agent = agent
        self.spec = agent.spec()
        self.name = name or self.spec

    def begin(self, briefing: Briefing) -> Preparation:
        """Get ready for an episode."""
        raise NotImplementedError

    def think(self, request: Request) -> Answer:
        """A move for the request."""
        raise NotImplementedError

    def close(self) -> None:
        """No episode will follow."""
