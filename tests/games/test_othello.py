import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.games.othello import PASS, Othello
from ludus.kernel import rules
from support import playthroughs
from support.perft import perft
from support.playthroughs import played

GAME = Othello()
SMALL = Othello(size=4)


def test_plays_like_openspiel() -> None:
    playthroughs.assert_agrees_with_openspiel(GAME, "othello", 60)


def test_lines_of_play_are_as_many_as_published() -> None:
    published = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]
    assert [perft(GAME, depth) for depth in range(1, 10)] == published


def test_black_begins_on_the_standard_diagonal() -> None:
    state = played(GAME, "")
    assert GAME.save(state) == "......../......../......../...ox.../...xo.../......../......../........ x"
    assert [GAME.format(state, 0, move) for move in GAME.moves(state, 0)] == ["d3", "c4", "f5", "e6"]


def test_a_move_turns_all_enclosed_rows() -> None:
    state = SMALL.load("x..x/.oo./.oo./x.o. x")
    rules.play(state, np.array([SMALL.parse(state, 0, "d4")]))
    assert SMALL.save(state) == "x..x/.xo./.ox./x.ox o"


def test_rows_do_not_wrap_around_the_edges() -> None:
    state = GAME.load("......../......xo/o......./......../......../......../......../.......x x")
    assert GAME.moves(state, 0) == [PASS]


def test_who_cannot_enclose_passes() -> None:
    state = SMALL.load("xo../..../..../.... o")
    assert not rules.over(state)
    assert SMALL.moves(state, 1) == [PASS]
    assert SMALL.parse(state, 1, "pass") == PASS
    rules.play(state, np.array([PASS]))
    assert SMALL.save(state) == "xo../..../..../.... x"
    assert [SMALL.format(state, 0, move) for move in SMALL.moves(state, 0)] == ["c1"]


def test_passing_is_not_allowed_to_who_can_enclose() -> None:
    with pytest.raises(LudusError, match="not a legal move"):
        GAME.parse(played(GAME, ""), 0, "pass")


def test_it_ends_when_neither_side_can_move() -> None:
    state = SMALL.load("xo../..../..../.... x")
    rules.play(state, np.array([SMALL.parse(state, 0, "c1")]))
    assert rules.over(state)
    assert SMALL.scores(state) == [1.0, -1.0]


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ("xxoo/xxoo/xxoo/xxoo x", 0.0),
        ("xxoo/xxoo/xxoo/xooo x", -1.0),
        ("xxoo/xxoo/xxoo/xooo o", -1.0),
        ("xxoo/xxoo/xxoo/xxxo o", 1.0),
        ("x..o/..../..../.... o", 0.0),
    ],
)
def test_most_stones_win(position: str, expected: float) -> None:
    state = SMALL.load(position)
    assert rules.over(state)
    assert SMALL.scores(state) == [expected, -expected]


@pytest.mark.parametrize("size", [4, 6, 8])
def test_stones_never_leave_the_board(size: int) -> None:
    game = Othello(size=size)
    for state in playthroughs.positions(game, 20):
        mine, theirs, moves = (int(bits) for bits in state.board[:3])
        inside = int(state.squares[0])
        assert mine & theirs == 0
        assert (mine | theirs | moves) & ~inside == 0
        assert moves & (mine | theirs) == 0


def test_compiled_and_interpreted_agree() -> None:
    playthroughs.assert_compiled_and_interpreted_agree(GAME, 2)
    playthroughs.assert_compiled_and_interpreted_agree(SMALL, 4)


@pytest.mark.parametrize("size", [4, 6, 8])
def test_text_round_trips(size: int) -> None:
    playthroughs.assert_text_round_trips(Othello(size=size), 5)


def test_samples_evenly() -> None:
    playthroughs.assert_samples_evenly(GAME, played(GAME, "d3 c3 c4 e3"))


def test_is_drawn_with_coordinates() -> None:
    assert SMALL.draw(played(SMALL, "")) == "  a b c d\n1 . . . .\n2 . o x .\n3 . x o .\n4 . . . ."


def test_evaluation_is_fair() -> None:
    playthroughs.assert_evaluation_is_fair(GAME, 5)
    playthroughs.assert_evaluation_is_fair(SMALL, 5)


def test_evaluation_prizes_corners_and_shuns_the_squares_beside_them() -> None:
    def value(top: str) -> float:
        rest = "......../......../...ox.../...xo.../......../......../........ x"
        return rules.heuristic(GAME.load(f"{top}/{rest}"), 0)

    assert value("x.......") > value("..x.....") > value(".x......")


def test_evaluation_can_be_weighed() -> None:
    state = GAME.load("xo....../......../......../...ox.../...xo.../......../......../........ x")
    plain = rules.heuristic(state, 0)
    assert rules.heuristic(GAME.weigh(state, {"corner": 0.0}), 0) < plain


def test_order_begins_with_corners_and_ends_beside_them() -> None:
    playthroughs.assert_order_keeps_moves(GAME, 3)
    state = SMALL.load(".o.x/oo../..../xx.. x")
    moves = np.array([5, 1, 9, 0])
    assert rules.order(state, 0, moves, 4) == 4
    assert moves[0] == 0
    assert moves[-1] in (5, 9)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("..../..../..../....", "the player to move"),
        ("..../..../..../.... z", "the player to move"),
        ("..../..../.... x", "4 rows of 4 letters"),
        ("..../..../..../...q x", "4 rows of 4 letters"),
    ],
)
def test_bad_positions_are_rejected(text: str, complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        SMALL.load(text)


def test_odd_boards_are_rejected() -> None:
    with pytest.raises(LudusError, match="size=5"):
        Othello(size=5)
