"""Random playthroughs that check every position, and name the rule that breaks its contract."""

import itertools
import random
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from ludus.check.compile_errors import explain
from ludus.check.steps import ProblemError
from ludus.core.errors import LudusError
from ludus.games.game import Game
from ludus.kernel import rules
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import CHANCE, MOVE_LIMIT, Array, State, duplicate, is_array_state, provides
from ludus.kernel.state import changing_fields

MOST_STEPS = 10_000
GAMES = 20
SECONDS = 5.0
"""Time for the playthroughs of one step, without the first one, which compiles the rules."""
_CLOSE = 1e-9


@dataclass(frozen=True)
class Caller:
    """A caller of rules, compiled or interpreted; an error in one becomes a problem that names the rule."""

    interpreted: bool = False

    def __call__(self, name: str, state: State, *rest: Any) -> Any:
        rule = getattr(rules, name)
        try:
            with np.errstate(over="ignore", divide="raise", invalid="raise"):
                return (rule.interpreted if self.interpreted else rule)(state, *rest)
        except Exception as error:
            raise broken_promise(name, error) from error


def broken_promise(culprit: str, error: Exception) -> ProblemError:
    """The problem of the author's code behind an exception in a rule or a method."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, LudusError):
        return ProblemError(str(error))
    if isinstance(error, NumbaError):
        return ProblemError(*explain(culprit, error))
    return ProblemError(f"{culprit}{_place(error)}: {type(error).__name__}: {error}")


def _place(error: Exception) -> str:
    package = Path(__file__).parents[1]
    own = package / "check", package / "kernel"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if file.suffix == ".py" and "site-packages" not in file.parts and file.parent not in own:
            return f" ({file.name}, line {frame.lineno})"
    return ""


@dataclass(frozen=True)
class Position:
    """A state, its movers, and the legal moves of each; at the end no movers, but scores."""

    state: State
    movers: list[int] = field(default_factory=list)
    moves: list[list[int]] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)

    @property
    def over(self) -> bool:
        return not self.movers


def seeds() -> Iterator[int]:
    """Seeds for the playthroughs of one step."""
    yield 0
    deadline = time.monotonic() + SECONDS
    for seed in range(1, GAMES):
        if time.monotonic() > deadline:
            return
        yield seed


def look(game: Game, state: State, call: Caller) -> Position:
    """Read a position through the rules, and check their answers."""
    before = fields_of(state)
    if call("over", state):
        position = Position(state, scores=_scores(game, state, call))
    else:
        movers = _movers(game, state, call)
        position = Position(state, movers, [_moves(game, state, player, call) for player in movers])
        for player, moves in zip(position.movers, position.moves, strict=True):
            if (drawn := call("sample", state, player, new_rng(len(moves)))) not in moves:
                raise ProblemError(
                    f"sample returns {drawn}, which is not among {brief(moves)}", "draw one of the legal moves"
                )
            if player != CHANCE and provides(type(state), "allows"):
                _check_allows(state, player, moves, call)
    if changed := [name for name, array in before.items() if not np.array_equal(array, getattr(state, name))]:
        raise ProblemError(
            "a rule that only reads a position (over, movers, legal, allows, chance, sample, scores) changes the field "
            f"'{changed[0]}'",
            "only play may change a state: take scratch space with room(n)",
        )
    return position


def walk(game: Game, seed: int, call: Caller) -> Iterator[Position]:
    """Play one random game: every position before its moves are played, and the last."""
    chooser = random.Random(seed)
    state = game.start(new_rng(seed))
    names = set(getattr(state, "_fields", ())) - set(changing_names(state))
    constant = {name: np.copy(getattr(state, name)) for name in names}
    for _ in range(MOST_STEPS):
        position = look(game, state, call)
        yield position
        if position.over:
            return
        call("play", state, choose(position, chooser))
        for name, array in constant.items():
            if not np.array_equal(array, getattr(state, name)):
                raise ProblemError(
                    f"play changes the field '{name}', which is marked Constant and shared by all copies",
                    f"annotate '{name}' as Array in {type(state).__name__}",
                )
    raise ProblemError(
        f"a random game was not over after {MOST_STEPS:,} steps",
        "make over true at some point, by a limit if necessary",
    )


def snapshots(game: Game, seed: int, call: Caller) -> list[Position]:
    """The positions of a playthrough that are not over, each with a state of its own."""
    walked = walk(game, seed, call)
    return [replace(position, state=duplicate(position.state)) for position in walked if not position.over]


def choose(position: Position, chooser: random.Random) -> Array:
    """Choose a random move for each mover."""
    return np.array([chooser.choice(moves) for moves in position.moves])


def fields_of(state: State) -> dict[str, Any]:
    """Copies of the fields that play may change; an object has none that can be compared."""
    return {name: np.copy(getattr(state, name)) for name in changing_names(state)}


def changing_names(state: State) -> list[str]:
    """The fields that play may change."""
    return changing_fields(type(state)) if is_array_state(type(state)) else []


def difference(first: State, second: State) -> str | None:
    """The first field in which two states differ."""
    names = getattr(first, "_fields", ())
    return next((n for n in names if not np.array_equal(getattr(first, n), getattr(second, n))), None)


def brief(values: list[int]) -> str:
    """A list of moves, cut short if long."""
    return str(values) if len(values) <= 8 else f"[{', '.join(map(str, values[:8]))}, …]"


def _movers(game: Game, state: State, call: Caller) -> list[int]:
    out = np.zeros(max(1, game.seats), np.int64)
    movers = [int(player) for player in out[: call("movers", state, out)]]
    if not movers:
        raise ProblemError("movers returns nobody, but the game is not over", "make over true there, or return a mover")
    if movers == [CHANCE]:
        if not game.chance:
            raise ProblemError(
                "movers returns CHANCE, but the class says chance = False", "write chance = True in the class"
            )
        return movers
    if CHANCE in movers:
        raise ProblemError(f"movers returns {movers}: CHANCE moves alone")
    if len(set(movers)) < len(movers) or not all(0 <= player < game.seats for player in movers):
        raise ProblemError(f"movers returns {movers}: each must be a different number from 0 to {game.seats - 1}")
    if len(movers) > 1 and not game.simultaneous:
        raise ProblemError(
            f"movers returns {movers}, but the class says simultaneous = False", "write simultaneous = True"
        )
    return movers


def _moves(game: Game, state: State, player: int, call: Caller) -> list[int]:
    if player == CHANCE:
        return _outcomes(state, call)
    most = int(call("most_moves", state))
    out = np.zeros(most, np.int64)
    n = int(call("legal", state, player, out))
    if not 1 <= n <= most:
        raise ProblemError(
            f"legal returns {n} moves, not 1 to most_moves = {most}",
            "a forced pass is a move; a game without moves is over"
            if n < 1
            else "return an upper bound from most_moves",
        )
    moves = [int(move) for move in out[:n]]
    if min(moves) < 0 or max(moves) >= MOVE_LIMIT:
        raise ProblemError(f"legal returns moves from {min(moves)} to {max(moves)}", "number moves from 0 to 2³¹ − 1")
    if len(set(moves)) < n:
        twice = next(move for i, move in enumerate(moves) if move in moves[:i])
        raise ProblemError(
            f"legal returns the move {twice} twice", "list each move once, so that all are equally likely"
        )
    return moves


def _check_allows(state: State, player: int, moves: list[int], call: Caller) -> None:
    """Compare the game's own rule with `legal`; a player may ask for any number."""
    remedy = "make allows agree with legal for every number, or leave it out"
    if refused := [move for move in moves if not call("allows", state, player, move)]:
        raise ProblemError(f"allows refuses {refused[0]}, which is one of {brief(moves)}", remedy)
    between = next(number for number in itertools.count() if number not in moves)
    for number in (-1, between, max(moves) + 1, MOVE_LIMIT, -(2**63), 2**63 - 1):
        if call("allows", state, player, number):
            raise ProblemError(f"allows accepts {number}, which is not among {brief(moves)}", remedy)


def _outcomes(state: State, call: Caller) -> list[int]:
    most = int(call("most_outcomes", state))
    probabilities = np.full(most, np.nan)
    n = int(call("chance", state, probabilities))
    if not 1 <= n <= most:
        raise ProblemError(f"chance returns {n} outcomes, not 1 to most_outcomes = {most}")
    if not (probabilities[:n] >= 0).all() or abs(probabilities[:n].sum() - 1) > _CLOSE:
        raise ProblemError(f"chance returns probabilities that sum to {probabilities[:n].sum():.9g}, not 1")
    return [outcome for outcome in range(n) if probabilities[outcome] > 0]


def _scores(game: Game, state: State, call: Caller) -> list[float]:
    out = np.full(game.seats, np.nan)
    call("scores", state, out)
    check_scores(game, out.tolist())
    return [float(score) for score in out]


def check_scores(game: Game, given: list[float]) -> None:
    """Reject scores that are missing, out of range, or not zero-sum among several players."""
    low, high = game.score_range
    if any(np.isnan(given)):
        raise ProblemError(
            f"scores leaves out player {int(np.isnan(given).argmax())}", "write a score for every player"
        )
    if not all(low - _CLOSE <= score <= high + _CLOSE for score in given):
        raise ProblemError(
            f"scores returns {given}, outside {low:g}…{high:g}", "scale them, or set score_range in the class"
        )
    if game.seats > 1 and abs(sum(given)) > _CLOSE:
        raise ProblemError(
            f"scores returns {given}, which sum to {sum(given):g}", "scores of several players must sum to 0"
        )
