"""Ranges of numbers, from which one is drawn."""

import math
import random
from typing import NamedTuple


class Range(NamedTuple):
    """A number, or a range from which one is drawn."""

    low: float
    high: float

    @classmethod
    def parse(cls, text: str) -> "Range":
        """Read `4` or `2..6`; ValueError if the text is neither."""
        first, dots, last = text.partition("..")
        found = cls(float(first), float(last if dots else first))
        if not all(map(math.isfinite, found)):
            raise ValueError(f"{text} is not finite")
        return found

    @property
    def fixed(self) -> bool:
        """Whether there is one number to draw."""
        return self.low == self.high

    @property
    def whole(self) -> bool:
        """Whether both ends are whole numbers."""
        return float(self.low).is_integer() and float(self.high).is_integer()

    def draw(self) -> float:
        """A number from the range, both ends included: a whole one, if they are."""
        return random.randint(int(self.low), int(self.high)) if self.whole else random.uniform(self.low, self.high)

    def __str__(self) -> str:
        return f"{self.low:g}" if self.fixed else f"{self.low:g}..{self.high:g}"
