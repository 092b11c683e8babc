"""A small game as a user's file, and ways to write such files with something changed."""

from pathlib import Path

SOURCE = '''"""Take away: one to three from a heap, who takes the last wins."""

from typing import NamedTuple

import numpy as np

from ludus import Game, LudusError, param
from ludus.kernel.rules import Array, Constant, rule

LEFT, TURN = range(2)


class Heap(NamedTuple):
    heap: Array
    most: Constant


@rule
def most_moves(state: Heap):
    return state.most[0]


@rule
def movers(state: Heap, out):
    out[0] = state.heap[TURN]
    return 1


@rule
def legal(state: Heap, player, out):
    n = min(state.most[0], state.heap[LEFT])
    for i in range(n):
        out[i] = i + 1
    return n


@rule
def play(state: Heap, moves):
    state.heap[LEFT] -= moves[0]
    state.heap[TURN] = 1 - state.heap[TURN]


@rule
def over(state: Heap):
    return state.heap[LEFT] == 0


@rule
def scores(state: Heap, out):
    out[0] = -1.0 if state.heap[TURN] == 0 else 1.0
    out[1] = -out[0]


class TakeAway(Game):
    """Who takes the last wins."""

    name = "take-away"
    size: int = param(7, "how many lie there", low=1)

    def start(self, rng):
        return Heap(np.array([self.size, 0]), np.array([3]))

    def draw(self, state):
        return "|" * int(state.heap[LEFT])

    def save(self, state):
        return f"{state.heap[LEFT]}/{state.heap[TURN]}"

    def load(self, text):
        try:
            left, turn = (int(part) for part in text.split("/"))
        except ValueError:
            raise LudusError(f"take-away: '{text}' is not a position such as 7/0.") from None
        return Heap(np.array([left, turn]), np.array([3]))
'''


def write_game(folder: Path, *changes: tuple[str, str], name: str = "take_away.py") -> Path:
    """Write the game with each first text replaced by the second, and return its path."""
    text = SOURCE
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    file = folder / name
    file.write_text(text)
    return file
