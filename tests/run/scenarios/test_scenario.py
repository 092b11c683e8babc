"""Conditions for success, on real episodes."""

import pytest

from ludus import LudusError
from ludus.episode.record import Fault
from ludus.games.game import game_from
from ludus.run.scenarios.scenario import Alive, Avoid, Best, Points, Result, default_opponent, wins_alone
from support.playing_scenarios import played

NEARLY_WON = "xx./oo./..."  # x to move wins with c1, and loses if it does not


def test_a_first_move_is_best_or_to_be_avoided() -> None:
    record = played("tic-tac-toe", ["alphabeta:depth=2", "random"], NEARLY_WON, plies=1)
    assert record.steps[0][0].move == "c1"
    assert Best(("c1", "a3")).is_met(record, 0)
    assert not Best(("a3",)).is_met(record, 0)
    assert Avoid(("a3",)).is_met(record, 0)
    assert not Avoid(("c1", "a3")).is_met(record, 0)


def test_a_move_that_was_not_its_own_is_no_success() -> None:
    record = played("tic-tac-toe", ["alphabeta:depth=2", "random"], NEARLY_WON, plies=1)
    record.steps[0][0].fault = Fault.LATE
    assert not Best(("c1",)).is_met(record, 0)
    assert not Avoid(("a3",)).is_met(record, 0)
    record.steps.clear()
    assert not Avoid(("a3",)).is_met(record, 0)


def test_moves_are_kept_as_the_game_writes_them_and_once() -> None:
    game = game_from("tic-tac-toe")
    assert Best(("C1", "c1")).checked(game, game.load(NEARLY_WON), 0) == Best(("c1",))


@pytest.mark.parametrize(
    ("success", "seat", "said"),
    [
        (Best(("z9",)), 0, "'z9' is not a legal move here"),
        (Best(("c1",)), 1, "seat 2 is not to move"),
        (Avoid(("c1", "c2", "a3", "b3", "c3")), 0, "'avoid' names every legal move"),
    ],
)
def test_what_cannot_be_decided_is_refused(success: Best, seat: int, said: str) -> None:
    game = game_from("tic-tac-toe")
    with pytest.raises(LudusError, match=said):
        success.checked(game, game.load(NEARLY_WON), seat)


def test_a_win_is_more_than_a_tie() -> None:
    record = played("tic-tac-toe", ["alphabeta:depth=9", "alphabeta:depth=9"])
    assert record.scores == [0, 0]
    assert Result("tie").is_met(record, 0)
    assert not Result("win").is_met(record, 0)
    record = played("tic-tac-toe", ["alphabeta:depth=1", "random"], NEARLY_WON)
    assert (Result("win").is_met(record, 0), Result("tie").is_met(record, 1)) == (True, False)


def test_one_player_has_points_and_no_result() -> None:
    game = game_from("2048")
    with pytest.raises(LudusError, match="one player"):
        Result("win").checked(game, game.load("2-2-0-0/0-0-0-0/0-0-0-0/0-0-0-0"), 0)
    record = played("2048", ["random"])
    assert Points(record.scores[0]).is_met(record, 0)
    assert not Points(record.scores[0] + 1).is_met(record, 0)


def test_nobody_can_get_more_points_than_there_are() -> None:
    game = game_from("tic-tac-toe")
    assert Points(1).checked(game, game.load(NEARLY_WON), 0) == Points(1)
    with pytest.raises(LudusError, match=r"5 points are impossible in tic-tac-toe"):
        Points(5).checked(game, game.load(NEARLY_WON), 0)


def test_games_with_turns_are_played_until_the_player_moves_again_or_the_end() -> None:
    game = game_from("tic-tac-toe")
    assert Alive(3).rounds(game) is None
    record = played("tic-tac-toe", ["alphabeta:depth=9", "alphabeta:depth=9"])
    assert len(record.steps) == 9
    assert [Alive(rounds).is_met(record, 0) for rounds in (7, 8, 9)] == [True, True, False]
    assert [Alive(rounds).is_met(record, 1) for rounds in (7, 8, 9)] == [True, False, False]


def test_a_single_player_is_alive_as_long_as_it_can_move() -> None:
    record = played("2048", ["random"], plies=None)
    moves = sum(move.seat == 0 for step in record.steps for move in step)
    assert Alive(moves - 1).is_met(record, 0)
    assert not Alive(moves).is_met(record, 0)


def test_a_shared_first_place_is_no_win() -> None:
    assert wins_alone([0.5, -1.0, 0.5], 1) is False
    assert wins_alone([0.5, -1.0, 0.5], 0) is False
    assert wins_alone([1.0, -1.0, 0.0], 0) is True


def test_others_play_at_random() -> None:
    assert default_opponent(game_from("hex")).spec == "random"
