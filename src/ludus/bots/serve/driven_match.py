"""A match as a program, which a tournament of another kind drives: START, INFO and BEGIN in, FINISH and points out."""

import re
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from ludus.bots.serve.service import Service
from ludus.core.errors import InvalidError, LudusError
from ludus.core.registry import agent_from, agents
from ludus.episode.driver import play_episode
from ludus.episode.limits import LIMITS, UNLIMITED
from ludus.episode.local_player import player_for
from ludus.episode.opening import read_position, start_state
from ludus.episode.record import PREPARING, Opening, Record
from ludus.episode.seating import check_seats, prepare, seated
from ludus.games.game import Game
from ludus.kernel.rules import CHANCE
from ludus.tournaments.bot_folder import bot_in, bots_in
from ludus.tournaments.field import entrant_from
from ludus.tournaments.tournament import Entrant

_LIMITS = {limit.info: (name, limit) for name, limit in LIMITS.items() if limit.info is not None}
_NUMBER = re.compile(r"[0-9]{1,12}")
_NAME = re.compile(r"\w[\w.-]{0,99}")


class Match(Service):
    """One episode between bots of a folder, or any agents; after it there is nothing more to say."""

    def __init__(self, game: Game, folder: Path) -> None:
        self._game = game
        self._folder = folder
        self._entrants: list[Entrant] = []
        self._limits: dict[str, int] = {}  # in nanoseconds and bytes
        self._told: dict[str, str] = {}
        self._opening: Opening | None = None  # as far as it is told
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
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InvalidError(f"{twice} is named twice, and points go by names: copy its folder under another name.")
        entrants = [self._entrant(name) for name in names]
        made = [agent_from(entrant.spec) for entrant in entrants]
        if any(agent.person for agent in made):
            raise InvalidError(
                "A person cannot take part here, where a program does the talking: 'ludus play' is for that."
            )
        check_seats(self._game, made)
        self._entrants = [Entrant(name, entrant.spec) for name, entrant in zip(names, entrants, strict=True)]

    def _entrant(self, name: str) -> Entrant:
        is_agent = name not in bots_in(self._folder) and (name in agents() or any(mark in name for mark in ":@/"))
        return entrant_from(name) if is_agent else bot_in(self._folder, name)

    def _inform(self, key: str, value: str) -> None:
        if not value:
            raise InvalidError("INFO needs a key and a value, as in INFO timeout_turn 2000.")
        if key in _LIMITS:
            name, limit = _LIMITS[key]
            if not _NUMBER.fullmatch(value) or int(value) < limit.least:
                least = f" from {limit.least} on" if limit.least else ""
                raise InvalidError(f"{key} is a whole number{least}, not '{value}'.")
            self._limits[name] = int(value) * limit.one
        elif key == "initial_board":
            self._opening = Opening(read_position(self._folder / value, self._game))
        elif key == "match_name":
            if not _NAME.fullmatch(value):
                raise InvalidError(
                    f"'{value}' is no match_name: write up to 100 letters, digits and . _ - without blanks."
                )
            self._name = value
        elif key in {"game", "players", "seat", "seed", *(parameter.name for parameter in self._game.parameters())}:
            raise InvalidError(f"{key} is told to the bots by the match itself, and cannot be set.")
        else:
            self._told[key] = value  # for the bots, who may know what it means

    def _play(self, first: str) -> Iterator[str]:
        names = [entrant.name for entrant in self._entrants]
        if not names:
            raise InvalidError("Nobody is there to play: write START and the names of the bots first.")
        if first not in names:
            raise InvalidError(f"'{first}' is none of {', '.join(names)}.")
        seed = secrets.randbits(32)
        opening = Opening(seed=seed) if self._opening is None else self._opening
        to_move = self._game.movers(start_state(self._game, opening))[0]
        turned = names.index(first) - (0 if to_move == CHANCE else to_move)
        seats = [self._entrants[(seat + turned) % len(names)] for seat in range(len(names))]
        players = [player_for(agent_from(entrant.spec), entrant.name) for entrant in seats]
        limits = msgspec.structs.replace(UNLIMITED, **self._limits)
        prepare(self._game, [player.agent for player in players])
        yield "OK"
        with seated(players, self._game):
            record = play_episode(
                self._game,
                players,
                limits=limits,
                seed=seed,
                opening=opening,
                name=self._name,
                told=self._told,
            )
        self.over = True
        for sentence in _faults(record):
            print(sentence, file=sys.stderr, flush=True)
        points = dict(zip([entrant.name for entrant in seats], record.scores, strict=True))
        yield from ("FINISH", *(f"{name} {points[name]:g}" for name in names), "DONE")


def _faults(record: Record) -> Iterator[str]:
    """Who fell out, and why: a line each."""
    for fallen in record.out:
        seat = record.seats[fallen.seat]
        if fallen.step == PREPARING:
            evidence = seat.preparation.evidence if seat.preparation is not None else ""
        else:
            evidence = next(move.evidence for move in record.steps[fallen.step] if move.seat == fallen.seat)
        first_line, _, _ = evidence.partition("\n")
        yield f"{seat.name} is out ({fallen.fault}): {first_line}"
