"""The games of OpenSpiel that fit; their states are wrapped Python objects, so their rules are interpreted."""

import dataclasses
import importlib.util
import math
from typing import Any, ClassVar, NamedTuple, Self

from ludus.core.errors import InvalidError, LudusError, NotFoundError
from ludus.core.spec import Spec, param
from ludus.core.text import did_you_mean
from ludus.games.game import Game
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import CHANCE, MOST_PLAYERS, MOVE_LIMIT, Array, rule

SIMULTANEOUS = -2  # OpenSpiel's player number for simultaneous moves


class Bounds(NamedTuple):
    """Facts about the game that the rules need."""

    players: int
    most_moves: int
    most_outcomes: int
    lowest: float
    highest: float
    zero_sum: bool


class OpenSpielState:
    """A state of OpenSpiel, with the limits of its game."""

    __slots__ = ("inner", "limits", "texts")

    inner: Any
    limits: Bounds
    texts: dict[int, dict[int, str]]  # texts of the moves of each player, once computed


@rule
def most_moves(state: OpenSpielState) -> int:
    return state.limits.most_moves


@rule
def most_outcomes(state: OpenSpielState) -> int:
    return state.limits.most_outcomes


@rule
def movers(state: OpenSpielState, out: Array) -> int:
    players = movers_of(state)
    out[: len(players)] = players
    return len(players)


@rule
def legal(state: OpenSpielState, player: int, out: Array) -> int:
    moves = state.inner.legal_actions(int(player))
    out[: len(moves)] = moves
    return len(moves)


@rule
def chance(state: OpenSpielState, probabilities: Array) -> int:
    outcomes = state.inner.chance_outcomes()
    probabilities[: len(outcomes)] = [probability for _, probability in outcomes]
    return len(outcomes)


@rule
def play(state: OpenSpielState, moves: Array) -> None:
    state.texts = {}
    mover = state.inner.current_player()
    if mover == CHANCE:
        state.inner.apply_action(state.inner.chance_outcomes()[int(moves[0])][0])
    elif mover == SIMULTANEOUS:
        chosen = dict(zip(movers_of(state), moves, strict=False))
        state.inner.apply_actions([int(chosen.get(player, 0)) for player in range(state.limits.players)])
    else:
        state.inner.apply_action(int(moves[0]))


@rule
def over(state: OpenSpielState) -> bool:
    return bool(state.inner.is_terminal())


@rule
def scores(state: OpenSpielState, out: Array) -> None:
    limits, returns = state.limits, state.inner.returns()
    if limits.players == 1:
        out[0] = returns[0]
        return
    middle = 0.0 if limits.zero_sum else sum(returns) / limits.players
    spread = max(abs(limits.lowest), abs(limits.highest)) if limits.zero_sum else limits.highest - limits.lowest
    out[: limits.players] = [(score - middle) / (spread or 1.0) for score in returns]


@rule
def heuristic(state: OpenSpielState, player: int) -> float:
    limits = state.limits
    if limits.players > 1:
        return 0.0
    edge = 1e-6 * (limits.highest - limits.lowest)
    return min(max(float(state.inner.returns()[0]), limits.lowest + edge), limits.highest - edge)


@rule
def copy(state: OpenSpielState, into: OpenSpielState) -> None:
    into.inner = state.inner.clone()
    into.limits = state.limits
    into.texts = {}


@rule
def key(state: OpenSpielState) -> int:
    """Hash the history of the position, because OpenSpiel's text of a position may be incomplete."""
    return hash(tuple(state.inner.history()))


def movers_of(state: OpenSpielState) -> list[int]:
    """The players to move: with simultaneous moves, those that have a choice."""
    mover = state.inner.current_player()
    if mover != SIMULTANEOUS:
        return [mover]
    return [player for player in range(state.limits.players) if state.inner.legal_actions(player)]


class OpenSpiel(Game):
    """Any game of OpenSpiel: `openspiel:NAME`, then its own parameters, as in `openspiel:mnk,m=5,n=5,k=4`.

    Scores of zero-sum games are divided by the highest, those of other games taken relative to the players' mean and
    divided by their range. A move is OpenSpiel's text with `_` for spaces, or its number if texts are not unique. A
    position is the numbers of all actions so far, chance included, joined by `/`; `start` is the beginning.
    """

    name: ClassVar[str] = "openspiel"
    least_players: ClassVar[int] = 1
    most_players: ClassVar[int] = MOST_PLAYERS

    game: str = param(help="name of the game in OpenSpiel")
    options: dict[str, str] = dataclasses.field(default_factory=dict)

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        options = dict(spec.options)
        words = list(spec.words) or [options.pop("game", "")]
        if len(words) > 1:
            raise InvalidError(f"openspiel: '{words[1]}' is not of the form key=value.")
        if not words[0]:
            raise InvalidError("openspiel needs the name of a game, as in openspiel:breakthrough.")
        return cls(game=words[0], options=options)

    def spec(self) -> str:
        return ",".join([f"openspiel:{self.game}", *(f"{key}={value}" for key, value in self.options.items())])

    def __post_init__(self) -> None:
        self._game = self._load()
        kind = self._game.get_type()
        self._limits = limits = Bounds(
            self._game.num_players(),
            self._game.num_distinct_actions(),
            self._game.max_chance_outcomes(),
            self._game.min_utility(),
            self._game.max_utility(),
            kind.utility.name == "ZERO_SUM",
        )
        if why := _misfit(kind, limits):
            raise InvalidError(f"openspiel: {self.game} cannot be played here, because {why}.")
        vars(self).update(  # facts that other games declare in their class
            chance=kind.chance_mode.name != "DETERMINISTIC",
            simultaneous=kind.dynamics.name == "SIMULTANEOUS",
            hidden=kind.information.name == "IMPERFECT_INFORMATION",
            score_range=(limits.lowest, limits.highest) if limits.players == 1 else (-1.0, 1.0),
        )

    def _load(self) -> Any:
        if importlib.util.find_spec("pyspiel") is None:
            raise LudusError("openspiel needs the package open_spiel: pip install 'ludus[openspiel]'.")
        import pyspiel

        kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
        if self.game not in kinds:
            raise NotFoundError(f"OpenSpiel has no game '{self.game}'{did_you_mean(self.game, kinds)}.")
        known = kinds[self.game].parameter_specification
        for option in self.options:
            if option not in known:
                raise InvalidError(
                    f"OpenSpiel's {self.game} has no parameter '{option}'{did_you_mean(option, known)}; "
                    f"it has {', '.join(known) or 'none'}."
                )
        options = ",".join(f"{key}={value}" for key, value in self.options.items())
        try:
            return pyspiel.load_game(f"{self.game}({options})")
        except Exception as error:  # SpielError, or an error of the C++ library
            reason = str(error).strip().split("\n")[0].rstrip(".")
            raise InvalidError(f"OpenSpiel cannot load {self.game}({options}): {reason}.") from None

    @property
    def seats(self) -> int:
        return self._limits.players

    def start(self, rng: Rng) -> OpenSpielState:
        state = OpenSpielState()
        state.inner = self._game.new_initial_state()
        state.limits = self._limits
        state.texts = {}
        return state

    def format(self, state: OpenSpielState, player: int, move: int) -> str:
        if player not in state.texts:
            state.texts[player] = self._texts(state, player)
        return state.texts[player][move]

    def _texts(self, state: OpenSpielState, player: int) -> dict[int, str]:
        moves, inner = self.moves(state, player), state.inner
        actions = [action for action, _ in inner.chance_outcomes()] if player == CHANCE else moves
        texts = ["_".join(inner.action_to_string(player, action).split()) for action in actions]
        if len({text.lower() for text in texts if text}) < len(texts):
            texts = [str(move) for move in moves]
        return dict(zip(moves, texts, strict=True))

    def draw(self, state: OpenSpielState) -> str:
        return str(state.inner).rstrip() or self.save(state)

    def save(self, state: OpenSpielState) -> str:
        return "/".join(str(action) for action in state.inner.history()) or "start"

    def load(self, text: str) -> OpenSpielState:
        state = self.start(new_rng(0))
        inner = state.inner
        parts = [] if text.strip() in ("", "start") else text.strip().split("/")
        while parts:
            together = inner.is_simultaneous_node()
            players = list(range(self.seats)) if together else [inner.current_player()]
            turn, parts = parts[: len(players)], parts[len(players) :]
            for player, part in zip(players, turn, strict=False):
                if inner.is_terminal() or part not in [str(action) for action in inner.legal_actions(player) or [0]]:
                    raise InvalidError(f"openspiel: '{part}' in '{text.strip()}' is not a legal action there.")
            if len(turn) < len(players):
                raise InvalidError(f"openspiel: '{text.strip()}' ends within a turn of {len(players)} players.")
            actions = [int(part) for part in turn]
            if together:
                inner.apply_actions(actions)
            else:
                inner.apply_action(actions[0])
        return state


def _misfit(kind: Any, limits: Bounds) -> str | None:
    """The reason why a game of OpenSpiel cannot be played here."""
    if kind.dynamics.name == "MEAN_FIELD":
        return "it is a mean-field game"
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        return "its chance outcomes cannot be listed"
    if limits.players > MOST_PLAYERS:
        return f"it has {limits.players} players, more than {MOST_PLAYERS}"
    if not 0 < limits.most_moves < MOVE_LIMIT:
        return "its actions have no numbers, or too many"
    if not (math.isfinite(limits.lowest) and math.isfinite(limits.highest)):
        return "its scores have no bounds"
    return None
