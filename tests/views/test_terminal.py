from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from rich.style import Style
from rich.text import Text

from ludus.core.registry import classes
from ludus.games.game import Game, game_from
from ludus.kernel.rules import duplicate, play
from ludus.views.boards.colours import BLACK_AND_WHITE, PLAYERS, WOOD, on_ramp
from ludus.views.boards.painter import Layer
from ludus.views.boards.painters import painter_for
from ludus.views.terminal import coloured
from support.installed_games import needs
from support.seer import episode_of, record_of
from support.takeaway import write_game

MARK = "#f6dc9a"


def grounds(text: Text) -> list[list[str | None]]:
    """The colour behind each letter, line by line."""
    console = Console(color_system="truecolor", force_terminal=True, width=200)
    rows: list[list[str | None]] = [[]]
    for segment in console.render(text):
        for letter in segment.text:
            if letter == "\n":
                rows.append([])
                continue
            colour = (segment.style or Style()).bgcolor
            rows[-1].append(colour.get_truecolor().hex if colour is not None else None)
    return rows[:-1]  # a text ends its last line


def drawn(spec: str, position: str, *moves: str) -> list[list[str | None]]:
    """The colours behind a position to which the moves led, one mover each."""
    game = game_from(spec)
    state, before = game.load(position), None
    for move in moves:
        before = duplicate(state)
        play(state, np.array([game.parse(state, game.movers(state)[0], move)]))
    return grounds(coloured(game, state, before))


@pytest.mark.parametrize("name", [name for name in classes(Game) if name != "openspiel"])
def test_letters_are_those_that_the_game_draws(name: str) -> None:
    episode = episode_of(record_of(name, *["random"] * (1 if name == "2048" else 2)))
    for moment in episode.moments[:20]:
        text = coloured(episode.game, moment.state, moment.before)
        plain = [line.rstrip() for line in text.plain.split("\n")]
        assert plain == [line.rstrip() for line in episode.game.draw(moment.state).split("\n")]


def test_pieces_have_the_colours_of_pictures() -> None:
    board = drawn("connect-four", "/".join(["......."] * 5 + ["x.....o"]))
    assert (board[5][0], board[5][12]) == PLAYERS[:2]
    assert board[5][2] is None
    assert board[6] == [None] * len(board[6])


def test_black_and_white_stones_lie_on_the_board_of_pictures() -> None:
    board = drawn("gomoku:size=5", "x..../.o.../...../...../.....")
    assert (board[1][2], board[2][4]) == BLACK_AND_WHITE
    assert board[3][2:11] == [WOOD] * 9


def test_a_new_piece_is_wider_than_others() -> None:
    board = drawn("tic-tac-toe", ".../.../...", "b2", "c3")
    assert board[2][3:6] == [None, PLAYERS[0], None]
    assert board[3][5:8] == [PLAYERS[1]] * 3


def test_of_stones_that_change_sides_only_the_new_one_is_marked() -> None:
    board = drawn("othello", "......../......../......../...ox.../...xo.../......../......../........ x", "d3")
    black = BLACK_AND_WHITE[0]
    assert board[3][7:10] == [black] * 3
    assert (board[4][7] != black, board[4][8], board[4][9] != black) == (True, black, True)


def test_in_chess_the_square_that_was_left_is_marked_and_so_is_a_capture() -> None:
    board = drawn("chess", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5")
    assert board[3][8:11] == [painter_for(game_from("chess")).colours[0]] * 3
    assert board[4][10:13] == [MARK] * 3
    assert board[9] == [None] * len(board[9])


@pytest.mark.parametrize(
    ("spec", "position", "move", "line", "columns"),
    [
        ("nim", "1-3-5-7/1", "3-2", 2, range(10, 14)),
        ("take-away", "7/0", "3", 0, range(4, 7)),
    ],
)
def test_where_nobody_owns_pieces_what_was_taken_is_marked(
    tmp_path: Path, spec: str, position: str, move: str, line: int, columns: range
) -> None:
    if spec == "take-away":
        spec = str(write_game(tmp_path))
    board = drawn(spec, position, move)
    assert [column for column, colour in enumerate(board[line]) if colour == MARK][-2:] == list(columns)[-2:]
    assert board[line][columns[0] - 2] is None


def test_a_tile_that_chance_brings_is_marked() -> None:
    episode = episode_of(record_of("2048", "random"))
    moment = next(m for m in episode.moments[3:] if m.step[0].seat < 0)
    board = grounds(coloured(episode.game, moment.state, moment.before))
    assert sum(colour == MARK for row in board for colour in row) == 1


@needs("speed")
def test_named_players_and_their_heads_have_their_colours() -> None:
    episode = episode_of(record_of("speed:players=3,width=20,height=12", *["random"] * 3))
    state = episode.moments[0].state
    board = grounds(coloured(episode.game, state))
    for seat, (x, y, *_) in enumerate(state.players.tolist()):
        assert board[y][x] == PLAYERS[seat]
        assert board[13 + seat][:8] == [PLAYERS[seat]] * 8


def test_a_layer_lies_below_the_pieces() -> None:
    game = game_from("tic-tac-toe")
    values = np.zeros((3, 3))
    values[0, 0] = values[2, 2] = 0.5
    board = grounds(coloured(game, game.load("x../.../..."), layer=Layer("heat", values, 0)))
    assert (board[1][2], board[3][6]) == (PLAYERS[0], on_ramp(0.5))
    assert grounds(coloured(game, game.load("x../.../..."), layer=Layer("heat", np.zeros((9, 9)), 0)))[3][6] is None


@pytest.mark.parametrize(("line", "letters"), [("box of x", 0), ("x o x", 3), ("xo.", 2), ("2x 1o", 0), ("|x|o| |", 2)])
def test_letters_in_words_are_no_pieces(tmp_path: Path, line: str, letters: int) -> None:
    game = game_from(str(write_game(tmp_path, ('return "|" * int(state.heap[LEFT])', f"return {line!r}"))))
    [board] = grounds(coloured(game, game.load("3/0")))
    assert sum(colour in PLAYERS for colour in board) == letters
