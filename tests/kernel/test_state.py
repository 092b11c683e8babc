"""States of arrays: copies, stacks, keys and scratch space, compiled and interpreted."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from ludus.kernel import rules
from ludus.kernel.jit import compiled, interpreted
from ludus.kernel.rules import Array, Constant, at, duplicate, room, room_of_floats, stack_of


class Board(NamedTuple):
    """A state with fields of one and of two dimensions, and one that never changes."""

    counters: Array
    cells: Array
    neighbours: Constant


def new_board(kind: Any = np.int8) -> Board:
    return Board(np.array([3, -1]), np.arange(6).reshape(2, 3).astype(kind), np.arange(4))


@compiled
def copy_into(stack: Board, source: int, target: int) -> int:
    rules.copy(at(stack, source), at(stack, target))
    return rules.key(at(stack, target))


@compiled
def add_to(state: Board, amount: int) -> None:
    state.counters[0] += amount


@compiled
def reversed_sum(n: int) -> int:
    """Fills scratch space, and asks `half_of`, which takes its own, while it is in use."""
    cells = room(n)
    for i in range(n):
        cells[i] = i
    total = 0
    for i in range(n):
        total += int(half_of(float(cells[n - 1 - i])) * 2) * (i + 1)
    return total


@compiled
def half_of(x: float) -> float:
    cells = room_of_floats(3)
    for i in range(3):
        cells[i] = x / 2
    return cells[2]


@compiled
def deep(levels: int) -> int:
    """Takes scratch space a million times in a row, each time anew."""
    total = 0
    for i in range(levels):
        total += int(half_of(float(i))) & 1
    return total


def test_copy_is_equal_and_apart() -> None:
    board = new_board()
    twin = duplicate(board)
    twin.cells[1, 2] = 9
    twin.counters[0] = 0
    assert board.cells[1, 2] == 5
    assert board.counters[0] == 3


def test_copies_share_what_is_constant() -> None:
    board = new_board()
    assert duplicate(board).neighbours is board.neighbours


def test_copies_share_no_cache_line_so_that_threads_do_not_slow_each_other() -> None:
    boards = [duplicate(new_board()) for _ in range(50)]
    arrays = [array for board in boards for array in (board.counters, board.cells)]
    lines = [{byte // 64 for byte in range(a.ctypes.data, a.ctypes.data + a.nbytes)} for a in arrays]
    assert len(set().union(*lines)) == sum(map(len, lines))


@pytest.mark.parametrize("run", [lambda f: f, interpreted], ids=["compiled", "interpreted"])
def test_places_of_a_stack_are_states_of_their_own(run: Any) -> None:
    board, stack = new_board(), stack_of(new_board(), 3)
    rules.copy(board, at(stack, 0))
    assert run(copy_into)(stack, 0, 2) == rules.key(board)
    run(add_to)(at(stack, 2), 4)
    assert stack.counters[:, 0].tolist() == [3, 0, 7]
    assert (stack.cells[2] == board.cells).all()


@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint8, np.uint64, np.bool_, np.float64, np.float32])
def test_keys_are_the_same_compiled_and_interpreted(kind: Any) -> None:
    board = new_board(kind)
    assert rules.key(board) == rules.key.interpreted(board)  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [np.int8, np.float64])
def test_key_depends_on_every_cell(kind: Any) -> None:
    board = new_board(kind)
    keys = {rules.key(board)}
    for cell in np.ndindex(board.cells.shape):
        changed = duplicate(board)
        changed.cells[cell] = 1 - changed.cells[cell] / 4
        keys.add(rules.key(changed))
    changed = duplicate(board)
    changed.counters[1] += 1
    keys.add(rules.key(changed))
    assert len(keys) == 8


def test_key_leaves_out_what_is_constant() -> None:
    board = new_board()
    assert rules.key(board._replace(neighbours=np.ones(4, np.int64))) == rules.key(board)


def test_scratch_space_of_nested_calls_is_apart() -> None:
    expected = sum((9 - i) * (i + 1) for i in range(10))
    assert reversed_sum(10) == interpreted(reversed_sum)(10) == expected


def test_scratch_space_is_given_back_after_each_call() -> None:
    assert deep(3_000_000) == 1_500_000  # 72 MB if it were not
