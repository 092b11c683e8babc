"""Players: the participants at the board of one episode, as the driver knows them."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ludus.agents.agent import Agent
from ludus.episode.limits import Limits
from ludus.episode.record import Preparation
from ludus.episode.request import Answer, Request
from ludus.games.game import Game
from ludus.kernel.rules import State


class Briefing(NamedTuple):
    """What a bot can be told before an episode; `start` is the state after the opening, not to be changed.

    `name` is unique among all episodes, and fit for a file's. `board` is the file that holds the start as the game
    saves it, or None if the episode begins as every one does. `told` has what others want it to know.
    """

    game: Game
    seat: int
    seed: int
    limits: Limits
    start: State
    name: str
    board: Path | None
    told: Mapping[str, str] = MappingProxyType({})


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
