"""Breakthrough: pieces step forward and capture diagonally; the first to reach the far row wins."""

from typing import NamedTuple

import numpy as np

from ludus import Game, param
from ludus.kernel.rules import Array, Constant, rule

EMPTY = -1
MOVER, WON, PIECES = range(3)  # of turn: who moves, whether the last move won, pieces of player 0 (then of player 1)


class Board(NamedTuple):
    cells: Array  # EMPTY or whose piece is there; from a1 = 0 along the rows, player 0 moves up
    turn: Array
    size: Constant


@rule
def most_moves(state: Board):
    return 6 * state.size[0]


@rule
def movers(state: Board, out):
    out[0] = state.turn[MOVER]
    return 1


@rule
def legal(state: Board, player, out):
    size, n = state.size[0], 0
    ahead = size if player == 0 else -size
    for cell in range(size * size):
        if state.cells[cell] == player:
            for side in range(-1, 2):
                if 0 <= cell % size + side < size:
                    there = state.cells[cell + ahead + side]
                    if there == EMPTY or (there != player and side != 0):
                        out[n] = 3 * cell + side + 1
                        n += 1
    return n


@rule
def play(state: Board, moves):
    size, player = state.size[0], state.turn[MOVER]
    cell = moves[0] // 3
    target = cell + moves[0] % 3 - 1 + (size if player == 0 else -size)
    state.turn[PIECES + 1 - player] -= state.cells[target] != EMPTY
    state.cells[cell], state.cells[target] = EMPTY, player
    state.turn[MOVER] = 1 - player
    state.turn[WON] = state.turn[PIECES + 1 - player] == 0 or target // size == (size - 1 if player == 0 else 0)


@rule
def over(state: Board):
    return state.turn[WON] == 1


@rule
def scores(state: Board, out):
    out[0] = 1.0 if state.turn[MOVER] == 1 else -1.0
    out[1] = -out[0]


@rule
def heuristic(state: Board, player):
    lead = state.turn[PIECES + player] - state.turn[PIECES + 1 - player]
    return lead / (2.0 * state.size[0] + 1.0)


class Breakthrough(Game):
    """Step forward, capture diagonally; reach the far row first, or take everything, to win."""

    name = "breakthrough"
    size: int = param(8, "rows and columns", low=5, high=12)

    def start(self, rng):
        cells = np.full(self.size**2, EMPTY)
        cells[: 2 * self.size], cells[-2 * self.size :] = 0, 1
        return Board(cells, np.array([0, 0, 2 * self.size, 2 * self.size]), np.array([self.size]))

    def format(self, state, player, move):
        cell = move // 3
        target = cell + move % 3 - 1 + (self.size if player == 0 else -self.size)
        return "".join(f"{'abcdefghijkl'[i % self.size]}{i // self.size + 1}" for i in (cell, target))

    def draw(self, state):
        rows = state.cells.reshape(self.size, self.size)[::-1]
        return "\n".join(" ".join("xo."[piece] for piece in row) for row in rows)
