"""ReversiXT as a game: notation, positions, drawing."""

import numpy as np
import pytest

from ludus import rules
from ludus.errors import LudusError
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import Map
from ludus.games.reversixt.rules import OUT
from ludus.rng import new_rng

SMALL = Map(3, 1, 2, 1, ("b21x", "-330", "0000"))


@pytest.fixture
def game() -> ReversiXT:
    return ReversiXT(map=SMALL.packed())


def test_a_position_is_saved_and_loaded(game: ReversiXT) -> None:
    state = game.start(new_rng(0))
    rules.play(state, np.array([game.parse(state, 0, "0,0,bomb")]))
    rules.play(state, np.array([OUT]))
    text = game.save(state)
    assert text == "111x/-330/0000 t 3 1,3 1,2,out 1,2"
    assert game.save(game.load(text)) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "a position begins with 3 rows of 4 fields as in the map"),
        ("b21x/-330 t 1 1,2 1,2 1,2", "a position begins with 3 rows of 4 fields as in the map"),
        ("b21x/-430/0000 t 1 1,2 1,2 1,2", "a position begins with 3 rows of 4 fields as in the map"),
        ("b21x/0330/0000 t 1 1,2 1,2 1,2", "0,1 is a hole of the map, but '0' in the position"),
        ("b21x/-330/0000 t 1 1,2 1,2", "a position has 't', or 'b' for bombs, the number"),
        ("b21x/-330/0000 m 1 1,2 1,2 1,2", "a position has 't', or 'b' for bombs, the number"),
        ("b21x/-330/0000 t 1 1,2 1,2 1", "'1' is no player of a position"),
        ("b21x/-330/0000 t 1 1,2 1,2 1,2,gone", "'1,2,gone' is no player of a position"),
        ("b21x/-330/0000 t 5 1,2 1,2 1,2", "'t 5' names a player that cannot move"),
        ("b21x/-330/0000 t 1 1,2,out 1,2 1,2", "'t 1' names a player that cannot move"),
    ],
)
def test_what_is_wrong_with_a_position_is_told(game: ReversiXT, text: str, told: str) -> None:
    with pytest.raises(LudusError, match=told):
        game.load(text)


@pytest.mark.parametrize("text", ["", "1", "1,2,3,4", "9,9", "0,1", "0,0,99", "0,0,bombs", "x,y", "-1,0"])
def test_what_is_no_move_is_told_with_examples(game: ReversiXT, text: str) -> None:
    with pytest.raises(LudusError, match="is no legal move here: write a move like 0,0,bomb"):
        game.parse(game.start(new_rng(0)), 0, text)


def test_a_drawing_shows_the_board_and_what_players_have(game: ReversiXT) -> None:
    state = game.start(new_rng(0))
    rules.play(state, np.array([OUT]))
    assert game.draw(state).splitlines() == [
        "  0123",
        "0 b21x",
        "1  33.",
        "2 ....",
        "player 1: 1 stone, 1 override stone, 2 bombs, disqualified",
        "player 2: 1 stone, 1 override stone, 2 bombs",
        "player 3: 2 stones, 1 override stone, 2 bombs",
    ]
