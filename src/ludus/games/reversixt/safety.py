"""Whether the lines of a move of ReversiXT can be countered: what the extended order of moves goes by.

A line of stones belongs to whoever has both of its ends. Where the ends are of two players, whoever moves next takes
it: after a move of one, that is the other.
"""

from ludus.compiling import compiled
from ludus.games.reversixt.rules import EMPTY, EXPANSION, ReversiXtState, captured

_GOOD, _EDGE, _CAUGHT, _BAD = 1.0, 0.5, 0.0, -1.0
_OPEN = 16
"""Added to an end behind which a stone can be laid."""


@compiled
def line_safety(state: ReversiXtState, player: int, field: int) -> float:
    """The mean over the lines that a move captures: 1 for those held at both ends, −1 for those that can be countered.

    Between them are lines whose own end lies at an edge, and those that others hold at both ends.
    """
    total, lines = 0.0, 0
    for direction in range(8):
        captures = captured(state, player, field, direction)
        if captures > 0:
            lines += 1
            ahead = line_end(state, player, field, direction, captures)
            behind = line_end(state, player, field, (direction + 4) % 8, 0)
            total += judge(player + 1, ahead, behind)
    return total / lines if lines > 0 else 0.0


@compiled
def judge(mine: int, one: int, other: int) -> float:
    """How safe a line is with these ends, as `line_end` gives them."""
    has_one, has_other = one % _OPEN == mine, other % _OPEN == mine
    if has_one and has_other:
        return _GOOD
    if not has_one and not has_other:
        return _CAUGHT
    own_end = one if has_one else other
    return _BAD if own_end >= _OPEN else _EDGE


@compiled
def line_end(state: ReversiXtState, player: int, field: int, direction: int, captures: int) -> int:
    """Whose the last stone of the line from a field in a direction is, once so many are captured; plus _OPEN."""
    last, n, way = player + 1, 0, state.ways[field, direction]
    while way >= 0 and way >> 3 != field and n < 8 * len(state.cells):
        what = state.cells[way >> 3]
        if what == EMPTY or what > EXPANSION:
            return last + _OPEN
        n += 1
        last = player + 1 if n <= captures else what
        way = state.ways[way >> 3, way & 7]
    return last
