"""Contests: games between programs over a network, with the messages of their servers and clients."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar, Protocol

from ludus.agents.agent import Clock
from ludus.core.spec import Configurable
from ludus.episode.limits import THINKING, UNLIMITED, Limits
from ludus.episode.record import Opening
from ludus.episode.request import Request
from ludus.games.game import Game, game_from
from ludus.kernel.rules import State
from ludus.net.sighting import Message, Sighting


class Text(Protocol):
    """A message of a server to all, made once."""

    def for_player(self, you: int) -> bytes:
        """The message to one player, counted from 0; empty if there is none."""

    def for_all(self) -> bytes:
        """The same message for spectators."""


class NoAnswer(Exception):  # noqa: N818 - everyday work
    """A message of a client that is not an answer, but `what`; after the last one its client is no longer read."""

    def __init__(self, what: str, *, is_last: bool) -> None:
        super().__init__(what)
        self.what = what
        self.is_last = is_last


class Contest(Configurable):
    """A game with its servers and clients; the parameters are those of the games on a server.

    `name` is the game's. Clients connect at `path` over WebSocket; the server's clock is at `time_path`, if it has one.
    """

    noun: ClassVar[str] = "server"
    path: ClassVar[str] = "/"
    time_path: ClassVar[str] = ""
    example: ClassVar[str] = ""
    """Options of an example of `ludus host`."""

    # --- Games of a server ----------------------------------------------------------------------------------------

    @property
    def least_places(self) -> int:
        """The fewest players of a game."""
        return game_from(self.name).least_players

    @property
    def most_places(self) -> int:
        """The most players of a game."""
        return self.least_places

    def places(self) -> int:
        """The number of players of the next game."""
        return self.least_places

    def set_up(self, places: int, seed: int) -> tuple[Game, Opening]:
        """A new game for this many players."""
        return game_from(self.name, places), Opening(seed=seed)

    def limits(self) -> Limits:
        """The limits of every move of a game."""
        return UNLIMITED

    def grant(self, clock: Clock) -> int:
        """Nanoseconds that players have for the round that begins."""
        limit = clock.limit()
        return THINKING if limit is None else limit

    def facts(self, state: State) -> dict[str, Any]:
        """Facts of a state for lists of games, besides its players and the round."""
        return {}

    def in_words(self, state: State) -> str:
        """The same facts in words, such as the size of the board."""
        return ""

    @property
    def pace(self) -> str:
        """The players' time in words."""
        return ""

    # --- Messages of servers ---------------------------------------------------------------------------------------

    def ask(self, requests: Sequence[Request], deadline: datetime) -> Text:
        """The message that asks players to move."""
        raise NotImplementedError

    def close(self, state: State, names: Sequence[str]) -> Text:
        """The message at the end."""
        raise NotImplementedError

    def read_answer(self, data: bytes) -> int:
        """Parse the move that a client sends; NoAnswer if it is not one."""
        raise NotImplementedError

    def void(self, move: int) -> int | None:
        """The move played for a client that answered, and then answered again or left."""
        return None

    def time_message(self, now: datetime) -> bytes:
        """The content of `time_path`."""
        raise NotImplementedError

    # --- Messages of clients ---------------------------------------------------------------------------------------

    def sighting(self, first: Message) -> Sighting:
        """The game that begins with a message."""
        return Sighting(game_from(self.name), first)

    def read_message(self, data: str | bytes) -> Message:
        """Parse a message of `ask` or `close`."""
        raise NotImplementedError

    def write_answer(self, move: int) -> str | bytes:
        """The answer in the form that `read_answer` parses."""
        raise NotImplementedError

    def safe_move(self, state: State, player: int) -> int:
        """The move to send if the agent has none in time."""
        return game_from(self.name).moves(state, player)[0]

    def read_time(self, data: bytes) -> datetime:
        """Parse a message of `time_message`."""
        raise NotImplementedError
