import pytest

from ludus.core.errors import LudusError
from ludus.games.tic_tac_toe import TicTacToe
from ludus.kernel import rules
from support import playthroughs
from support.perft import episodes, perft
from support.playthroughs import played

GAME = TicTacToe()


def test_plays_like_openspiel() -> None:
    playthroughs.assert_agrees_with_openspiel(GAME, "tic_tac_toe", 100)


def test_there_are_255168_complete_episodes() -> None:
    assert episodes(GAME, 9) == 255_168


def test_lines_of_play_are_counted_until_the_first_win() -> None:
    assert [perft(GAME, depth) for depth in range(1, 7)] == [9, 72, 504, 3024, 15120, 54720]


@pytest.mark.parametrize("line", ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "c1 c2 c3", "a1 b2 c3", "c1 b2 a3"])
def test_three_in_a_row_win(line: str) -> None:
    first, second, third = line.split()
    squares = [x + y for x in "abc" for y in "123" if x + y not in line]
    state = played(GAME, f"{first} {squares[0]} {second} {squares[1]} {third}")
    assert rules.over(state)
    assert GAME.scores(state) == [1.0, -1.0]


def test_second_player_can_win() -> None:
    assert GAME.scores(played(GAME, "a1 b1 a2 b2 c3 b3")) == [-1.0, 1.0]


def test_a_full_board_is_a_draw() -> None:
    state = played(GAME, "a1 b2 c3 b1 b3 a3 c1 c2 a2")
    assert rules.over(state)
    assert GAME.scores(state) == [0.0, 0.0]


def test_compiled_and_interpreted_agree() -> None:
    playthroughs.assert_compiled_and_interpreted_agree(GAME, 10)


def test_text_round_trips() -> None:
    playthroughs.assert_text_round_trips(GAME, 10)


def test_samples_evenly() -> None:
    playthroughs.assert_samples_evenly(GAME, played(GAME, "b2 c1"))


def test_is_drawn_with_coordinates() -> None:
    assert GAME.draw(played(GAME, "b2 c1")) == "  a b c\n1 . . o\n2 . x .\n3 . . ."


def test_evaluation_is_fair() -> None:
    playthroughs.assert_evaluation_is_fair(GAME, 10)


def test_evaluation_grows_with_open_lines() -> None:
    def value(moves: str) -> float:
        return rules.heuristic(played(GAME, moves), 0)

    assert value("b1") < value("a1") < value("b2")
    assert value("b2 b1 a1") > value("b2 b1 b3") > 0.0


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("...", "3 rows of 3 letters"),
        (".../.../..z", "3 rows of 3 letters"),
        ("xx./.../...", "2 'x' and 0 'o'"),
        ("xxx/ooo/...", "'x' is to move, but already has three in a row"),
    ],
)
def test_bad_positions_are_rejected(text: str, complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        GAME.load(text)
