"""Checks that random moves, random games and keys agree with `legal` and `play`."""

import math
from itertools import islice
from typing import Any

import numpy as np

from ludus.check.playthrough import Caller, Position, check_scores, look, seeds, snapshots
from ludus.check.steps import ProblemError
from ludus.games.game import Game
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below, new_rng
from ludus.kernel.rules import (
    CHANCE,
    MOST_PLAYERS,
    Array,
    State,
    copy,
    duplicate,
    is_array_state,
    kernel_for,
    legal,
    most_moves,
    movers,
    over,
    play,
    playout,
    provides,
    room,
    sample,
    scores,
)

_CALL = Caller()


@compiled
def playout_through_legal(state: State, rng: Rng, out: Array) -> None:
    """Play random moves to the end by `legal` and `play` alone, as a reference for a game's own playouts."""
    who = room(MOST_PLAYERS)
    chosen = room(MOST_PLAYERS)
    moves = room(most_moves(state))
    while not over(state):
        n = movers(state, who)
        for i in range(n):
            if who[i] == CHANCE:
                chosen[i] = sample(state, who[i], rng)
            else:
                chosen[i] = moves[below(rng, legal(state, who[i], moves))]
        play(state, chosen)
    scores(state, out)


@compiled
def count_samples(state: State, player: int, rng: Rng, moves: Array, counts: Array, draws: int) -> None:
    """Count how often `sample` draws each move; the last cell counts anything else."""
    for _ in range(draws):
        drawn = sample(state, player, rng)
        i = 0
        while i < len(moves) and moves[i] != drawn:
            i += 1
        counts[i] += 1


@compiled
def collect_playouts(state: State, work: State, rng: Rng, results: Array, own: bool) -> None:
    """Fill each row of `results` with the scores of one playout, the game's own or one through `legal`."""
    for i in range(len(results)):
        copy(state, work)
        if own:
            playout(work, rng, results[i])
        else:
            playout_through_legal(work, rng, results[i])


def check_samples(game: Game) -> str:
    """Check that `sample` draws every legal move equally often, and every outcome by its probability."""
    total = 0
    for seed in islice(seeds(), 5):
        positions = snapshots(game, seed, _CALL)
        for position in positions[:: max(1, len(positions) // 4)]:
            for player, moves in zip(position.movers, position.moves, strict=True):
                total += _check_samples_of(position.state, player, np.array(moves), new_rng(seed))
    return f"{total:,} random moves drawn"


def _check_samples_of(state: State, player: int, moves: Array, rng: Rng) -> int:
    draws = len(moves) * (200 if is_array_state(type(state)) else 20)
    counts = np.zeros(len(moves) + 1, np.int64)
    kernel_for(state, count_samples)(state, player, rng, moves, counts, draws)
    expected = draws * _weights(state, player, moves)
    if counts[-1]:
        raise ProblemError("sample returns a move that legal does not list", "let sample choose among the legal moves")
    if 0 in counts[:-1] and expected.min() >= 20:
        raise ProblemError(f"sample never returns the move {moves[counts[:-1].argmin()]}, which is legal")
    spread = ((counts[:-1] - expected) ** 2 / expected).sum()
    freedom = len(moves) - 1
    if spread > freedom + 6 * math.sqrt(2 * freedom) + 12:  # chi-square; a fair game stays below
        often, rare = moves[counts[:-1].argmax()], moves[counts[:-1].argmin()]
        raise ProblemError(
            f"sample returns {often} {counts.max()} times and {rare} {counts[:-1].min()} times in {draws}",
            "draw each legal move with equal probability"
            if player != CHANCE
            else "draw each outcome with its own probability",
        )
    return draws


def _weights(state: State, player: int, moves: Array) -> Array:
    if player != CHANCE:
        return np.full(len(moves), 1 / len(moves))
    probabilities = np.zeros(_CALL("most_outcomes", state))
    _CALL("chance", state, probabilities)
    return probabilities[moves]


def check_playouts(game: Game) -> str:
    """Check that playouts end in valid scores, and that a game's own are distributed like those through `legal`."""
    state = game.start(new_rng(0))
    compiled_rules = is_array_state(type(state))
    number = 4000 if compiled_rules else 10
    results = {own: np.full((number, game.seats), np.nan) for own in (True, False)}
    own_law = provides(type(state), "playout") or provides(type(state), "sample")
    for own in (True, False)[: 1 + own_law]:
        kernel_for(state, collect_playouts)(state, duplicate(state), new_rng("playouts", own), results[own], own)
    for given in results[True]:
        check_scores(game, given.tolist())
    if not own_law or not compiled_rules:
        return f"{number:,} playouts"
    own_mean, mean = (results[own].mean(axis=0) for own in (True, False))
    error = np.sqrt((results[True].var(axis=0) + results[False].var(axis=0)) / number) + 1e-9
    seat = int((abs(own_mean - mean) / error).argmax())
    if abs(own_mean[seat] - mean[seat]) > 5 * error[seat]:
        raise ProblemError(
            f"its own playouts give seat {seat} {own_mean[seat]:.3f} on average, those through legal {mean[seat]:.3f}",
            "let sample and playout choose each legal move with equal probability",
        )
    return f"{number:,} playouts, as many through legal with the same results"


def check_keys(game: Game) -> str:
    """Check that positions with the same key look the same to the rules."""
    seen: dict[int, tuple[Any, ...]] = {}
    for seed in seeds():
        positions = snapshots(game, seed, _CALL)
        for position in positions:
            _note_key(game, position, seen)
        for position in positions[:: max(1, len(positions) // 3)]:
            if len(position.movers) == 1:
                for move in position.moves[0]:
                    after = duplicate(position.state)
                    _CALL("play", after, np.array([move]))
                    _note_key(game, look(game, after, _CALL), seen)
    return f"{len(seen):,} keys"


def _note_key(game: Game, position: Position, seen: dict[int, tuple[Any, ...]]) -> None:
    value = int(_CALL("key", position.state))
    if int(_CALL("key", duplicate(position.state))) != value:
        raise ProblemError("a position and its copy have different keys", "compute key from the position alone")
    guesses = [] if position.over else [round(_CALL("heuristic", position.state, p), 9) for p in range(game.seats)]
    looks = (position.movers, position.moves, position.scores, guesses)
    if seen.setdefault(value, looks) != looks:
        names = ("movers", "moves", "scores", "evaluations")
        what = next(name for name, one, two in zip(names, seen[value], looks, strict=True) if one != two)
        raise ProblemError(
            f"two positions with one key have different {what}", "include everything in key that the rules read"
        )
