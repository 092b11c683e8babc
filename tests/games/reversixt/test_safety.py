"""Which lines of a move can be countered."""

import pytest

from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import Map
from ludus.games.reversixt.safety import line_safety
from ludus.rng import new_rng


@pytest.mark.parametrize(
    ("row", "x", "safety"),
    [
        ("00210", 1, 1.0),  # both ends are ours
        ("00212", 1, -1.0),  # the other end is theirs, and they can come behind ours
        ("0212", 0, 0.5),  # the same, but ours is at the edge
        ("20212", 1, 0.0),  # both ends are theirs
    ],
)
def test_a_line_is_judged_by_its_ends(row: str, x: int, safety: float) -> None:
    game = ReversiXT(map=Map(2, 0, 1, 0, (row,)).packed())
    assert line_safety(game.start(new_rng(0)), 0, game.board.numbers[x, 0]) == safety


def test_a_move_with_several_lines_is_judged_by_their_mean() -> None:
    game = ReversiXT(map=Map(2, 0, 1, 0, ("0212", "2000", "1000", "0000")).packed())
    assert line_safety(game.start(new_rng(0)), 0, 0) == (0.5 + 1.0) / 2
