"""What the fields of a map are worth before anybody has moved: which can be reached at all, and which are safe."""

import numpy as np

from ludus.compiling import compiled
from ludus.games.reversixt.rules import EMPTY, EXPANSION
from ludus.rules import Array

_BY_SAFE_AXES = (0.0, 0.1, 0.2, 0.4, 1.0)
"""What a field is worth by the number of its four axes on which no line can pass over it: 4 is a corner, 3 an edge."""
_NEAR_BETTER = 0.3
"""How much of what a neighbour is worth more is taken off, since whoever moves here opens the way there."""
_FARTHEST = 20
"""Steps to each side that add to the worth of a field, since lines can run so far from there."""


def reachable(cells: Array, ways: Array) -> Array:
    """The fields that some player may come to hold, boolean[field].

    It is hopeful: where two stones or expansion fields lie side by side, all of their line counts as reached.
    """
    reached = (cells > EMPTY) & (cells <= EXPANSION)
    walked = np.zeros(ways.shape, np.bool_)
    while _spread(ways, reached, walked):
        pass
    return reached


@compiled
def _spread(ways: Array, reached: Array, walked: Array) -> bool:
    """Reach the lines of all pairs that are there; whether there were any new ones."""
    any_new = False
    for field in range(len(ways)):
        for direction in range(8):
            way = ways[field, direction]
            if reached[field] and way >= 0 and reached[way >> 3] and way >> 3 != field and not walked[field, direction]:
                _walk(ways, field, direction, reached, walked)
                _walk(ways, field, (direction + 4) % 8, reached, walked)
                any_new = True
    return any_new


@compiled
def _walk(ways: Array, field: int, direction: int, reached: Array, walked: Array) -> None:
    """Reach all fields of a line."""
    while not walked[field, direction]:
        walked[field, direction] = True
        reached[field] = True
        way = ways[field, direction]
        if way >= 0:
            field, direction = way >> 3, way & 7


def worths_of(ways: Array, reached: Array) -> Array:
    """What it is worth to hold each field, float64[field]; 0 where nobody can come."""
    worths = np.zeros(len(ways))
    _weigh(ways, reached, worths)
    there = np.where(ways >= 0, worths[ways >> 3], 0.0)
    better = np.maximum(there.max(axis=1) - worths, 0.0)
    return np.where(reached, worths - _NEAR_BETTER * better, 0.0)


@compiled
def _weigh(ways: Array, reached: Array, worths: Array) -> None:
    for field in range(len(ways)):
        if reached[field]:
            safe, far = 0, 0
            for axis in range(4):
                ahead = _run(ways, reached, field, axis)
                behind = _run(ways, reached, field, axis + 4)
                safe += ahead == 0 or behind == 0
                far += ahead + behind
            worths[field] = _BY_SAFE_AXES[safe] * (0.5 + far / (4 * _FARTHEST))


@compiled
def _run(ways: Array, reached: Array, field: int, direction: int) -> int:
    """How many fields a line can run over from a field, as far as it is looked."""
    n, way = 0, ways[field, direction]
    while n < _FARTHEST and way >= 0 and reached[way >> 3] and way >> 3 != field:
        n += 1
        way = ways[way >> 3, way & 7]
    return n
