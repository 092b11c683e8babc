"""The longest path at speed 1 in a space that nobody else can reach, by local search.

A path is extended in three ways: at its end; by a detour, a → b to a → c → d → b beside it; and by reversing its end: a
cell beside the end that the path passes through is linked to the end instead of its successor. If all of these fail, a
part is cut off and grown again.
"""

from typing import NamedTuple

import numpy as np

from ludus.contests.speed.agents.walking import Ground, ahead, reachable
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import Array

# Facts of a filling, in int64: cells of the path and of the best one so far, with its starting place; the most
# possible cells; the number of times the path was grown again.
LENGTH, BEST_LENGTH, MOST, TRIES = range(4)
_TURNS = 8


class Filling(NamedTuple):
    """A path and the best one so far; both begin at the player's place."""

    path: Array  # int32[number]
    best: Array  # int32[number]
    numbers: Array  # int32[place]: its index in the path, −1 if not in it
    waiting: Array  # int32[number]: next cells of a path being written
    counts: Array  # int64[4]
    watch: Array


def new_filling(places: int) -> Filling:
    """Memory for paths on a ground with this many places."""
    return Filling(
        path=np.zeros(places, np.int32),
        best=np.zeros(places, np.int32),
        numbers=np.full(places, -1, np.int32),
        waiting=np.zeros(places, np.int32),
        counts=np.zeros(4, np.int64),
        watch=new_watch(FOREVER),
    )


@compiled
def fill(ground: Ground, filling: Filling, place: int, tries: int, rng: Rng) -> int:
    """Look for the longest path from a place, and return the number of its cells, without the place itself.

    If the best path of the last call passes through this place, the search continues from there.
    """
    counts = filling.counts
    counts[MOST] = most_cells(ground, place, filling.waiting)
    counts[BEST_LENGTH] = _still_good(ground, filling, place)
    _take_best(filling)
    _grow(ground, filling, rng)
    _keep(filling)
    counts[TRIES] = 0
    while counts[BEST_LENGTH] - 1 < counts[MOST] and counts[TRIES] < tries and not expired(filling.watch):
        counts[TRIES] += 1
        length = counts[LENGTH]
        cut = 1 + below(rng, length)
        if counts[TRIES] & 1:
            cut = max(cut, length - 1 - below(rng, 40))
        for i in range(cut, length):
            filling.numbers[filling.path[i]] = -1
        counts[LENGTH] = cut
        _turn_off(ground, filling, rng)
        _grow(ground, filling, rng)
        if counts[LENGTH] >= counts[BEST_LENGTH]:
            _keep(filling)
        else:
            forget(filling)
            _take_best(filling)
    forget(filling)
    return counts[BEST_LENGTH] - 1


@compiled
def most_cells(ground: Ground, place: int, queue: Array) -> int:
    """An upper bound on the length of a path from a place: colours alternate along it, as on a chessboard."""
    n = reachable(ground, place, queue)
    others = 0
    for i in range(n):
        others += colour(ground, queue[i]) != colour(ground, place)
    return min(2 * others, 2 * (n - others) + 1)


@compiled
def colour(ground: Ground, place: int) -> int:
    """The colour, 0 or 1, which differs from that of all four neighbours."""
    return (place // ground.stride + place % ground.stride) & 1


@compiled
def _still_good(ground: Ground, filling: Filling, place: int) -> int:
    """Shift the best path so that it begins at a place, and cut it where it is blocked; return its length."""
    length = filling.counts[BEST_LENGTH]
    start = 0
    while start < length and filling.best[start] != place:
        start += 1
    filling.best[0] = place
    n = 1
    while start + n < length and ground.cells[filling.best[start + n]] == 0:
        filling.best[n] = filling.best[start + n]
        n += 1
    return n


@compiled
def _take_best(filling: Filling) -> None:
    filling.counts[LENGTH] = filling.counts[BEST_LENGTH]
    for i in range(filling.counts[LENGTH]):
        filling.path[i] = filling.best[i]
        filling.numbers[filling.path[i]] = i


@compiled
def _keep(filling: Filling) -> None:
    filling.counts[BEST_LENGTH] = filling.counts[LENGTH]
    for i in range(filling.counts[LENGTH]):
        filling.best[i] = filling.path[i]


@compiled
def forget(filling: Filling) -> None:
    """Remove all cells from the path."""
    for i in range(filling.counts[LENGTH]):
        filling.numbers[filling.path[i]] = -1


@compiled
def _is_unused(ground: Ground, filling: Filling, place: int) -> bool:
    return ground.cells[place] == 0 and filling.numbers[place] < 0


@compiled
def _grow(ground: Ground, filling: Filling, rng: Rng) -> None:
    """Extend the path until that has no effect."""
    _lengthen(ground, filling, rng)
    detour(ground, filling)
    for _ in range(_TURNS):
        if filling.counts[LENGTH] - 1 >= filling.counts[MOST]:
            return
        _turn_round(ground, filling, rng)
        if _lengthen(ground, filling, rng):
            detour(ground, filling)


@compiled
def _lengthen(ground: Ground, filling: Filling, rng: Rng) -> bool:
    """Extend the path at its end while there is room, into the narrowest places; False if there was none."""
    start = filling.counts[LENGTH]
    while True:
        last = filling.path[filling.counts[LENGTH] - 1]
        next_place, fewest = -1, 99
        for heading in range(4):
            place = last + ahead(ground, heading)
            if _is_unused(ground, filling, place):
                exits = below(rng, 2)
                for other in range(4):
                    exits += 2 * _is_unused(ground, filling, place + ahead(ground, other))
                if exits < fewest:
                    next_place, fewest = place, exits
        if next_place < 0:
            return filling.counts[LENGTH] > start
        append(filling, next_place)


@compiled
def _turn_off(ground: Ground, filling: Filling, rng: Rng) -> None:
    """Take one step from the end of the path in a random direction, if there is room."""
    place = filling.path[filling.counts[LENGTH] - 1] + ahead(ground, below(rng, 4))
    if _is_unused(ground, filling, place):
        append(filling, place)


@compiled
def append(filling: Filling, place: int) -> None:
    """Add one place to the end of the path."""
    filling.path[filling.counts[LENGTH]] = place
    filling.numbers[place] = filling.counts[LENGTH]
    filling.counts[LENGTH] += 1


@compiled
def detour(ground: Ground, filling: Filling) -> None:
    """Write the path again with all detours that fit."""
    path, waiting, counts = filling.path, filling.waiting, filling.counts
    # The path is moved into `waiting`, with its beginning on top.
    length = counts[LENGTH]
    top = len(waiting)
    for i in range(length - 1, 0, -1):
        top -= 1
        waiting[top] = path[i]
    counts[LENGTH] = 1
    while top < len(waiting):
        last, target = path[counts[LENGTH] - 1], waiting[top]
        across = target - last
        side = 1 if abs(across) > 1 else ground.stride
        if not (_is_unused(ground, filling, last + side) and _is_unused(ground, filling, target + side)):
            side = -side
        if _is_unused(ground, filling, last + side) and _is_unused(ground, filling, target + side):
            filling.numbers[last + side] = filling.numbers[target + side] = 0
            waiting[top - 1], waiting[top - 2] = target + side, last + side
            top -= 2
        else:
            append(filling, target)
            top += 1


@compiled
def _turn_round(ground: Ground, filling: Filling, rng: Rng) -> None:
    """Give the path another end, with the same cells."""
    path, numbers, length = filling.path, filling.numbers, filling.counts[LENGTH]
    place = path[length - 1] + ahead(ground, below(rng, 4))
    link = numbers[place]
    if link < 0 or link >= length - 2:
        return
    i, j = link + 1, length - 1
    while i < j:
        path[i], path[j] = path[j], path[i]
        i += 1
        j -= 1
    for k in range(link + 1, length):
        numbers[path[k]] = k
