"""Whoever sits at the board in one episode, as the driver knows them."""

from ludus.agents.agent import Agent, Answer, Request
from ludus.bots.bot import Briefing
from ludus.episode.record import Preparation


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
