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
    """Facts sent to a player before an episode; `start` is the state after the opening, and must not be changed.

    `name` is unique among all episodes, and usable as a file name. `board` is the file with the start position as the
    game saves it, for players that read files, or None if the episode begins normally. `information` holds further
    facts for bots. `players` are those of all seats.
    """

    game: Game
    seat: int
    seed: int
    limits: Limits
    start: State
    name: str
    board: Path | None = None
    information: Mapping[str, str] = MappingProxyType({})
    opening: Opening = FROM_THE_START
    players: Sequence["Player"] = ()


Answers = Callable[[], list[Answer]]
"""A function that waits for the answers of players that were asked together."""


class Player:
    """An agent at the board, and its name there."""

    sees_all: ClassVar[bool] = False
    """True if the player sees the turns of others, even after its own disqualification."""
    folder: Path | None = None
    """The folder that no other program may use at the same time, if there is one."""

    def __init__(self, agent: Agent, name: str = "") -> None:
        self.agent = agent
        self.spec = agent.spec()
        self.name = name or self.spec

    def begin(self, briefing: Briefing) -> Preparation:
        """Get ready for an episode."""
        raise NotImplementedError

    def think(self, request: Request) -> Answer:
        """Choose a move for the request."""
        raise NotImplementedError

    @staticmethod
    def ask_together(asked: Sequence[tuple[Any, Request]]) -> Answers:
        """Ask players that share this function at the same time, so that they think at the same time."""
        answers = [player.think(request) for player, request in asked]
        return lambda: answers

    def show(self, request: Request) -> None:
        """Show a turn in which only others are asked."""

    def finish(self, record: Record, seat: int, state: State) -> None:
        """Add facts to the record of this seat that only the player knows, at the end of the episode."""

    def close(self) -> None:
        """Release all resources; no episode will follow."""

    def longest_start(self, limits: Limits) -> int | None:
        """The maximum time until `begin` returns, in nanoseconds, including waits for a core; None if there is none."""
        return limits.preparation

    def longest(self, limit: int | None) -> int | None:
        """The maximum time until an answer to a request with this limit, in nanoseconds; None if there is none."""
        return limit
