"""The value of a space together with spaces that can be reached from it by jumps, one after the other."""

from ludus.contests.speed.agents.escaping import Escape
from ludus.contests.speed.agents.walking import Ground, ahead, is_free
from ludus.contests.speed.game import JUMP_FROM
from ludus.kernel.bitset import lowest_bit
from ludus.kernel.jit import compiled
from ludus.kernel.rules import Array, room

FASTEST = 5
LEAST = 20
"""Minimum number of cells of a space that is worth a jump."""
_SPACES = 60  # maximum number of spaces, each a bit of an integer
_HOPS, _LOOKS = 5, 500  # limits on a chain, and on the search for the longest
_KEPT = 0.8  # discount of spaces after a jump, which others may reach first


@compiled
def landing(ground: Ground, place: int, heading: int, speed: int) -> int:
    """The place where a jump from here at speed 1 ends, after speeding up; 0 if anything is in the way.

    Slowing down must be possible behind the wall.
    """
    step = ahead(ground, heading)
    for pace in range(2, speed):
        if not is_free(ground, place, step, pace, 1):
            return 0
        place += pace * step
    if not is_free(ground, place, step, speed, 0):
        return 0
    place += speed * step
    landed = place
    for pace in range(speed - 1, 1, -1):
        if not is_free(ground, place, step, pace, 1):
            return 0
        place += pace * step
    return landed


@compiled
def weigh_spaces(ground: Ground, escape: Escape) -> None:
    """Compute the value of each space without the player; call `look_around` first."""
    spaces, worths = escape.spaces, escape.worths
    sizes, links = room(_SPACES), room(_SPACES)
    n = 0
    for place in range(len(spaces)):
        worths[spaces[place]] = escape.sizes[spaces[place]]
    for place in range(len(spaces)):
        size = worths[spaces[place]]
        if size >= LEAST and n < _SPACES:
            sizes[n], links[n] = size, 0
            n += 1
            worths[spaces[place]] = -n  # temporary mark
    for place in range(len(spaces)):
        number = -1 - worths[spaces[place]]
        if number >= 0:
            for heading in range(4):
                for speed in range(JUMP_FROM, FASTEST + 1):
                    other = -1 - worths[spaces[landing(ground, place, heading, speed)]]
                    if other >= 0:
                        links[number] |= 1 << other
    for place in range(len(spaces)):
        if worths[spaces[place]] < 0:
            worths[spaces[place]] = _longest_chain(sizes, links, -1 - worths[spaces[place]])


@compiled
def _longest_chain(sizes: Array, links: Array, first: int) -> int:
    """The highest value of a chain of different spaces that begins with one of them."""
    at, left, worths = room(_HOPS + 1), room(_HOPS + 1), room(_HOPS + 1)
    at[0], left[0], worths[0] = first, links[first] & ~(1 << first), sizes[first]
    passed, hops, best, looks = 1 << first, 0, sizes[first], 0
    while hops >= 0:
        if left[hops] == 0 or hops == _HOPS or looks == _LOOKS:
            passed ^= 1 << at[hops]
            hops -= 1
            continue
        there = lowest_bit(left[hops])
        left[hops] &= left[hops] - 1
        hops += 1
        looks += 1
        passed |= 1 << there
        at[hops], left[hops] = there, links[there] & ~passed
        worths[hops] = worths[hops - 1] + int(sizes[there] * _KEPT**hops)
        best = max(best, worths[hops])
    return best
