"""A match driven by another tournament manager, which sends START, INFO and BEGIN and gets FINISH and the points."""

import re
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter_ns

import msgspec

from ludus.agents.agent import agent_from
from ludus.bots.serve.service import Service
from ludus.core.errors import InvalidError, LudusError
from ludus.core.seeds import drawn_seed
from ludus.episode.driver import play_episode
from ludus.episode.limits import LIMITS, UNLIMITED
from ludus.episode.local_player import player_for
from ludus.episode.opening import opening_at, start_state
from ludus.episode.record import Opening, Record
from ludus.episode.seating import check_seats, prepare, seated
from ludus.games.game import Game
from ludus.kernel.rules import CHANCE

_LIMITS = {limit.info: (name, limit) for name, limit in LIMITS.items() if limit.info is not None}
_NUMBER = re.compile(r"[0-9]{1,12}")
_NAME = re.compile(r"\w[\w.-]{0,99}")


class DrivenMatch(Service):
    """One episode between agents that `spec_of` finds by name; files of positions are in the folder.

    `ended` gets the name of the match, its record and its nanoseconds before the points are sent.
    """

    def __init__(
        self, game: Game, folder: Path, spec_of: Callable[[str], str], ended: Callable[[str, Record, int], None]
    ) -> None:
        self._game = game
        self._folder = folder
        self._spec_of = spec_of
        self._ended = ended
        self._specs: dict[str, str] = {}  # by name
        self._limits: dict[str, int] = {}  # in nanoseconds and bytes
        self._information: dict[str, str] = {}
        self._board = ""  # the file of the start position, if one was named
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
            raise InvalidError(
                f"{twice} is named twice, but points are listed by name: copy its folder under another name."
            )
        specs = {name: self._spec_of(name) for name in names}
        made = [agent_from(spec) for spec in specs.values()]
        if any(agent.person for agent in made):
            raise InvalidError("A person cannot take part in a match driven by a program: use 'ludus play'.")
        check_seats(self._game, made)
        self._specs = specs

    def _opening(self, board: str) -> Opening:
        """The start at a board, or another one for each episode; players may have files of that name of their own."""
        agents = [agent_from(spec) for spec in self._specs.values()]
        return opening_at(board, self._game, agents, self._folder) if board else Opening(seed=secrets.randbits(32))

    def _inform(self, key: str, value: str) -> None:
        if not value:
            raise InvalidError("INFO needs a key and a value, as in INFO timeout_turn 2000.")
        if key in _LIMITS:
            name, limit = _LIMITS[key]
            if not _NUMBER.fullmatch(value) or int(value) < limit.least:
                least = f" of at least {limit.least}" if limit.least else ""
                raise InvalidError(f"{key} must be a whole number{least}, not '{value}'.")
            self._limits[name] = int(value) * limit.one
        elif key == "initial_board":
            self._opening(value)
            self._board = value
        elif key == "match_name":
            if not _NAME.fullmatch(value):
                raise InvalidError(
                    f"'{value}' is not a match_name: write up to 100 letters, digits and . _ - without spaces."
                )
            self._name = value
        elif key in {"game", "players", "seat", "seed", *(parameter.name for parameter in self._game.parameters())}:
            raise InvalidError(f"{key} is sent to the bots by the match itself and cannot be set.")
        else:
            self._information[key] = value  # passed on to the bots, which may know its meaning

    def _play(self, first: str) -> Iterator[str]:
        names = list(self._specs)
        if not names:
            raise InvalidError("There are no bots yet: write START and their names first.")
        if first not in names:
            raise InvalidError(f"'{first}' is not one of {', '.join(names)}.")
        seed = drawn_seed()
        opening = self._opening(self._board)
        to_move = self._game.movers(start_state(self._game, opening))[0]
        turned = names.index(first) - (0 if to_move == CHANCE else to_move)
        seated_names = [names[(seat + turned) % len(names)] for seat in range(len(names))]
        players = [player_for(agent_from(self._specs[name]), name) for name in seated_names]
        limits = msgspec.structs.replace(UNLIMITED, **self._limits)
        prepare(self._game, [player.agent for player in players])
        yield "OK"
        began = perf_counter_ns()
        with seated(players, self._game):
            record = play_episode(
                self._game,
                players,
                limits=limits,
                seed=seed,
                opening=opening,
                name=self._name,
                information=self._information,
            )
        self.over = True
        self._ended(self._name, record, perf_counter_ns() - began)
        points = dict(zip(seated_names, record.scores, strict=True))
        yield from ("FINISH", *(f"{name} {points[name]:g}" for name in names), "DONE")
