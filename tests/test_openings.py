import pytest

from ludus import LudusError
from ludus.catalog import game_from
from ludus.openings import random_opening
from ludus.record import Seat
from ludus.referee import Referee


def test_random_openings_are_as_long_as_asked_and_differ_by_seed() -> None:
    game = game_from("tic-tac-toe")
    openings = [random_opening(game, 3, seed) for seed in (1, 1, 2, 3)]
    assert all(len(opening.moves) == 3 for opening in openings)
    assert openings[0] == openings[1]
    assert len({str(opening.moves) for opening in openings}) > 1


def test_random_openings_that_end_the_game_are_drawn_again() -> None:
    # Six random plies have won tic-tac-toe in one case of seven.
    game = game_from("tic-tac-toe")
    for seed in range(40):
        referee = Referee(game, [Seat("test", "a"), Seat("test", "b")], opening=random_opening(game, 6, seed))
        referee.begin()
        assert [request.seat for request in referee.requests()] == [0]
    with pytest.raises(LudusError, match="always end tic-tac-toe"):
        random_opening(game, 9, 1)


def test_random_openings_hold_the_moves_of_all_players_and_of_chance() -> None:
    opening = random_opening(game_from("goofspiel:players=3,cards=4"), 2, seed=1)
    assert [len(texts) for texts in opening.moves] == [1, 3, 1, 3]
