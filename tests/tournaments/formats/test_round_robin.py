from collections import Counter

import pytest

from ludus.tournaments.formats.round_robin import circle
from support.playing_formats import matches_of, meetings, seat_counts

SIZES = range(2, 33)


@pytest.mark.parametrize("agents", SIZES)
def test_nobody_plays_twice_in_a_round_and_few_sit_out(agents: int) -> None:
    rounds = circle(agents)
    assert len(rounds) == (agents - 1 if agents % 2 == 0 else agents)
    for pairs in rounds:
        assert len(pairs) == agents // 2
        assert len({agent for pair in pairs for agent in pair}) == 2 * len(pairs)


@pytest.mark.parametrize("agents", SIZES)
def test_everybody_meets_everybody_once_with_the_first_move_shared(agents: int) -> None:
    matches = matches_of("single-round-robin", agents)
    assert len(matches) == agents * (agents - 1) // 2
    assert set(meetings(matches).values()) == {1}
    seats = seat_counts(matches)
    for agent in range(agents):
        first, second = seats[agent, 0], seats[agent, 1]
        assert abs(first - second) <= (1 if agents % 2 == 0 else 0)


@pytest.mark.parametrize("agents", [5, 8])
def test_the_first_move_follows_the_distance_in_the_circle(agents: int) -> None:
    size = agents - 1 + agents % 2
    for _, (i, j) in matches_of("single-round-robin", agents):
        if size not in (i, j):
            assert (j - i) % size in range(1, (size - 1) // 2 + 1)
    last = [match.seats[0] == agents - 1 for match in matches_of("single-round-robin", agents) if size in match.seats]
    assert last == [turn % 2 == 1 for turn in range(len(last))]


@pytest.mark.parametrize("agents", SIZES)
def test_a_double_round_robin_holds_every_ordered_pair_once(agents: int) -> None:
    matches = matches_of("double-round-robin", agents)
    assert Counter(match.seats for match in matches) == Counter(
        (i, j) for i in range(agents) for j in range(agents) if i != j
    )
    assert set(seat_counts(matches).values()) == {agents - 1}
    for turn in {match.round for match in matches}:
        playing = [agent for match in matches if match.round == turn for agent in match.seats]
        assert len(playing) == len(set(playing))
