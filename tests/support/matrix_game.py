"""A game of one simultaneous move with given payoffs, whose optimal mixture is known."""

from typing import ClassVar, NamedTuple

import numpy as np

from ludus import Game
from ludus.kernel.rules import Array, Constant, rule

PLAYED, FIRST, SECOND = range(3)


class MatrixState(NamedTuple):
    """The moves played, and the payoff of the first player."""

    played: Array
    payoffs: Constant


@rule
def most_moves(state: MatrixState) -> int:
    return len(state.payoffs)


@rule
def movers(state: MatrixState, out: Array) -> int:
    out[0], out[1] = 0, 1
    return 2


@rule
def legal(state: MatrixState, player: int, out: Array) -> int:
    for move in range(len(state.payoffs)):
        out[move] = move
    return len(state.payoffs)


@rule
def play(state: MatrixState, moves: Array) -> None:
    state.played[PLAYED] = 1
    state.played[FIRST], state.played[SECOND] = moves[0], moves[1]


@rule
def over(state: MatrixState) -> bool:
    return state.played[PLAYED] == 1


@rule
def scores(state: MatrixState, out: Array) -> None:
    out[0] = state.payoffs[state.played[FIRST], state.played[SECOND]]
    out[1] = -out[0]


class BiasedRockPaperScissors(Game):
    """Rock, paper, scissors with unequal stakes: the optimum is 1/7, 4/7, 2/7 for both."""

    name: ClassVar[str] = "biased-rock-paper-scissors"
    simultaneous: ClassVar[bool] = True

    def start(self, rng: Array) -> MatrixState:
        payoffs = np.array([[0.0, -0.5, 1.0], [0.5, 0.0, -0.25], [-1.0, 0.25, 0.0]])
        return MatrixState(np.zeros(3, np.int64), payoffs)

    def draw(self, state: MatrixState) -> str:
        return str(state.played)
