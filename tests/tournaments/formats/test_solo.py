from ludus.tournaments.formats import format_from
from ludus.tournaments.formats.format import Match
from support.playing_formats import matches_of


def test_everybody_plays_alone() -> None:
    assert matches_of("solo", 3, seats=1) == [Match(0, (0,)), Match(0, (1,)), Match(0, (2,))]


def test_games_with_opponents_are_refused() -> None:
    assert format_from("solo").unsuited(3, 2) == "is for games of one player, but the game has 2"
    assert format_from("solo").unsuited(0, 1) == "needs at least one agent"
