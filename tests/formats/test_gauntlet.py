from formats.playing import matches_of
from ludus.formats import format_from


def test_one_meets_all_others_from_both_seats() -> None:
    seats = [match.seats for match in matches_of("gauntlet:agent=3", 5)]
    assert seats == [(2, 0), (0, 2), (2, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 2)]


def test_with_one_match_a_meeting_the_first_move_alternates() -> None:
    seats = [match.seats for match in matches_of("gauntlet:swap=no", 5)]
    assert seats == [(0, 1), (2, 0), (0, 3), (4, 0)]


def test_an_agent_that_is_not_there_is_refused() -> None:
    assert format_from("gauntlet:agent=6").unsuited(5, 2) == "lets agent 6 run it, and there are only 5 agents"
