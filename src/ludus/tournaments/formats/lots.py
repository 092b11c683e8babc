"""Random choices of formats, without the compiler that the generator of games needs."""

from collections.abc import Iterable
from typing import Any, TypeVar

from ludus.core.seeds import seed_from

Thing = TypeVar("Thing")

_MASK = 2**64 - 1


class Lots:
    """A generator with the same bits as `kernel.rng`, so that stored tournaments continue as they began."""

    def __init__(self, *parts: Any) -> None:
        self._state = seed_from(*parts)

    def below(self, n: int) -> int:
        """Draw a number from 0 to n − 1; n is below 2³²."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        z = self._state
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
        return ((z ^ z >> 31) >> 32) * n >> 32

    def shuffled(self, things: Iterable[Thing], first: int | None = None) -> list[Thing]:
        """The things in random order: all, or only the first few of that order."""
        order = list(things)
        count = len(order) if first is None else first
        for place in range(count):
            other = place + self.below(len(order) - place)
            order[place], order[other] = order[other], order[place]
        return order[:count]
