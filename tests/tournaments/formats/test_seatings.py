from collections import Counter
from itertools import combinations, permutations

import pytest

from ludus.tournaments.formats import format_from
from ludus.tournaments.formats.format import Match
from support.playing_formats import matches_of, meetings, seat_counts

FIELDS = [(agents, seats) for seats in (2, 3, 4, 5, 6, 8) for agents in (seats, seats + 1, seats + 2, 9, 12, 13, 17)]
FIELDS = sorted({(agents, seats) for agents, seats in FIELDS if agents >= seats})


def pair_counts(agents: int, matches: list[Match]) -> list[int]:
    counts = meetings(matches)
    return [counts[pair] for pair in combinations(range(agents), 2)]


@pytest.mark.parametrize(("agents", "seats"), FIELDS)
def test_everybody_has_each_seat_equally_often_and_meets_everybody(agents: int, seats: int) -> None:
    matches = matches_of("seatings", agents, seats)
    assert len(matches) == agents * (agents - 1)
    assert all(len(set(match.seats)) == seats for match in matches)
    counts = seat_counts(matches)
    assert all(counts[agent, seat] == agents - 1 for agent in range(agents) for seat in range(seats))
    pairs = pair_counts(agents, matches)
    assert min(pairs) > 0
    assert max(pairs) - min(pairs) <= 2


@pytest.mark.parametrize(("agents", "seats"), FIELDS)
def test_a_round_seats_everybody_once_on_each_seat_and_pairs_stay_even(agents: int, seats: int) -> None:
    matches = matches_of("seatings", agents, seats)
    for rounds in range(1, agents):
        begun = matches[: rounds * agents]
        assert begun[-1].round == rounds - 1
        counts = seat_counts(begun)
        assert all(counts[agent, seat] == rounds for agent in range(agents) for seat in range(seats))
        pairs = pair_counts(agents, begun)
        assert max(pairs) - min(pairs) <= 3


@pytest.mark.parametrize(("agents", "seats"), FIELDS)
def test_wherever_it_stops_all_have_played_about_equally_often(agents: int, seats: int) -> None:
    matches = matches_of("seatings", agents, seats)
    for count in range(1, min(len(matches), 3 * agents)):
        counts = seat_counts(matches[:count])
        for seat in range(seats):
            times = [counts[agent, seat] for agent in range(agents)]
            assert max(times) - min(times) <= 1
        played = [sum(counts[agent, seat] for seat in range(seats)) for agent in range(agents)]
        assert max(played) - min(played) <= 3


@pytest.mark.parametrize("agents", [2, 3, 6, 9, 17])
def test_with_two_seats_it_is_a_double_round_robin(agents: int) -> None:
    assert Counter(match.seats for match in matches_of("seatings", agents)) == Counter(
        match.seats for match in matches_of("double-round-robin", agents)
    )


def test_as_many_agents_as_seats_take_all_orders_in_the_end() -> None:
    assert {match.seats for match in matches_of("seatings:matches=6", 3, 3)} == set(permutations(range(3)))


def test_a_plane_of_thirteen_needs_thirteen_matches() -> None:
    assert format_from("seatings:matches=13").unsuited(13, 4) is None
    assert set(pair_counts(13, matches_of("seatings:matches=13", 13, 4))) == {1}
    assert (
        format_from("seatings:matches=12").unsuited(13, 4)
        == "needs 13 matches for all 13 agents to meet at 4 seats: use at least that many"
    )


def test_fewest_matches_let_everybody_meet_and_one_fewer_does_not() -> None:
    for agents, seats in [(7, 3), (17, 4), (12, 5), (20, 6)]:
        reason = format_from("seatings:matches=1").unsuited(agents, seats)
        assert reason
        enough = int(reason.split()[1])
        assert min(pair_counts(agents, matches_of(f"seatings:matches={enough}", agents, seats))) == 1
        assert min(pair_counts(agents, matches_of(f"seatings:matches={enough - 1}", agents, seats))) == 0


def test_a_large_field_is_seated_within_the_matches_given() -> None:
    matches = matches_of("seatings:matches=1500", 100, 6)
    pairs = pair_counts(100, matches)
    assert min(pairs) > 0
    assert max(pairs) <= 8  # 4.5 on average
    assert set(seat_counts(matches).values()) == {15}


def test_too_few_agents_are_refused() -> None:
    chosen = format_from("seatings")
    assert chosen.unsuited(3, 4) == "needs an agent for each of the 4 seats, but there are only 3"
    assert chosen.unsuited(3, 1) == "is for games of two players or more, but the game has one: use the format solo"
