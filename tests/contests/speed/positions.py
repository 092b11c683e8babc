"""Positions of spe_ed, and what can be seen of them."""

import numpy as np

from ludus.contests.speed.game import DIRECTIONS, FELL, NAMES, Speed, SpeedState
from ludus.games.game import game_from
from ludus.kernel import rules


def position(board: str, *players: str, now: int = 1) -> SpeedState:
    """A position from the rows of its board, one a line, and players as `x,y,direction,speed`."""
    rows = "/".join(board.split())
    return game_of(len(players)).load(f"{rows} r {now} {' '.join(players)}")


def game_of(players: int) -> Speed:
    game = game_from(f"speed:players={players}")
    assert isinstance(game, Speed)
    return game


def play(state: SpeedState, *moves: str) -> None:
    """One round, with a move for each player that lives."""
    rules.play(state, np.array([NAMES.index(move) for move in moves]))


def board(state: SpeedState) -> list[str]:
    return Speed().save(state).split()[0].split("/")


def head(state: SpeedState, player: int) -> tuple[int, int, str, int]:
    x, y, direction, speed, _ = state.players[player].tolist()
    return x, y, DIRECTIONS[direction], speed


def living(state: SpeedState) -> list[int]:
    return [player for player, fell in enumerate(state.players[:, FELL]) if fell == 0]


def scores(state: SpeedState) -> list[float]:
    return game_of(len(state.players)).scores(state)
