"""What fields of a map are worth: which can be reached, and which are safe."""

import numpy as np

from games.reversixt.recorded import game_on, needs_recorded_games, recorded_games
from ludus.games.reversixt.fields import reachable
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import Map
from ludus.games.reversixt.rules import BOMBS
from ludus.rng import new_rng


def reached(*rows: str) -> list[str]:
    game = ReversiXT(map=Map(2, 0, 1, 0, rows).packed())
    state = game.start(new_rng(0))
    drawn = [list("-" * len(rows[0])) for _ in rows]
    for (x, y), here in zip(state.places.tolist(), reachable(state.cells, state.ways).tolist(), strict=True):
        drawn[y][x] = "*" if here else "."
    return ["".join(row) for row in drawn]


def test_lines_on_which_two_stones_lie_side_by_side_are_reached() -> None:
    assert reached("00120-0", "-------", "0000000") == ["*****-.", "-------", "......."]


def test_an_expansion_field_opens_another_line() -> None:
    assert reached("0120", "0x00", "0000") == ["****", ".*..", "****"]


def test_a_stone_alone_reaches_nothing() -> None:
    assert reached("1000", "0000", "0002") == ["*...", "....", "...*"]


def test_corners_are_worth_most_and_what_lies_beside_them_least() -> None:
    worths = ReversiXT().board.worths.reshape(8, 8)
    assert worths.max() == worths[0, 0] == worths[7, 7]
    assert worths.min() == worths[1, 1] == worths[6, 6]
    assert worths[0, 3] > worths[3, 3] > worths[1, 3]
    assert np.array_equal(worths, worths.T)


def test_without_edges_all_fields_are_worth_the_same() -> None:
    assert np.unique(ReversiXT(map="torus").board.worths).tolist() == [0.0]


@needs_recorded_games
def test_no_field_that_was_ever_taken_counts_as_out_of_reach() -> None:
    for recorded in recorded_games():
        game = game_on(recorded["map"])
        start = game.start(new_rng(0))
        here = reachable(start.cells, start.ways)
        made = recorded["moves"]
        bombs = int(start.players[:, BOMBS].sum()) + sum(special == 20 for *_, special in made)
        for _, x, y, _ in made[: len(made) - bombs]:
            assert here[game.board.numbers[x, y]]
