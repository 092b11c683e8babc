"""Steps of the check of a game, each a function that returns its notes or raises a problem."""

import math
import random
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np

from ludus.check.costs import measure
from ludus.check.fairness import check_keys, check_playouts, check_samples
from ludus.check.playthrough import (
    Caller,
    Position,
    brief,
    broken_promise,
    changing_names,
    choose,
    difference,
    fields_of,
    look,
    seeds,
    walk,
)
from ludus.check.steps import NothingToCheckError, ProblemError, Procedure, Seen, Step
from ludus.games.game import Game, game_from
from ludus.kernel import rules
from ludus.kernel.dispatch import rule_names
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import CHANCE, MOST_PLAYERS, State, at, duplicate, is_array_state, provides, stack_of

_COMPILED, _INTERPRETED = Caller(), Caller(interpreted=True)
_PARSED = 10
"""Moves of a position that are parsed from text; in the first position, all are."""


def _loads(game: Game) -> Seen:
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", game.name):
        raise ProblemError(f"the name is '{game.name}'", "use small letters, digits, dots and hyphens")
    if not (1 <= game.least_players <= game.most_players <= MOST_PLAYERS):
        raise ProblemError(
            f"the game is for {game.least_players} to {game.most_players} players", f"allow 1 to {MOST_PLAYERS}"
        )
    low, high = game.score_range
    if not low < high or (game.seats > 1 and (low, high) != (-1.0, 1.0)):
        raise ProblemError(
            f"the scores go from {low:g} to {high:g}", "use −1…1 for several players; one player may have any range"
        )
    state = game.start(new_rng(0))
    array_state = is_array_state(type(state))
    if array_state:
        _check_fields(game, state)
    needed = ["most_moves", "movers", "legal", "play", "over", "scores", *(["most_outcomes", "chance"] * game.chance)]
    if missing := [name for name in [*needed, *(["copy"] * (not array_state))] if not provides(type(state), name)]:
        raise ProblemError(f"{type(state).__name__} has no rule '{missing[0]}'", f"write @rule def {missing[0]}(…)")
    if _INTERPRETED("over", state):
        raise ProblemError("the game is over at the start")
    if not game.draw(state).strip():
        raise ProblemError("draw does not return a string")
    most = int(_INTERPRETED("most_moves", state))
    own = [name for name in rule_names() if provides(type(state), name) and name not in needed]
    kinds = [word for word, true in (("chance", game.chance), ("simultaneous moves", game.simultaneous)) if true]
    about = ", ".join([f"{game.seats} {'players' if game.seats > 1 else 'player'}", f"at most {most} moves", *kinds])
    return [about, f"optional rules: {', '.join(own) or 'none'}"], {"compiled": array_state}


def _check_fields(game: Game, state: Any) -> None:
    for name in state._fields:
        array = getattr(state, name)
        if not isinstance(array, np.ndarray) or array.ndim == 0:
            raise ProblemError(f"the field '{name}' is not an array", "make it a NumPy array with one axis or more")
        if not array.flags.c_contiguous:
            raise ProblemError(f"the field '{name}' is not C-contiguous", "wrap it in np.ascontiguousarray")
    second = game.start(new_rng(0))
    for name in changing_names(state):
        if np.shares_memory(getattr(state, name), getattr(second, name)):
            raise ProblemError(f"two starts share the field '{name}'", "make a new array in start")
    if field_ := difference(state, second):
        raise ProblemError(f"two starts from one seed differ in '{field_}'", "use no randomness but rng")
    if game.weights and ("weights" not in state._fields or len(state.weights) != len(game.weights)):
        raise ProblemError(
            f"the class declares {len(game.weights)} weights, but its states do not hold them",
            "give the state a Constant field 'weights' with self.default_weights()",
        )


def _obeys(game: Game, *, interpreted: bool) -> Seen:
    lengths = [sum(1 for _ in walk(game, seed, Caller(interpreted))) - 1 for seed in seeds()]
    return [f"random games played: {len(lengths)}, of {min(lengths)} to {max(lengths)} steps"], {}


def _agrees(game: Game) -> Seen:
    steps = 0
    for seed in seeds():
        chooser = random.Random(seed)
        one, two = game.start(new_rng(seed)), game.start(new_rng(seed))
        _compare("playout", duplicate(one), duplicate(two), new_rng(seed), np.zeros(MOST_PLAYERS))
        while True:
            position, twin = look(game, one, _COMPILED), look(game, two, _INTERPRETED)
            for what in ("movers", "moves", "scores"):
                _agree(what, getattr(position, what), getattr(twin, what))
            if position.over:
                break
            _compare("key", one, two)
            for player, moves in zip(position.movers, position.moves, strict=True):
                _compare("sample", one, two, player, new_rng(seed, steps))
                if player != CHANCE:
                    _compare("heuristic", one, two, player)
                    _compare("order", one, two, player, np.array(moves), len(moves))
            if provides(type(one), "skip") and position.movers != [CHANCE]:
                copies = duplicate(one), duplicate(two)
                _compare("skip", *copies, position.movers[0])
                _agree_in_fields("skip", *copies)
            chosen = choose(position, chooser)
            _COMPILED("play", one, chosen)
            _INTERPRETED("play", two, chosen)
            _agree_in_fields("play", one, two)
            steps += 1
    return [f"{steps:,} steps identical"], {}


def _compare(rule: str, one: State, two: State, *rest: Any) -> None:
    """Call a rule compiled and interpreted, each with its own buffers, and compare what they return and write."""
    buffers = [[np.copy(value) if isinstance(value, np.ndarray) else value for value in rest] for _ in range(2)]
    _agree(rule, _COMPILED(rule, one, *buffers[0]), _INTERPRETED(rule, two, *buffers[1]))
    written = [[value.tolist() for value in each if isinstance(value, np.ndarray)] for each in buffers]
    _agree(rule, *written)


def _agree_in_fields(rule: str, one: State, two: State) -> None:
    if name := difference(one, two):
        _agree(f"{rule}, in the field '{name}',", getattr(one, name).tolist(), getattr(two, name).tolist())


def _agree(what: str, compiled: Any, interpreted: Any) -> None:
    if compiled != interpreted and not (isinstance(compiled, float) and math.isclose(compiled, interpreted)):
        raise ProblemError(
            f"{what} gives {compiled} compiled, but {interpreted} interpreted",
            "check for int64 mixed with uint64 (the result is a float), 64-bit overflow, and changing globals",
        )


def _copies(game: Game) -> Seen:
    positions = 0
    for seed in seeds():
        chooser = random.Random(seed + 1)  # other moves than in the playthrough
        used = duplicate(game.start(new_rng(seed)))
        stack = stack_of(used, 2)
        for position in walk(game, seed, _COMPILED):
            positions += 1
            before = fields_of(position.state)
            targets = [used, at(stack, 1), duplicate(position.state)]
            for target in targets:
                rules.copy(position.state, target)  # over the previous content
                _expect_same(game, position, target, before, "a copy differs from its original")
            if position.over:
                break
            moves = choose(position, chooser)
            for target in targets:
                _COMPILED("play", target, moves)
            after = look(game, used, _COMPILED)
            for target in targets:
                _expect_same(game, after, target, fields_of(used), "the same moves in two copies end differently")
            _expect_same(game, position, position.state, before, "playing in a copy changes its original")
    return [f"{positions:,} positions copied and played on"], {}


def _expect_same(game: Game, position: Position, state: State, fields: dict[str, Any], complaint: str) -> None:
    remedy = "copy everything that changes, and let play depend on the state alone"
    for name, array in fields.items():
        if not np.array_equal(array, getattr(state, name)):
            raise ProblemError(f"{complaint}, in the field '{name}'", remedy)
    seen = look(game, state, _COMPILED)
    if (seen.movers, seen.moves, seen.scores) != (position.movers, position.moves, position.scores):
        raise ProblemError(f"{complaint}, in its movers, moves or scores", remedy)


def _notation(game: Game) -> Seen:
    count = 0
    for seed in seeds():
        chooser = random.Random(seed)
        for number, position in enumerate(walk(game, seed, _COMPILED)):
            for player, moves in zip(position.movers, position.moves, strict=True):
                texts = [game.format(position.state, player, move) for move in moves]
                _check_texts(texts)
                chosen = (
                    range(len(moves)) if number == 0 else chooser.sample(range(len(moves)), min(len(moves), _PARSED))
                )
                for i in chosen:
                    count += 1
                    if (read := game.parse(position.state, player, texts[i])) != moves[i]:
                        raise ProblemError(
                            f"the move {moves[i]} is written '{texts[i]}', which is read as {read}",
                            "make parse the inverse of format",
                        )
    return [f"{count:,} moves written and read back"], {}


def _check_texts(texts: list[str]) -> None:
    if bad := [text for text in texts if not text or text.split() != [text]]:
        raise ProblemError(f"a move is written '{bad[0]}'", "a move as text must not be empty or contain spaces")
    folded = [text.lower() for text in texts]
    if twice := [text for text, low in zip(texts, folded, strict=True) if folded.count(low) > 1]:
        raise ProblemError(
            f"two moves of a position are written '{twice[0]}'", "make the texts of moves differ, ignoring case"
        )


def _saving(game: Game) -> Seen:
    if type(game).save is Game.save:
        raise NothingToCheckError("positions have no text form: write save and load to start from any position")
    start = game.start(new_rng(0))
    text = game.save(start)
    loaded = game.load(text)
    if name := difference(start, loaded):
        raise ProblemError(
            f"the start, saved as '{text}' and loaded, differs in the field '{name}'", "make load the inverse of save"
        )
    if game.save(loaded) != text:
        raise ProblemError(
            f"the start is saved as '{text}', but after loading as '{game.save(loaded)}'",
            "make load the inverse of save",
        )
    positions = 0
    for seed in seeds():
        for position in walk(game, seed, _COMPILED):
            positions += 1
            text = game.save(position.state)
            seen = look(game, game.load(text), _COMPILED)
            if (seen.movers, seen.moves, seen.scores) != (position.movers, position.moves, position.scores):
                raise ProblemError(
                    f"'{text}', loaded, has different movers, moves or scores",
                    "write everything in save that the rules depend on",
                )
    return [f"{positions:,} positions saved and loaded"], {}


def _evaluation(game: Game) -> Seen:
    low, high = game.score_range
    seen: list[float] = []
    for seed in seeds():
        for position in walk(game, seed, _COMPILED):
            for player, moves in zip(position.movers, position.moves, strict=True):
                if player == CHANCE:
                    continue
                guesses = [float(_COMPILED("heuristic", position.state, seat)) for seat in range(game.seats)]
                if not all(low < guess < high or (game.seats == 1 and low <= guess <= high) for guess in guesses):
                    raise ProblemError(
                        f"heuristic returns {guesses}, not strictly between {low:g} and {high:g}",
                        "scale it, for example by x / (1 + abs(x)): only a finished game has a full score",
                    )
                seen += guesses
                ordered = np.array(moves)
                tried = int(_COMPILED("order", position.state, player, ordered, len(moves)))
                if not 1 <= tried <= len(moves) or len(set(moves) & set(ordered[:tried].tolist())) < tried:
                    raise ProblemError(
                        f"order turns {brief(moves)} into {brief(ordered[:tried].tolist())}",
                        "sort the moves, keep at least one",
                    )
    if not provides(type(game.start(new_rng(0))), "heuristic"):
        return ["no heuristic: searches with a limited depth judge finished games alone"], {}
    return [f"from {min(seen):.3g} to {max(seen):.3g}"], {"lowest": min(seen), "highest": max(seen)}


def _fair(game: Game) -> Seen:
    return [check_samples(game), check_playouts(game), check_keys(game)], {}


_DECISIVE = (1, 2, 3, 4)
"""The first steps: if one of them fails, later steps would repeat the failure, or crash."""

STEPS = [
    Procedure("Loads, with valid facts", _loads),
    Procedure("Interpreted: random games follow the contract of the rules", partial(_obeys, interpreted=True), (1,)),
    Procedure("Compiled with bounds checks: the same games", partial(_obeys, interpreted=False), (1, 2)),
    Procedure("Compiled and interpreted agree step by step", _agrees, (1, 2, 3)),
    Procedure("Copies are independent, constants do not change", _copies, _DECISIVE),
    Procedure("Moves survive a round trip through text", _notation, _DECISIVE),
    Procedure("Positions survive a round trip through text", _saving, _DECISIVE),
    Procedure("Evaluation and move order keep their bounds", _evaluation, _DECISIVE),
    Procedure("Random moves and playouts are fair, keys identify positions", _fair, _DECISIVE),
    Procedure("Costs", measure, _DECISIVE),
]


def run_steps(spec: str, numbers: Iterable[int]) -> Iterator[Step]:
    """Run the steps with these numbers in this process."""
    for number in numbers:
        yield STEPS[number - 1].taken(number, lambda: game_from(spec), partial(broken_promise, "the game"))
