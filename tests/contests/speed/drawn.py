"""Positions of spe_ed as a drawing, and what follows from the rules alone."""

import numpy as np

from ludus.contests.speed.game import ACTIONS, FELL, Speed, SpeedState
from ludus.kernel import rules


def drawn(rows: str, *players: str, now: int = 1) -> SpeedState:
    """The position of these rows, players as `x,y,direction,speed` and the number of the next round."""
    return Speed(players=len(players)).load(" ".join(["/".join(rows.split()), "r", str(now), *players]))


def after(state: SpeedState, moves: dict[int, int]) -> SpeedState:
    """The state after these moves by the rules; the other players are removed from the game first."""
    copy = rules.duplicate(state)
    for player in range(len(copy.players)):
        if player not in moves and copy.players[player, FELL] == 0:
            copy.players[player, FELL] = 1
    rules.play(copy, np.array([moves[player] for player in sorted(moves)]))
    return copy


def paths(state: SpeedState, player: int) -> list[list[int]]:
    """Every path of a player until it is stuck, if nobody else moves."""
    found = []
    for action in range(len(ACTIONS)):
        then = after(state, {player: action})
        if then.players[player, FELL] == 0:
            found += [[action, *rest] for rest in paths(then, player)]
    return found or [[]]
