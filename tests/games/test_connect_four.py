import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.games.connect_four import ConnectFour
from ludus.kernel import rules
from support import playthroughs
from support.perft import episodes, perft
from support.playthroughs import played

GAME = ConnectFour()
SMALL = ConnectFour(rows=3, columns=4, length=3)


@pytest.mark.parametrize(
    "shape", [(6, 7, 4), (7, 6, 4), (4, 5, 3), (5, 4, 4), (2, 9, 3), (8, 7, 5), (3, 3, 2), (12, 4, 4), (4, 12, 4)]
)
def test_plays_like_openspiel(shape: tuple[int, int, int]) -> None:
    rows, columns, length = shape
    game = ConnectFour(rows=rows, columns=columns, length=length)
    playthroughs.assert_agrees_with_openspiel(
        game, f"connect_four(rows={rows},columns={columns},x_in_row={length})", 100
    )


def test_lines_of_play_are_as_many_as_published() -> None:
    published = [7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]
    assert [perft(GAME, depth) for depth in range(1, 10)] == published


def test_all_episodes_of_a_tiny_board() -> None:
    # Two in a row on two by two: the third stone always wins. After a reply in the other column it may fall on either.
    assert episodes(ConnectFour(rows=2, columns=2, length=2), 4) == 2 * (1 + 2)


@pytest.mark.parametrize(
    ("moves", "direction"),
    [
        ("1 1 2 2 3 3 4", "a row"),
        ("1 2 1 2 1 2 1", "a column"),
        ("1 2 2 3 3 4 3 4 4 7 4", "a rising diagonal"),
        ("7 6 6 5 5 4 5 4 4 1 4", "a falling diagonal"),
    ],
)
def test_four_win_in_every_direction(moves: str, direction: str) -> None:
    *before, last = moves.split()
    assert not rules.over(played(GAME, " ".join(before)))
    state = played(GAME, f"{' '.join(before)} {last}")
    assert rules.over(state), direction
    assert GAME.scores(state) == [1.0, -1.0]


def test_three_are_not_enough() -> None:
    assert not rules.over(played(GAME, "1 1 2 2 3 3"))


def test_the_second_player_can_win() -> None:
    assert GAME.scores(played(GAME, "1 2 1 2 1 2 7 2")) == [-1.0, 1.0]


@pytest.mark.parametrize(
    "position",
    [
        "...../...../oo.o./xx.xx",  # a row that leaves at the right and goes on at the left
        "x..../x..../x..../ox.oo",  # a column that goes on at the bottom of the next one
        ".x.../xo.../ox..x/ooxxo",  # a diagonal that leaves at the top and goes on at the bottom
    ],
)
def test_lines_do_not_wrap_around_the_edges(position: str) -> None:
    assert not rules.over(ConnectFour(rows=4, columns=5).load(position))


def test_a_full_board_is_a_draw() -> None:
    game = ConnectFour(rows=2, columns=3, length=3)
    state = game.load("oxo/xox")
    assert rules.over(state)
    assert game.scores(state) == [0.0, 0.0]


def test_a_full_column_takes_no_stone() -> None:
    state = played(GAME, "1 1 1 1 1 1")
    assert GAME.moves(state, 0) == [1, 2, 3, 4, 5, 6]


def test_compiled_and_interpreted_agree() -> None:
    playthroughs.assert_compiled_and_interpreted_agree(GAME, 3)
    playthroughs.assert_compiled_and_interpreted_agree(SMALL, 3)


@pytest.mark.parametrize("game", [GAME, SMALL])
def test_text_round_trips(game: ConnectFour) -> None:
    playthroughs.assert_text_round_trips(game, 5)


def test_samples_evenly() -> None:
    playthroughs.assert_samples_evenly(GAME, played(GAME, "1 1 1 1 1 1 2"))


def test_order_begins_in_the_middle() -> None:
    playthroughs.assert_order_keeps_moves(GAME, 3)
    moves = np.array([0, 1, 2, 3, 4, 5, 6])
    assert rules.order(played(GAME, ""), 0, moves, 7) == 7
    assert moves.tolist() == [3, 2, 4, 1, 5, 0, 6]


def test_is_drawn_with_columns() -> None:
    assert GAME.draw(played(GAME, "4 4 5")).split("\n")[-3:] == [
        ". . . o . . .",
        ". . . x x . .",
        "1 2 3 4 5 6 7",
    ]


def test_evaluation_is_fair() -> None:
    playthroughs.assert_evaluation_is_fair(GAME, 3)


def test_evaluation_grows_with_open_lines() -> None:
    one, two, three = (rules.heuristic(played(GAME, moves), 0) for moves in ("4", "4 1 5", "4 1 5 1 3"))
    assert 0.0 < one < two < three


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x", "6 rows of 7 letters"),
        ("......./......./......./......./x....../.......", "has an empty cell below it"),
        ("......./......./......./......./......./xx.....", "2 'x' and 0 'o'"),
        ("......./......./......./......./oooo.../xxxx...", "'x' is to move, but has already won"),
    ],
)
def test_bad_positions_are_rejected(text: str, complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        GAME.load(text)


def test_boards_that_do_not_fit_are_rejected() -> None:
    with pytest.raises(LudusError, match="too large"):
        ConnectFour(rows=12, columns=12)
    with pytest.raises(LudusError, match="does not fit"):
        ConnectFour(rows=4, columns=4, length=5)
