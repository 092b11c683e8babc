"""Counts of positions and of complete episodes, for comparison with published numbers."""

import numpy as np

from ludus.games.game import Game
from ludus.kernel.jit import compiled
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import (
    MOST_PLAYERS,
    Array,
    State,
    at,
    copy,
    legal,
    most_moves,
    movers,
    over,
    play,
    room,
    stack_of,
)

REACHED, FINISHED = range(2)  # of counts


def perft(game: Game, depth: int, state: State | None = None) -> int:
    """The number of lines of play with that many plies from the start, or from a position."""
    return _counts(game, depth, state)[REACHED]


def episodes(game: Game, longest: int, state: State | None = None) -> int:
    """The number of complete episodes with at most that many plies."""
    return _counts(game, longest, state)[FINISHED]


def _counts(game: Game, depth: int, state: State | None) -> list[int]:
    state = game.start(new_rng(0)) if state is None else state
    stack = stack_of(state, depth + 1)
    copy(state, at(stack, 0))
    moves = np.zeros((depth + 1, int(most_moves(state))), np.int64)
    left = np.zeros(depth + 1, np.int64)
    counts = np.zeros(2, np.int64)
    walk(stack, moves, left, depth, counts)
    return [int(count) for count in counts]


@compiled
def walk(stack: State, moves: Array, left: Array, depth: int, counts: Array) -> None:
    """Visit every line of play; `left` holds how many moves of each ply are still to be tried."""
    chosen = room(MOST_PLAYERS)
    ply, arrived = 0, True
    while ply >= 0:
        state = at(stack, ply)
        if arrived:
            ended = over(state)
            counts[FINISHED] += ended
            counts[REACHED] += ply == depth
            left[ply] = 0
            if not ended and ply < depth:
                movers(state, chosen)
                left[ply] = legal(state, chosen[0], moves[ply])
        arrived = left[ply] > 0
        if not arrived:
            ply -= 1
            continue
        left[ply] -= 1
        chosen[0] = moves[ply, left[ply]]
        ply += 1
        child = at(stack, ply)
        copy(state, child)
        play(child, chosen)
