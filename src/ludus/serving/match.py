"""A match as a program, which a tournament of another kind drives: START, INFO and BEGIN in, FINISH and points out."""

import secrets
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ludus.catalog import agent_from, agents
from ludus.errors import LudusError
from ludus.games.base import Game
from ludus.openings import read_position
from ludus.players.driving import play_episode
from ludus.players.seating import check_seats, player_for, prepare, seated
from ludus.record import FROM_THE_START, UNLIMITED, Opening
from ludus.serving.base import Service
from ludus.tournaments.base import Entrant
from ludus.tournaments.folder import bot_in, bots_in
from ludus.tournaments.saved import entrant_from

_TIMES = {
    "timeout_start": "preparation",
    "timeout_turn": "move",
    "timeout_game": "total",
    "timeout_grace": "grace",
    "increment": "increment",
}
"""The keys whose values are milliseconds, and what they are called in the limits."""


class Match(Service):
    """One episode between bots of a folder, or any agents; after it there is nothing more to say."""

    def __init__(self, game: Game, folder: Path) -> None:
        self._game = game
        self._folder = folder
        self._entrants: list[Entrant] = []
        self._limits: dict[str, int] = {}  # in nanoseconds and bytes
        self._told: dict[str, str] = {}
        self._opening = FROM_THE_START
        self._name = f"match-{secrets.token_hex(4)}"

    def answer(self, line: str) -> Iterator[str]:
        word, _, rest = line.partition(" ")
        try:
            match word.upper():
                case "START":
                    self._start(rest.split())
                    yield "OK"
                case "INFO":
                    self._inform(*[*rest.split(maxsplit=1), "", ""][:2])
                    yield "OK"
                case "BEGIN":
                    yield from self._play(rest.strip())
                case "END":
                    self.over = True
                case unknown if unknown:
                    yield f"ERROR '{word}' is unknown: write START, INFO or BEGIN."
        except LudusError as error:
            yield f"ERROR {' '.join(str(error).split())}"

    def _start(self, names: list[str]) -> None:
        entrants = [self._entrant(name) for name in names]
        check_seats(self._game, [agent_from(entrant.spec) for entrant in entrants])
        self._entrants = [Entrant(name, entrant.spec) for name, entrant in zip(names, entrants, strict=True)]

    def _entrant(self, name: str) -> Entrant:
        is_agent = name not in bots_in(self._folder) and (name in agents() or any(mark in name for mark in ":@/"))
        return entrant_from(name) if is_agent else bot_in(self._folder, name)

    def _inform(self, key: str, value: str) -> None:
        if not value:
            raise LudusError("INFO needs a key and a value, as in INFO timeout_turn 2000.")
        if key in _TIMES or key == "space_limit":
            if not value.isdecimal():
                raise LudusError(f"{key} is a whole number, not '{value}'.")
            self._limits[_TIMES.get(key, "memory")] = int(value) * 10**6
        elif key == "initial_board":
            self._opening = Opening(read_position(self._folder / value, self._game))
        elif key == "match_name":
            self._name = value
        else:
            self._told[key] = value  # for the bots, who may know what it means

    def _play(self, first: str) -> Iterator[str]:
        names = [entrant.name for entrant in self._entrants]
        if not names:
            raise LudusError("Nobody is there to play: write START and the names of the bots first.")
        if first not in names:
            raise LudusError(f"'{first}' is none of {', '.join(names)}.")
        opener = names.index(first)
        seats = self._entrants[opener:] + self._entrants[:opener]
        players = [player_for(agent_from(entrant.spec), entrant.name) for entrant in seats]
        limits = msgspec.structs.replace(UNLIMITED, **self._limits)
        prepare(self._game, [player.agent for player in players])
        yield "OK"
        with seated(players, self._game):
            record = play_episode(
                self._game,
                players,
                limits=limits,
                seed=secrets.randbits(32),
                opening=self._opening,
                name=self._name,
                told=self._told,
            )
        self.over = True
        points = dict(zip([entrant.name for entrant in seats], record.scores, strict=True))
        yield from ("FINISH", *(f"{name} {points[name]:g}" for name in names), "DONE")
