"""An oracle for Gomoku: forced wins within a few moves, by an exhaustive search that shares nothing with Ludus."""

import numpy as np
import numpy.typing as npt
from numba import njit

Board = npt.NDArray[np.int8]


def board_of(position: str) -> tuple[Board, int]:
    """The stones of a position, 1 and 2, and who is to move."""
    rows = position.split("/")
    board = np.array([[".xo".index(letter) for letter in row] for row in rows], np.int8)
    return board, 1 + int(np.count_nonzero(board)) % 2


def winning_moves(position: str, within: int) -> set[str]:
    """The moves after which the player to move has five within this many moves of its own, whatever the other does."""
    board, me = board_of(position)
    return {_name(cell) for cell in np.argwhere(board == 0) if _wins_by(board, me, cell[0], cell[1], within)}


def holding_moves(position: str, within: int) -> set[str]:
    """The moves after which the other player cannot force five within this many moves."""
    board, me = board_of(position)
    held = set()
    for cell in np.argwhere(board == 0):
        board[tuple(cell)] = me
        if _has_five(board, me, cell[0], cell[1]) or not _wins(board, 3 - me, within):
            held.add(_name(cell))
        board[tuple(cell)] = 0
    return held


def _name(cell: npt.NDArray[np.int64]) -> str:
    return f"{cell[1]}-{cell[0]}"


@njit
def _has_five(board, me, y, x):  # type: ignore[no-untyped-def]
    size = board.shape[0]
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        run = 1
        for sign in (-1, 1):
            i = 1
            while True:
                row, column = y + sign * i * dy, x + sign * i * dx
                if not (0 <= row < size and 0 <= column < size and board[row, column] == me):
                    break
                run += 1
                i += 1
        if run >= 5:
            return True
    return False


@njit
def _fives(board, me):  # type: ignore[no-untyped-def]
    """The number of empty cells that complete five, two at most, and the first of them."""
    count, first = 0, (-1, -1)
    for y in range(board.shape[0]):
        for x in range(board.shape[0]):
            if board[y, x] == 0 and _has_five(board, me, y, x):
                if count == 0:
                    first = (y, x)
                count += 1
                if count == 2:
                    return count, first
    return count, first


@njit
def _makes_four(board, me, y, x):  # type: ignore[no-untyped-def]
    """True if a stone there leaves one cell to fill in some line of five."""
    size = board.shape[0]
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for start in range(-4, 1):
            mine = 0
            for i in range(start, start + 5):
                row, column = y + i * dy, x + i * dx
                if not (0 <= row < size and 0 <= column < size) or board[row, column] == 3 - me:
                    mine = -5
                    break
                mine += board[row, column] == me
            if mine >= 3:
                return True
    return False


@njit
def _wins(board, me, within):  # type: ignore[no-untyped-def]
    """True if the player to move can force five within this many moves."""
    if _fives(board, me)[0]:
        return True
    if within == 1:
        return False
    threats, forced = _fives(board, 3 - me)
    if threats == 2:
        return False
    for quiet in (False, True):  # fours first: they leave the other no choice
        for y in range(board.shape[0]):
            for x in range(board.shape[0]):
                may = board[y, x] == 0 and (threats == 0 or (y, x) == forced)
                if may and _makes_four(board, me, y, x) != quiet and _wins_by(board, me, y, x, within):
                    return True
    return False


@njit
def _wins_by(board, me, y, x, within):  # type: ignore[no-untyped-def]
    """True if this move makes five, or forces it within the remaining moves."""
    if _has_five(board, me, y, x):
        return True
    if within == 1 or (within == 2 and not _makes_four(board, me, y, x)):
        return False
    board[y, x] = me
    won = _fives(board, 3 - me)[0] == 0
    if won:
        threats, forced = _fives(board, me)
        if threats == 1:
            board[forced] = 3 - me
            won = _wins(board, me, within - 1)
            board[forced] = 0
        elif threats == 0:
            won = _holds_nowhere(board, me, within - 1)
    board[y, x] = 0
    return won


@njit
def _holds_nowhere(board, me, within):  # type: ignore[no-untyped-def]
    """True if the player wins within this many moves after every answer of the other."""
    for y in range(board.shape[0]):
        for x in range(board.shape[0]):
            if board[y, x] == 0:
                board[y, x] = 3 - me
                won = _wins(board, me, within)
                board[y, x] = 0
                if not won:
                    return False
    return True
