"""Ranges of numbers to draw from."""

import math
import random
from typing import NamedTuple


class Range(NamedTuple):
    """A number, or a range to draw from."""

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
        """True if there is only one number."""
        return self.low == self.high

    @property
    def whole(self) -> bool:
        """True if both ends are whole numbers."""
        return float(self.low).is_integer() and float(self.high).is_integer()

    def draw(self) -> float:
        """Draw a number from the range, both ends included: a whole one, if they are."""
        return random.randint(int(self.low), int(self.high)) if self.whole else random.uniform(self.low, self.high)

    def __str__(self) -> str:
        return f"{self.low:g}" if self.fixed else f"{self.low:g}..{self.high:g}"
