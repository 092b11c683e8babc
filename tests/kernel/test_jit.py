"""Compiled functions, their interpreted twins, and the lock under which they compile."""

import ast
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import TypingError

import ludus
from ludus.core.user_file import import_file
from ludus.kernel.bitset import count_bits, lowest_bit
from ludus.kernel.jit import cache_folder, compiled, compiling_lock, interpreted
from ludus.kernel.rng import below, new_rng
from ludus.kernel.state import Array


@compiled
def square(x: int) -> int:
    return x * x


@compiled
def sum_of_squares(numbers: Array) -> int:
    total = 0
    for i in range(len(numbers)):
        total += square(numbers[i])
    return total


@compiled
def squares_of_three(x: int) -> int:
    return square(2) + square(3) + square(x)


@compiled
def factorial(n: int) -> int:
    return 1 if n < 2 else n * factorial(n - 1)


@compiled
def thrown(rng: Array, throws: int) -> int:
    total = 0
    for _ in range(throws):
        total = 6 * total + below(rng, 6)
    return total


@compiled
def bits_of(number: int) -> int:
    return 100 * count_bits(number) + lowest_bit(number)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    return tmp_path


def test_twin_agrees_with_compiled_code() -> None:
    numbers = np.arange(10)
    assert sum_of_squares(numbers) == interpreted(sum_of_squares)(numbers) == 285


def test_numbers_that_are_written_out_need_no_code_of_their_own(home: Path) -> None:
    assert squares_of_three(4) == 29
    assert len(square.signatures) == 1


def test_twin_replaces_compiled_helpers_too() -> None:
    class Stone:
        def __mul__(self, other: object) -> int:
            return 2

    assert interpreted(sum_of_squares)([Stone(), Stone()]) == 4
    with pytest.raises(TypingError):
        sum_of_squares([Stone(), Stone()])


def test_twin_of_a_recursive_function_calls_itself() -> None:
    assert interpreted(factorial)(30) == 265252859812191058636308480000000  # more than 64 bits hold
    assert factorial(10) == 3628800


def test_twin_throws_the_same_dice() -> None:
    assert interpreted(thrown)(new_rng(1), 20) == thrown(new_rng(1), 20)


@pytest.mark.parametrize("number", [0, 1, 6, -1, -(2**63), 2**62])
def test_intrinsics_agree_with_their_twins(number: int) -> None:
    assert bits_of(number) == interpreted(bits_of)(number)


def test_function_that_is_not_compiled_is_its_own_twin() -> None:
    assert interpreted(len) is len


def test_lock_may_be_taken_again_inside(home: Path) -> None:
    with compiling_lock("rules"), compiling_lock("rules"):
        assert cache_folder().is_relative_to(home)


def test_code_of_an_imported_file_is_kept(home: Path) -> None:
    file = home / "doubling.py"
    file.write_text("from ludus.kernel.jit import compiled\n\n@compiled\ndef double(x):\n    return 2 * x\n")
    assert import_file(str(file)).double(4) == 8
    assert [f.name.split(".")[-1].split("-")[0] for f in cache_folder().iterdir()] == ["double"]


def test_code_without_a_source_is_not_kept(home: Path) -> None:
    module: Any = types.ModuleType("notebook_cells")
    sys.modules["notebook_cells"] = module
    exec("def double(x):\n    return 2 * x", module.__dict__)
    assert compiled(module.double)(4) == 8
    assert not cache_folder().exists()


def test_nothing_of_core_goes_into_machine_code() -> None:
    """The digests of sources leave `ludus.core` out."""
    used = []
    for file in Path(ludus.__file__).parent.rglob("*.py"):
        tree = ast.parse(file.read_text())
        taken = {
            alias.asname or alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ludus.core")
            for alias in node.names
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and any(map(_compiles, node.decorator_list)):
                names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
                used += [f"{file.name}: {node.name} uses {name}" for name in names & taken]
    assert not used


def _compiles(decorator: ast.expr) -> bool:
    return ast.unparse(decorator).partition("(")[0] in ("compiled", "rule", "generic", "stays_compiled")
