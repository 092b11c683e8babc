"""The interface of every game: parameters, facts, notation, drawing, hooks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ludus.core.errors import InvalidError
from ludus.core.paths import in_full
from ludus.core.registry import find
from ludus.core.spec import Configurable, Spec
from ludus.core.user_file import class_in_file
from ludus.kernel import rules
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import State

if TYPE_CHECKING:
    from ludus.games.notation import Notation


@dataclass(frozen=True)
class Facts:
    """Facts about a game that agents need."""

    players: int
    chance: bool
    simultaneous: bool
    hidden: bool
    most_moves: int
    most_outcomes: int
    lowest_score: float
    highest_score: float

    @property
    def deterministic(self) -> bool:
        """True if the moves alone determine the course of the game."""
        return not self.chance


@dataclass(frozen=True)
class Weight:
    """One weight of a game's evaluation: agents set it with `weight.NAME=value`."""

    default: float
    help: str


class Game(Configurable):
    """A game with its parameters; its rules are functions on its states, marked with `@rule`."""

    noun: ClassVar[str] = "game"
    least_players: ClassVar[int] = 2
    most_players: ClassVar[int] = 2
    chance: ClassVar[bool] = False
    simultaneous: ClassVar[bool] = False
    hidden: ClassVar[bool] = False
    score_range: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    weights: ClassVar[dict[str, Weight]] = {}
    """Weights of the evaluation, in the order of the state's field `weights`."""
    board: ClassVar[str] = "text"
    """The kind of board for drawing positions: the name of a painter."""
    symbols: ClassVar[Sequence[str]] = ("xX", "oO")
    """The letters of each player's pieces in drawings, seat by seat; terminals show them in the players' colours."""
    default_opponent: ClassVar[str] = "random"
    """The agent for the other seats of a scenario that names none; it must not end the game by itself."""
    early_rounds: ClassVar[int] = 0
    """Number of rounds in which a player's exit is early, if the game continues without that player."""
    early_ends: ClassVar[str] = "episodes that ended by a fault of an opponent"
    """A description of the episodes that say little about the winner, used with win rates."""

    @property
    def title(self) -> str:
        """The title in pictures and charts, by default the name."""
        return self.name

    @property
    def seats(self) -> int:
        """Number of players: the parameter `players` if the game has one."""
        return int(getattr(self, "players", self.least_players))

    def start(self, rng: Rng) -> State:
        """A new state at the start; only games with a random start use `rng`."""
        raise self._lacking("start")

    def draw(self, state: State) -> str:
        """The position as text, for a terminal."""
        raise self._lacking("draw")

    def _lacking(self, method: str) -> InvalidError:
        return InvalidError(f"The class {type(self).__name__} of {self.name} has no method {method}: write one.")

    def format(self, state: State, player: int, move: int) -> str:
        """A move, or an outcome of CHANCE, as text without spaces."""
        return str(move)

    def parse(self, state: State, player: int, text: str) -> int:
        """The legal move that a text describes; InvalidError if there is none."""
        moves = self.moves(state, player)
        wanted = text.strip().lower()
        for move in moves:
            if self.format(state, player, move).lower() == wanted:
                return move
        examples = ", ".join(self.format(state, player, m) for m in moves[:3])
        raise InvalidError(f"'{text.strip()}' is not a legal move here: write a move like {examples}.")

    def load(self, text: str) -> State:
        """A start position from the text that `save` writes."""
        raise InvalidError(f"Positions of {self.name} have no text form.")

    def save(self, state: State) -> str:
        """A position as text, the form that `load` reads."""
        raise InvalidError(f"Positions of {self.name} have no text form.")

    @classmethod
    def notation(cls) -> "Notation | None":
        """The files in which other programs keep games of this kind, if there are any."""
        return None

    def facts(self) -> Facts:
        """Facts for agents."""
        state = self.start(new_rng(0))
        return Facts(
            players=self.seats,
            chance=self.chance,
            simultaneous=self.simultaneous,
            hidden=self.hidden,
            most_moves=int(rules.most_moves(state)),
            most_outcomes=int(rules.most_outcomes(state)),
            lowest_score=self.score_range[0],
            highest_score=self.score_range[1],
        )

    def moves(self, state: State, player: int) -> list[int]:
        """The legal moves of a player as a list; for CHANCE, the numbers of the outcomes."""
        if player == rules.CHANCE:
            return list(range(rules.chance(state, np.zeros(rules.most_outcomes(state)))))
        out = np.zeros(rules.most_moves(state), np.int64)
        return [int(move) for move in out[: rules.legal(state, player, out)]]

    def movers(self, state: State) -> list[int]:
        """The players to move, as a list."""
        out = np.zeros(rules.MOST_PLAYERS, np.int64)
        return [int(player) for player in out[: rules.movers(state, out)]]

    def scores(self, state: State) -> list[float]:
        """Each player's score at the end, as a list."""
        out = np.zeros(rules.MOST_PLAYERS)
        rules.scores(state, out)
        return [float(score) for score in out[: self.seats]]

    def is_out(self, state: State, player: int) -> bool:
        """True if a player is out of the game while others continue."""
        return False

    def first_round(self, state: State) -> int:
        """The number of the round that begins in a start position, if positions have round numbers."""
        return 1

    def early_exits(
        self, start: State, opening: Sequence[Sequence[str]], steps: Sequence[Sequence[tuple[int, str]]]
    ) -> set[int]:
        """The players that left early through their own fault, if `early_rounds` is set.

        `opening` has the moves of each step from the start, `steps` the players and moves of the following steps.
        """
        return set()

    def weigh(self, state: State, changes: dict[str, float]) -> State:
        """The same state with different weights of the evaluation, for one agent."""
        values = [changes.get(name, weight.default) for name, weight in self.weights.items()]
        return state._replace(weights=np.array(values)) if values else state

    def default_weights(self) -> np.ndarray:
        """The weights in the form of the state's field."""
        return np.array([weight.default for weight in self.weights.values()])


def game_from(text: str, players: int | None = None, base: Path | None = None) -> Game:
    """Create the game that a spec names; `players` is used if the spec leaves that parameter open.

    With `base`, paths are relative to that folder, and the spec of the game has an absolute path.
    """
    spec = Spec.parse(text)
    file = spec.file if spec.file is None or base is None else in_full(spec.file, base)
    cls: type[Game] = find(Game, spec.name) if file is None else class_in_file(Game, file, spec.name)
    if players and "players" not in spec.options and any(p.name == "players" for p in cls.parameters()):
        players = max(cls.least_players, min(players, cls.most_players))
        spec = Spec(spec.name, spec.words, {**spec.options, "players": str(players)}, spec.file)
    return cls.from_spec(spec)
