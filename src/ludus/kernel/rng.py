"""Random numbers: a small generator whose state is passed along, with the same bits compiled and interpreted.

SplitMix64 in one uint64 cell: fast inside compiled code, safe in threads, reproducible from its seed alone.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.core.seeds import seed_from
from ludus.kernel.jit import compiled, stays_compiled

Rng = NDArray[np.uint64]

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32, _S11 = (np.uint64(n) for n in (27, 30, 31, 32, 11))


def new_rng(*parts: Any) -> Rng:
    """Create a generator seeded from any printable values."""
    rng = np.zeros(17, np.uint64)[8:9]  # no other thread's data in its cache line
    rng[0] = seed_from(*parts)
    return rng


@stays_compiled
@compiled
def bits(rng: Rng) -> np.uint64:
    """The next 64 random bits, as uint64."""
    rng[0] += _GOLDEN
    z = rng[0]
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return z ^ (z >> _S31)


@stays_compiled
@compiled
def below(rng: Rng, n: int) -> int:
    """A random int64 from 0 to n − 1; n is below 2³²."""
    return np.int64(((bits(rng) >> _S32) * np.uint64(n)) >> _S32)  # type: ignore[return-value]


@stays_compiled
@compiled
def unit(rng: Rng) -> float:
    """A random float64 in [0, 1)."""
    return np.float64(bits(rng) >> _S11) * (1.0 / 9007199254740992.0)
