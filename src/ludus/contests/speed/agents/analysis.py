"""Analysis of a position of spe_ed: nearby players, last actions, pressure on a neighbourhood."""

import numpy as np

from ludus.contests.speed.agents.walking import HEADING, PACE, Ground, first_safe
from ludus.contests.speed.game import (
    CHANGE_NOTHING,
    FELL,
    SLOW_DOWN,
    SPEED,
    SPEED_UP,
    TURN_LEFT,
    TURN_RIGHT,
    SpeedState,
    X,
    Y,
)
from ludus.kernel.state import Array

_UNTHINKING = np.array([CHANGE_NOTHING, TURN_LEFT, TURN_RIGHT, SLOW_DOWN, SPEED_UP])


def any_safe(ground: Ground, head: Array, now: int) -> int:
    """An action that survives if nobody else moves, used without time to think."""
    action = int(first_safe(ground, head, now, _UNTHINKING, len(_UNTHINKING)))
    return action if action >= 0 else CHANGE_NOTHING


def nearest(state: SpeedState, me: int) -> list[tuple[float, int]]:
    """The living others with their distance divided by both speeds, the nearest first."""
    x, y, speed = (state.players[me, part] for part in (X, Y, SPEED))
    found = []
    for other, player in enumerate(state.players):
        if other != me and player[FELL] == 0:
            distance = np.hypot(player[X] - x, player[Y] - y)
            found.append((float(distance / (speed * player[SPEED])), other))
    return sorted(found)


def action_between(before: Array, after: Array) -> int:
    """The action between two consecutive heads."""
    if after[PACE] != before[PACE]:
        return SPEED_UP if after[PACE] > before[PACE] else SLOW_DOWN
    return {0: CHANGE_NOTHING, 1: TURN_RIGHT, 3: TURN_LEFT}.get(int(after[HEADING] - before[HEADING]) % 4, -1)


def pressure(table: Array, cells: Array, x: int, y: int, reach: int) -> float:
    """The probability of others reaching a cell of the square around a place, per free cell within their reach.

    `table` and `cells` are [y, x]; the square extends `reach` cells to each side.
    """
    square = slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1)
    chances = table[square]
    free = np.count_nonzero((chances != 0) & (cells[square] == 0))
    return float(chances.sum() / free) if free else 0.0
