"""States that are NamedTuples of arrays: their fields, copies and stacks, and scratch space for their rules."""

import math
import typing
from functools import cache
from typing import Annotated, Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array, populate_array

from ludus.kernel.jit import compiled

Array = np.ndarray[Any, Any]
"""A field of a state that changes during the game."""
Constant = Annotated[np.ndarray[Any, Any], "constant"]
"""A field of a state that never changes: shared between copies, never copied."""

_CACHE_LINE = 64


def changing_fields(state_type: Any) -> list[str]:
    """Names of a state's fields that are not marked constant."""
    return _changing_fields(state_type)


@cache
def _changing_fields(state_type: Any) -> list[str]:
    hints = typing.get_type_hints(state_type, include_extras=True)
    return [f for f in state_type._fields if "constant" not in getattr(hints[f], "__metadata__", ())]


def array_stack(state: Any, plies: int) -> Any:
    """Allocate that many states: the same NamedTuple, with a leading axis on each changing field."""
    fields = {f: getattr(state, f) for f in changing_fields(type(state))}
    return state._replace(**{f: _zeros((plies, *array.shape), array.dtype) for f, array in fields.items()})


def array_copy(state: Any) -> Any:
    """An equal state with its own arrays."""
    fields = {}
    for name in changing_fields(type(state)):
        array = getattr(state, name)
        fields[name] = _zeros(array.shape, array.dtype)
        fields[name][...] = array
    return state._replace(**fields)


def _zeros(shape: tuple[int, ...], dtype: Any) -> Array:
    """An array with cache lines of its own: threads that write side by side would slow each other down threefold."""
    size, margin = math.prod(shape), _CACHE_LINE // dtype.itemsize
    return np.zeros(size + 2 * margin, dtype)[margin : margin + size].reshape(shape)


def at(stack: Any, ply: int) -> Any:
    """The state at an index of a stack: a view, not a copy."""
    if isinstance(stack, list):
        return stack[ply]
    return stack._replace(**{f: getattr(stack, f)[ply] for f in changing_fields(type(stack))})


@overload(at)
def _at(stack, ply):  # type: ignore[no-untyped-def]
    changing = changing_fields(stack.instance_class)
    fields = ", ".join(f"stack.{f}[ply]" if f in changing else f"stack.{f}" for f in stack.instance_class._fields)
    return _written(f"def at(stack, ply):\n    return State({fields})", State=stack.instance_class)


def copy_fields(state: Any, into: Any) -> None:
    """Copy the changing fields."""
    for field in changing_fields(type(state)):
        getattr(into, field)[...] = getattr(state, field)


@overload(copy_fields)
def _copy_fields(state, into):  # type: ignore[no-untyped-def]
    # Element by element: 16 ns; slices take 94.
    return _written(f"def copy(state, into):\n{_loops(state, 'into.{0}{1} = state.{0}{1}')}    return None")


_PRIME = 0xFF51AFD7ED558CCD
_START = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1
_PRIME_BITS, _START_BITS, _HALF = np.uint64(_PRIME), np.uint64(_START), np.uint64(32)


def hash_fields(state: Any) -> int:
    """A 64-bit hash of the changing fields."""
    value = _START
    for field in changing_fields(type(state)):
        array = getattr(state, field)
        numbers = array.astype(np.float64).view(np.int64) if array.dtype.kind == "f" else array
        for number in numbers.flat:
            value = ((value ^ (int(number) & _MASK)) * _PRIME) & _MASK
            value ^= value >> 32
    return value - 2**64 if value >= 2**63 else value


@overload(hash_fields)
def _hash_fields(state):  # type: ignore[no-untyped-def]
    loops = _loops(state, "value = mix(value, state.{0}{1})")
    source = f"def key(state):\n    value = START\n{loops}    return int64(value)"
    return _written(source, mix=_mix, int64=np.int64, START=_START_BITS)


def _as_bits(number: Any) -> Any:
    raise NotImplementedError


@overload(_as_bits)
def _bits_of(number):  # type: ignore[no-untyped-def]
    if isinstance(number, types.Float):
        return lambda number: np.float64(number).view(np.uint64)
    return lambda number: np.uint64(number)


@compiled
def _mix(value, number):  # type: ignore[no-untyped-def]
    value = (value ^ _as_bits(number)) * _PRIME_BITS
    return value ^ (value >> _HALF)


def _loops(state: Any, line: str) -> str:
    """Source of a loop over every element of every changing field; {0} is the field, {1} the index."""
    text = ""
    for field in changing_fields(state.instance_class):
        array = state.types[state.fields.index(field)]
        names = [f"i{axis}" for axis in range(array.ndim)]
        for axis, name in enumerate(names):
            text += "    " * (axis + 1) + f"for {name} in range(state.{field}.shape[{axis}]):\n"
        text += "    " * (array.ndim + 1) + line.format(field, f"[{', '.join(names)}]") + "\n"
    return text


def _written(source: str, **scope: Any) -> Any:
    exec(source, scope)
    return scope[source[4 : source.index("(")]]


def _on_the_stack(element: Any, dtype: Any, doc: str) -> Any:
    @intrinsic
    def allocate(typing_context, n):  # type: ignore[no-untyped-def]
        array_type = types.Array(element, 1, "C")

        def codegen(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            count = context.cast(builder, arguments[0], signature.args[0], types.intp)
            itemsize = context.get_constant(types.intp, element.bitwidth // 8)
            array = make_array(array_type)(context, builder)
            populate_array(
                array,
                data=builder.alloca(context.get_value_type(element), count),
                shape=cgutils.pack_array(builder, [count]),
                strides=cgutils.pack_array(builder, [itemsize]),
                itemsize=itemsize,
                meminfo=None,
            )
            return array._getvalue()

        return array_type(n), codegen

    allocate.__doc__ = doc
    allocate.interpreted = lambda n: np.empty(n, dtype)
    return allocate


room = _on_the_stack(
    types.int64,
    np.int64,
    "n int64 cells of scratch space, released when the function returns: allocate it outside loops.",
)
room_of_floats = _on_the_stack(types.float64, np.float64, "n float64 cells of scratch space, like `room`.")
