import pytest

from ludus.games.game import Game, game_from
from ludus.games.notation import NotationError, Transcript


def transcripts(game: str, text: str) -> list[Transcript]:
    notation = type(game_from(game)).notation()
    assert notation is not None
    found = list(notation.read(text, ".sgf"))
    assert not [error for error in found if isinstance(error, NotationError)]
    return [transcript for transcript in found if isinstance(transcript, Transcript)]


def only(game: str, text: str) -> Transcript:
    [found] = transcripts(game, text)
    return found


@pytest.mark.parametrize(
    ("game", "properties", "moves"),
    [
        ("hex", "GM[11]SZ[5];B[A1];W[swap-pieces];B[e5]", [(0, "a1"), (1, "swap"), (0, "e5")]),
        ("hex", "GM[11]SZ[5];B[aa];W[ed]", [(0, "a1"), (1, "e4")]),
        ("gomoku", "GM[4];B[hh];W[ig]", [(0, "7-7"), (1, "8-6")]),
        ("othello", "GM[2]SZ[8];B[dc];W[c3];B[]", [(0, "d3"), (1, "c3"), (0, "pass")]),
    ],
)
def test_cells_are_called_as_each_game_has_it(game: str, properties: str, moves: list[tuple[int, str]]) -> None:
    assert only(game, f"(;FF[4]{properties})").moves == moves


def test_the_main_line_is_read_and_variations_are_not() -> None:
    text = "(;GM[11]SZ[3];B[a1](;W[b1];B[c1](;W[a2])(;W[b2]))(;W[c3]))"
    assert [move for _, move in only("hex", text).moves] == ["a1", "b1", "c1", "a2"]


def test_names_with_brackets_and_backslashes_come_back() -> None:
    game = game_from("hex:size=3")
    notation = type(game).notation()
    assert notation is not None
    names = ["a]b\\c", "two:  words (;B[a1])"]
    text = notation.write(game, Transcript(game=game.spec(), names=names, moves=[(0, "a1")]))
    found = only("hex", text)
    assert found.names == ["a]b\\c", "two: words (;B[a1])"]
    assert found.moves == [(0, "a1")]


@pytest.mark.parametrize(
    ("result", "scores", "ending"),
    [
        ("B+", (1.0, -1.0), ""),
        ("W+Resign", (-1.0, 1.0), "quit"),
        ("B+T", (1.0, -1.0), "late"),
        ("w+3", (-1.0, 1.0), ""),
        ("Draw", (0.0, 0.0), ""),
        ("0", (0.0, 0.0), ""),
        ("Void", None, "machine"),
        ("?", None, ""),
    ],
)
def test_results_are_read(result: str, scores: tuple[float, float] | None, ending: str) -> None:
    found = only("gomoku", f"(;GM[4]RE[{result}];B[aa])")
    assert (found.scores, found.ending) == (scores, ending)


def test_a_player_that_resigns_by_a_move_loses() -> None:
    found = only("hex", "(;GM[11];B[a1];W[resign])")
    assert (found.scores, found.ending, found.moves) == ((1.0, -1.0), "quit", [(0, "a1")])


def test_rectangles_of_stones_are_a_position() -> None:
    assert only("othello", "(;GM[2]SZ[4]AB[aa:ba][dd]AW[bb]PL[W])").position == "xx../.o../..../...x o"


def test_a_swap_says_that_the_game_allows_it() -> None:
    assert only("hex", "(;GM[11]SZ[5];B[a1];W[swap-pieces])").game == "hex:size=5,swap=yes"


def test_games_without_files_have_no_notation() -> None:
    assert Game.notation() is None
    assert type(game_from("nim")).notation() is None
