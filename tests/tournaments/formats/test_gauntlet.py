from collections import Counter

import pytest

from ludus.tournaments.formats import format_from
from support.playing_formats import matches_of, meetings, seat_counts
from support.sentences import missing


def test_one_meets_all_others_from_both_seats() -> None:
    seats = [match.seats for match in matches_of("gauntlet:agent=3", 5)]
    assert seats == [(2, 0), (0, 2), (2, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 2)]


def test_with_one_match_a_meeting_the_first_move_alternates() -> None:
    seats = [match.seats for match in matches_of("gauntlet:swap=no", 5)]
    assert seats == [(0, 1), (2, 0), (0, 3), (4, 0)]


def test_several_runners_meet_all_others_and_not_each_other() -> None:
    matches = matches_of("gauntlet:runners=3", 5)
    assert meetings(matches) == Counter({(runner, other): 2 for runner in range(3) for other in (3, 4)})
    assert all(match.seats[::-1] in [other.seats for other in matches] for match in matches)


def test_runners_may_stand_anywhere_in_the_field() -> None:
    assert {tuple(sorted(match.seats)) for match in matches_of("gauntlet:agent=2,runners=2", 4)} == {
        (0, 1),
        (0, 2),
        (1, 3),
        (2, 3),
    }


def test_others_who_just_fill_the_other_seats_sit_there_together() -> None:
    matches = matches_of("gauntlet:runners=2", 5, seats=4)
    assert [match.seats for match in matches[:4]] == [(0, 2, 3, 4), (4, 0, 2, 3), (3, 4, 0, 2), (2, 3, 4, 0)]
    assert len(matches) == 8


@pytest.mark.parametrize(("agents", "seats"), [(7, 3), (8, 4), (9, 6)])
def test_others_fill_the_seats_in_turn_and_all_sit_everywhere_equally_often(agents: int, seats: int) -> None:
    matches = matches_of("gauntlet:runners=2", agents, seats=seats)
    assert len(matches) == 2 * (agents - 2) * seats
    assert all(len(set(match.seats)) == seats and len({0, 1} & set(match.seats)) == 1 for match in matches)
    counts = seat_counts(matches)
    assert len({counts[runner, seat] for runner in (0, 1) for seat in range(seats)}) == 1
    assert len({counts[other, seat] for other in range(2, agents) for seat in range(seats)}) == 1


@pytest.mark.parametrize(
    ("text", "agents", "seats", "words"),
    [
        ("gauntlet:agent=6", 5, 2, "6 5 agents"),
        ("gauntlet:agent=4,runners=3", 5, 2, "6 5 agents"),
        ("gauntlet:runners=3", 3, 2, "3 agents seats"),
        ("gauntlet:runners=3", 4, 3, "3 4 agents seats"),
        ("gauntlet", 1, 2, "2 agents 1"),
        ("gauntlet", 5, 1, "solo"),
    ],
)
def test_a_field_that_does_not_fit_is_refused(text: str, agents: int, seats: int, words: str) -> None:
    assert missing(format_from(text).unsuited(agents, seats) or "", words) == []
