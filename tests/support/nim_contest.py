"""A contest in Nim, as a package beside Ludus would bring one: its messages are JSON with the position as text."""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

import msgspec

from ludus.episode.request import Request
from ludus.games.game import Game, game_from
from ludus.kernel.rules import State
from ludus.net.contest import Contest, NoAnswer
from ludus.net.sighting import Message


class Told(msgspec.Struct):
    """A message of the server; without a mover the game is over."""

    position: str
    you: int
    mover: int | None = None
    names: list[str] | None = None


class NimText:
    def __init__(self, told: Told) -> None:
        self._told = told

    def for_player(self, you: int) -> bytes:
        return msgspec.json.encode(msgspec.structs.replace(self._told, you=you))

    def for_all(self) -> bytes:
        return self.for_player(-1)


class NimContest(Contest):
    """Nim between two."""

    name: ClassVar[str] = "nim"
    path: ClassVar[str] = "/nim"

    @property
    def _game(self) -> Game:
        return game_from("nim")

    def ask(self, requests: Sequence[Request], deadline: datetime) -> NimText:
        (request,) = requests
        return NimText(Told(self._game.save(request.view.state), -1, request.seat))

    def close(self, state: State, names: Sequence[str]) -> NimText:
        return NimText(Told(self._game.save(state), -1, None, list(names)))

    def read_answer(self, data: bytes) -> int:
        if not data.isdigit():
            raise NoAnswer("no number", is_last=False)
        return int(data)

    def read_message(self, data: str | bytes) -> Message:
        told = msgspec.json.decode(data, type=Told)
        return Message(self._game.load(told.position), told.you, told.mover is not None, None, told.names)

    def write_answer(self, move: int) -> str:
        return str(move)
