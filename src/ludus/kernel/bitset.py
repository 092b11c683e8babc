"""Sets of up to 64 squares as the bits of an int64, for compiled rules."""

from typing import Any

from numba import types
from numba.extending import intrinsic


@intrinsic
def _count(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), codegen


@intrinsic
def _lowest(typing_context: Any, bits: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, False))

    return types.int64(types.int64), codegen


_MASK = 2**64 - 1

count_bits: Any = _count
"""The number of set bits."""
count_bits.interpreted = lambda bits: (int(bits) & _MASK).bit_count()

lowest_bit: Any = _lowest
"""The index of the lowest set bit; 64 if there is none."""
lowest_bit.interpreted = lambda bits: ((int(bits) & _MASK) & -(int(bits) & _MASK)).bit_length() - 1 if bits else 64
