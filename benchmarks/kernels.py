"""The compiled loops of the benchmarks: what a search does at each leaf, and nothing else."""

from ludus.check.fairness import playout_through_legal
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng
from ludus.kernel.rules import Array, State, copy, playout


@compiled
def playouts(start: State, work: State, rng: Rng, out: Array, n: int) -> float:
    """Copy the start and play it out, n times, through the functions that searches use."""
    total = 0.0
    for _ in range(n):
        copy(start, work)
        playout(work, rng, out)
        total += out[0]
    return total


@compiled
def playouts_through_legal(start: State, work: State, rng: Rng, out: Array, n: int) -> float:
    """The same without the game's own `sample` and `playout`, as a game with the required rules alone would run."""
    total = 0.0
    for _ in range(n):
        copy(start, work)
        playout_through_legal(work, rng, out)
        total += out[0]
    return total
