"""Drawing lots: an order of things that a seed decides."""

from collections.abc import Iterable
from typing import TypeVar

from ludus.kernel.rng import Rng, below

Thing = TypeVar("Thing")


def shuffled(things: Iterable[Thing], rng: Rng, first: int | None = None) -> list[Thing]:
    """The things in random order: all, or only the first so many of that order."""
    order = list(things)
    count = len(order) if first is None else first
    for place in range(count):
        other = place + int(below(rng, len(order) - place))
        order[place], order[other] = order[other], order[place]
    return order[:count]
