"""An oracle for Connect Four: a solver of its own, that shares nothing with Ludus but the starting position."""

import numpy as np
from numba import njit, types
from numba.typed import Dict

from ludus.games.connect_four import ALL, MINE, STONES, ConnectFourState

HEIGHT = 7


def solve(state: ConnectFourState) -> int:
    """The value of a 6×7 position for the player to move."""
    known = Dict.empty(types.UniTuple(types.int64, 2), types.int64)
    mine, everything = np.int64(state.board[MINE]), np.int64(state.board[ALL])
    return int(_negamax(mine, everything, np.int64(state.board[STONES]), -1, 1, known))


@njit
def _has_four(stones):  # type: ignore[no-untyped-def]
    for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (2 * step)):
            return True
    return False


@njit
def _negamax(mine, everything, stones, alpha, beta, known):  # type: ignore[no-untyped-def]
    if stones == 42:
        return 0
    for column in (3, 2, 4, 1, 5, 0, 6):
        free = (everything + (1 << (column * HEIGHT))) & (0x3F << (column * HEIGHT))
        if free and _has_four(mine | free):
            return 1
    if (mine, everything) in known:
        bounds = known[(mine, everything)]  # 10 × (lower + 1) + (upper + 1)
        alpha, beta = max(alpha, bounds // 10 - 1), min(beta, bounds % 10 - 1)
        if alpha >= beta:
            return alpha
    first_alpha, best = alpha, -1
    for column in (3, 2, 4, 1, 5, 0, 6):
        free = (everything + (1 << (column * HEIGHT))) & (0x3F << (column * HEIGHT))
        if free:
            value = -_negamax(mine ^ everything, everything | free, stones + 1, -beta, -alpha, known)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    lower = -1 if best <= first_alpha else best
    upper = 1 if best >= beta else best
    known[(mine, everything)] = 10 * (lower + 1) + upper + 1
    return best
