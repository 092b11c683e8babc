"""Exhaustive searches on positions of spe_ed whose other players go straight on, and players that do not look ahead."""

from collections.abc import Callable

import numpy as np
from numba import njit

from ludus.contests.speed.game import (
    CHANGE_NOTHING,
    DIRECTION,
    FELL,
    SPEED,
    SPEED_UP,
    TURN_LEFT,
    TURN_RIGHT,
    SpeedState,
    X,
    Y,
    is_skipped,
)
from ludus.kernel.rules import MOST_PLAYERS, at, copy, duplicate, movers, over, play, stack_of

Policy = Callable[[SpeedState, int], int]


def survivors(state: SpeedState, seat: int, rounds: int, *, jumping: bool = True) -> set[int]:
    """The first actions after which a player can be alive after this many rounds, or the last to live before.

    Without `jumping` it may not leave out cells on which something stands.
    """
    stack = stack_of(state, rounds + 1)
    copy(state, at(stack, 0))
    room = np.zeros((2, MOST_PLAYERS), np.int64)
    return {action for action in range(5) if _lives_by(stack, 0, action, rounds, seat, jumping, room)}


@njit
def _lives_by(stack, ply, action, rounds, seat, jumping, room):  # type: ignore[no-untyped-def]
    state, child = at(stack, ply), at(stack, ply + 1)
    who, chosen = room[0], room[1]
    copy(state, child)
    for i in range(movers(state, who)):
        chosen[i] = action if who[i] == seat else CHANGE_NOTHING
    play(child, chosen)
    if child.players[seat, FELL] != 0 or (not jumping and _jumped(state, child, seat)):
        return False
    if ply + 1 == rounds or over(child):
        return True
    alive = False
    for following in (4, 0, 1, 2, 3):
        alive = alive or _lives_by(stack, ply + 1, following, rounds, seat, jumping, room)
    return alive


@njit
def _jumped(before, after, seat):  # type: ignore[no-untyped-def]
    """True if a player has just jumped over an obstacle."""
    dx, dy = (0, 1, 0, -1), (-1, 0, 1, 0)
    player, now = after.players[seat], before.clock[0]
    x, y = before.players[seat, X], before.players[seat, Y]
    for step in range(player[SPEED]):
        x += dx[player[DIRECTION]]
        y += dy[player[DIRECTION]]
        if is_skipped(step, player[SPEED], now) and before.cells[y, x] != 0:
            return True
    return False


def straight(state: SpeedState, seat: int) -> int:
    """Straight on, whatever comes."""
    return CHANGE_NOTHING


def first_safe(*actions: int) -> Policy:
    """The first of these actions that is survived if the others go straight on."""

    def choose(state: SpeedState, seat: int) -> int:
        return next((action for action in actions if survived(state, seat, action)), SPEED_UP)

    return choose


SHORT_SIGHTED: dict[str, Policy] = {
    "straight on": straight,
    "straight on, else right": first_safe(CHANGE_NOTHING, TURN_RIGHT, TURN_LEFT),
    "straight on, else left": first_safe(CHANGE_NOTHING, TURN_LEFT, TURN_RIGHT),
}
"""Players that see one round ahead at most."""


def survived(state: SpeedState, seat: int, action: int) -> bool:
    """True if a player survives an action."""
    return not carried_out(state, seat, action).players[seat, FELL]


def carried_out(state: SpeedState, seat: int, action: int) -> SpeedState:
    """The state after a round in which the others go straight on."""
    after = duplicate(state)
    who = np.zeros(MOST_PLAYERS, np.int64)
    n = movers(state, who)
    play(after, np.array([action if who[i] == seat else CHANGE_NOTHING for i in range(n)]))
    return after


def rounds_lived(state: SpeedState, seat: int, policy: Policy) -> int | None:
    """After how many rounds a player that follows a policy is out; None if it lives longest."""
    rounds = 0
    while not over(state):
        state = carried_out(state, seat, policy(state, seat))
        rounds += 1
    return rounds if state.players[seat, FELL] else None
