"""Features inherited by every game: facts, lists of movers and moves, parsing of moves, weights."""

from pathlib import Path

import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.games.connect_four import ConnectFour
from ludus.games.game import Facts, Game, game_from
from ludus.kernel import rules
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import CHANCE, State
from support.takeaway import write_game


class Bare(Game):
    """A game that says nothing of itself but its start."""

    name = "bare"

    def start(self, rng: Rng) -> State:
        return game_from("nim").start(rng)


def test_facts_are_gathered_from_class_and_rules() -> None:
    assert game_from("goofspiel:players=3,cards=5").facts() == Facts(
        players=3,
        chance=True,
        simultaneous=True,
        hidden=False,
        most_moves=5,
        most_outcomes=5,
        lowest_score=-1.0,
        highest_score=1.0,
    )
    assert not game_from("goofspiel").facts().deterministic
    assert game_from("nim").facts().deterministic


def test_seats_are_the_parameter_or_the_least() -> None:
    assert game_from("nim:players=5").seats == 5
    assert game_from("connect-four").seats == 2
    assert game_from("2048").seats == 1


def test_moves_movers_and_scores_are_plain_lists() -> None:
    game = game_from("goofspiel:players=3,cards=2")
    state = game.start(new_rng(0))
    assert (game.movers(state), game.moves(state, CHANCE)) == ([CHANCE], [0, 1])
    rules.play(state, np.array([0]))
    assert (game.movers(state), game.moves(state, 2)) == ([0, 1, 2], [1, 2])
    rules.play(state, np.array([1, 2, 1]))
    rules.play(state, np.array([0]))
    rules.play(state, np.array([2, 1, 2]))
    assert game.scores(state) == [-0.5, 1.0, -0.5]
    assert all(type(score) is float for score in game.scores(state))


def test_move_is_read_whatever_its_case_and_blanks() -> None:
    game = game_from("2048")
    state = game.load("0-2-0-0/0-0-0-0/0-0-4-0/0-0-0-0")
    assert game.parse(state, 0, " Up\n") == game.parse(state, 0, "up")


def test_move_that_is_not_legal_is_one_sentence_with_examples() -> None:
    game = game_from("connect-four")
    with pytest.raises(LudusError) as error:
        game.parse(game.start(new_rng(0)), 0, "9")
    assert str(error.value) == "'9' is not a legal move here: write a move like 1, 2, 3."


def test_bare_game_writes_moves_as_numbers_and_has_no_positions() -> None:
    game = Bare()
    state = game.start(new_rng(0))
    assert game.format(state, 0, 7) == "7"
    assert game.parse(state, 0, "7") == 7
    with pytest.raises(LudusError, match="Positions of bare have no text form"):
        game.save(state)
    with pytest.raises(LudusError, match="Positions of bare have no text form"):
        game.load("anything")


def test_weights_are_laid_over_the_defaults_for_one_view_only() -> None:
    game = game_from("2048")
    state = game.start(new_rng(0))
    weighed = game.weigh(state, {"pair": 7.0})
    assert weighed.weights.tolist() == [20_000.0, 40.0, 7.0, 4.0]
    assert state.weights.tolist() == game.default_weights().tolist() == [20_000.0, 40.0, 50.0, 4.0]
    assert weighed.board is state.board
    assert Bare().weigh(state, {}) is state


def test_spec_sets_parameters() -> None:
    game = game_from("connect-four:rows=5,columns=6")
    assert isinstance(game, ConnectFour)
    assert (game.rows, game.columns, game.length) == (5, 6, 4)
    assert game.spec() == "connect-four:rows=5,columns=6"


@pytest.mark.parametrize(
    ("spec", "answer"),
    [
        ("connect-four:rows=many", "rows=many is not a whole number from 2 to 12"),
        ("connect-four:rows=1", "rows=1 is not a whole number from 2 to 12"),
        ("connect-four:colums=7", "has no parameter 'colums' (did you mean 'columns'"),
        ("connect-four:rows=5,rows=6", "'rows' twice"),
        ("connect-four:big", "'big' is not of the form key=value"),
        ("connect-four:rows=9,columns=9", "is too large"),
        (":rows=5", "has no name"),
    ],
)
def test_wrong_parameter_is_one_sentence(spec: str, answer: str) -> None:
    with pytest.raises(LudusError) as error:
        game_from(spec)
    assert answer in str(error.value)


def test_players_left_open_take_the_number_at_the_table(tmp_path: Path) -> None:
    changes = ('name = "take-away"', 'name = "take-away"\n    most_players = 4\n    players: int = param(2, "seats")')
    file = write_game(tmp_path, changes)
    assert game_from(str(file), players=3).seats == 3
    assert game_from(str(file), players=9).seats == 4
    assert game_from(f"{file}:players=2", players=3).seats == 2
