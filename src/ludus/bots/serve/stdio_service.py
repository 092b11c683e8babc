"""An agent as a bot of the stdio protocol, for every game; docs/protocol.md describes it."""

import time

from ludus.agents.agent import Agent, Choice, Clock
from ludus.bots.protocols.stdio import CHANCE_NAME, REPLACED, is_plain
from ludus.bots.serve.service import ServedAgent, Service, figures, get_ready, nanoseconds
from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.registry import find, names
from ludus.core.spec import Spec
from ludus.episode.opening import read_position, start_state
from ludus.episode.record import Opening
from ludus.games.game import Game, game_from
from ludus.kernel.rules import CHANCE, State

_NUMBERS = ("seat", "seed", "timeout_turn", "timeout_game", "increment")
"""Keys of INFO that are numbers and used."""
_WITH_THE_GAME = ("players", "seat")
"""Keys of INFO sent before the parameters of the game."""


class StdioService(Service):
    """One episode of the game named by INFO, or else of the one given.

    The agent is prepared as soon as INFO sends anything that is not part of the game, so that preparing costs no move.
    Metrics are sent if asked for: with `metrics`, or by a manager that names the game, which only Ludus does. Another
    one would take their lines for moves.
    """

    def __init__(self, agent: Agent, game: str | None = None, *, metrics: bool = False) -> None:
        self._agent = agent
        self._given = game
        self._metrics = metrics
        self._kind: type[Game] | None = None
        self._name = ""
        self._received: dict[str, str] = {}
        self._ready_for = ""
        self._position: str | None = None
        self._served: ServedAgent | None = None
        self._replaced: str | None = None  # the move played in place of its last one

    def begin(self) -> None:
        if self._given:
            self._kind = type(game_from(self._given))
            self._get_ready()

    def answer(self, line: str) -> list[str]:
        word, _, rest = line.partition(" ")
        match word.upper():
            case "":
                return []
            case "INFO":
                return self._take_information(*rest.split(maxsplit=1))
            case "START":
                self._served = None
                return self._move("")
            case "TURN":
                return self._move(rest.strip())
            case "END":
                self.over = True
                return []
        return [f"ERROR unknown message {word}: write INFO, START, TURN or END."]

    # --- Information ----------------------------------------------------------------------------------------------

    def _take_information(self, key: str = "", value: str = "") -> list[str]:
        key, value = key.lower(), value.strip()
        if self._served is not None:  # in a running game information is ignored, and not answered either
            self._replaced = value if key == REPLACED else self._replaced
            return []
        if key in _NUMBERS and not value.removeprefix("-").isdecimal():
            return [f"ERROR {key} must be a whole number, not '{value}'."]
        if key == "game" and not self._name:
            self._learn_game(value)
            return ["OK"]
        self._received[key] = value
        if self._kind is not None and key not in (*_WITH_THE_GAME, *self._parameters()):
            self._get_ready()
        return ["OK"]

    def _learn_game(self, name: str) -> None:
        self._name = name
        if self._kind is None:
            self._kind = find(Game, name) if name in names("game") else None
        if self._kind is None:
            raise NotFoundError(f"There is no game '{name}' here: name its file, as in --game my_game.py.")
        if self._kind.name != name:
            raise InvalidError(f"The manager plays {name}, but --game is {self._kind.name}: omit --game.")

    def _parameters(self) -> list[str]:
        return [] if self._kind is None else [parameter.name for parameter in self._kind.parameters()]

    def _get_ready(self) -> None:
        """Create the game from everything received so far, if that has changed, and prepare the agent."""
        spec = self._spec()
        if spec != self._ready_for:
            self._game = game_from(spec)
            self._plain = is_plain(self._game)
            get_ready(self._agent, self._game)
            self._ready_for = spec
        if "initial_board" in self._received:
            self._position = read_position(self._received["initial_board"], self._game)

    def _spec(self) -> str:
        """The game given or received, with the received parameters."""
        if self._kind is None:
            raise InvalidError("The manager sent no INFO game: name the game with --game.")
        given = Spec.parse(self._given or self._kind.name)
        by_words = [p.name for p in self._kind.parameters() if p.required][: len(given.words)]
        received = {
            name: self._received[name] for name in self._parameters() if name in self._received and name not in by_words
        }
        options = [f"{name}={value}" for name, value in {**given.options, **received}.items()]
        return ":".join(filter(None, [given.file, given.name, ",".join([*given.words, *options])]))

    # --- Moves ----------------------------------------------------------------------------------------------------

    def _move(self, words: str) -> list[str]:
        asked = time.monotonic_ns()
        if self._served is None:
            self._get_ready()
            self._left = self._limit("timeout_game")
            start = start_state(self._game, Opening(self._position))
            seed = int(self._received["seed"]) if "seed" in self._received else None
            self._served = ServedAgent(self._agent, self._game, self._seat(start, words), start, seed)
        served = self._served
        try:
            served.follow(self._moves(words))
        except LudusError as error:
            return [f"ERROR {error}"]
        self._replaced = None
        choice = served.choose(Clock(self._limit("timeout_turn"), self._left, self._limit("increment") or 0))
        metrics = _metrics(choice) if self._metrics or self._name else []
        lines = [*metrics, served.text(choice.move)]
        if self._plain:
            served.make(choice.move)
        if self._left is not None:
            self._left = max(0, self._left - (time.monotonic_ns() - asked)) + (self._limit("increment") or 0)
        return lines

    def _limit(self, key: str) -> int | None:
        return nanoseconds(int(self._received[key])) if key in self._received else None

    def _seat(self, start: State, words: str) -> int:
        """The seat received, or else the one that the first message implies."""
        if "seat" in self._received:
            seat = int(self._received["seat"])
            if not 0 <= seat < self._game.seats:
                raise InvalidError(
                    f"{self._game.spec()} has no seat {seat}: its seats are 0 to {self._game.seats - 1}."
                )
            return seat
        if self._game.seats == 1:
            return 0
        if not self._plain:
            raise InvalidError(f"{self._game.spec()} needs INFO seat, but the manager did not send it.")
        mover = self._game.movers(start)[0]
        return mover if words in ("", "-") else 1 - mover

    def _moves(self, words: str) -> list[tuple[int, str]]:
        """The moves in a TURN, each with its seat."""
        assert self._served is not None
        seat = self._served.seat
        replaced = [] if self._replaced is None else [(seat, self._replaced)]
        if words in ("", "-"):
            return replaced
        if self._plain and ":" not in words:
            return [*replaced, *((1 - seat, move) for move in words.split(";"))]
        moves = []
        for word in words.split():
            who, _, move = word.partition(":")
            if who != CHANCE_NAME and not who.isdecimal():
                raise InvalidError(f"'{word}' is not SEAT:MOVE or {CHANCE_NAME}:OUTCOME.")
            moves.append((CHANCE if who == CHANCE_NAME else int(who), move))
        return moves


def _metrics(choice: Choice) -> list[str]:
    return [f"METRIC {'_'.join(name.split())} {value}" for name, value in figures(choice.metrics).items()]
