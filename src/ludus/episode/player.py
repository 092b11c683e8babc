"""Players: the participants at the board of one episode, as the driver knows them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from ludus.agents.agent import Agent
from ludus.episode.limits import Limits
from ludus.episode.record import FROM_THE_START, Opening, Preparation, Record
from ludus.episode.request import Answer, Request
from ludus.games.game import Game
from ludus.kernel.rules import State


class Briefing(NamedTuple):
    """Facts told to a player before an episode; `start` is the state after the opening, not to be changed.

    `name` is unique among all episodes, and fit for a file's. `board` is the file that holds the start as the game
    saves it, for players that read files, or None if the episode begins as every one does. `told` has what others want
    bots to know. `players` are those of all seats.
    """

    game: Game
    seat: int
    seed: int
    limits: Limits
    start: State
    name: str
    board: Path | None = None
    told: Mapping[str, str] = MappingProxyType({})
    opening: Opening = FROM_THE_START
    players: Sequence["Player"] = ()


Answers = Callable[[], list[Answer]]
"""Waits for the answers of players that were asked together."""


class Player:
    """An agent at the board, and its name there."""

    sees_all: ClassVar[bool] = False
    """Whether it is shown the turns of others, even once it is out."""

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

    @staticmethod
    def ask_together(asked: Sequence[tuple[Any, Request]]) -> Answers:
        """Ask players that share this function at once, so that they think at once."""
        answers = [player.think(request) for player, request in asked]
        return lambda: answers

    def show(self, request: Request) -> None:
        """A turn in which only others are asked."""

    def finish(self, record: Record, seat: int, state: State) -> None:
        """The episode is over: add to the record of this seat what only the player knows."""

    def close(self) -> None:
        """No episode will follow."""

    def longest_start(self, limits: Limits) -> int | None:
        """The most nanoseconds until `begin` returns, including waits for a core; None if nothing bounds them."""
        return limits.preparation

    def longest(self, limit: int | None) -> int | None:
        """The most nanoseconds until an answer to a request with this limit; None if nothing bounds them."""
        return limit
