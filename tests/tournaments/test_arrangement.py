from collections import Counter

import pytest

from ludus.tournaments.arrangement import arranged, most_matches
from ludus.tournaments.formats import Match, format_from
from ludus.tournaments.tournament import Entrant, Tournament
from support.playing_formats import matches_of, meetings, seat_counts

GROWING = [
    ("single-round-robin", 2),
    ("double-round-robin", 2),
    ("gauntlet:agent=2", 2),
    ("gauntlet:agent=1,runners=2,swap=no", 2),
    ("gauntlet", 4),
    ("seatings", 3),
    ("solo", 1),
]


def cup(text: str, agents: int, founders: int | None = None) -> Tournament:
    field = tuple(Entrant(f"agent {number}", "random") for number in range(agents))
    return Tournament(name="Cup", game="any", agents=field, format=text, founders=founders)


def matches(text: str, seats: int, agents: int, founders: int | None = None) -> list[Match]:
    return [m for round in arranged(cup(text, agents, founders), format_from(text), seats, 0) for m in round]


@pytest.mark.parametrize(("text", "seats"), GROWING)
@pytest.mark.parametrize("founders", [5, 6])
def test_old_matches_keep_their_numbers_and_new_ones_follow(text: str, seats: int, founders: int) -> None:
    old = matches_of(text, founders, seats, seed=cup(text, founders).format_seed(0))
    grown = matches(text, seats, founders + 3, founders)
    assert grown[: len(old)] == old
    assert all(max(match.seats) >= founders for match in grown[len(old) :]), "only newcomers have more to play"
    assert [match.round for match in grown] == sorted(match.round for match in grown)
    assert most_matches(cup(text, founders + 3, founders), format_from(text), seats) == len(grown)


@pytest.mark.parametrize(("text", "seats"), [(text, seats) for text, seats in GROWING if seats < 3])
def test_everyone_meets_as_if_all_had_been_there_from_the_start(text: str, seats: int) -> None:
    for founders in (4, 5):
        assert meetings(matches(text, seats, 8, founders)) == meetings(matches_of(text, 8, seats))


@pytest.mark.parametrize("founders", range(2, 8))
def test_first_moves_of_a_grown_round_robin_are_even(founders: int) -> None:
    for agents in range(founders, 10):
        seats = seat_counts(matches("single-round-robin", 2, agents, founders))
        assert all(abs(seats[agent, 0] - seats[agent, 1]) <= 1 for agent in range(agents))
    grown = matches("double-round-robin", 2, 9, founders)
    assert {match.seats for match in grown} == {match.seats for match in matches_of("double-round-robin", 9)}


@pytest.mark.parametrize(("text", "seats"), [("seatings", 3), ("seatings", 4), ("gauntlet", 3), ("gauntlet", 4)])
def test_every_agent_has_each_seat_equally_often_among_several(text: str, seats: int) -> None:
    grown = matches(text, seats, 8, 5)
    counts = seat_counts(grown)
    assert all(len({counts[agent, seat] for seat in range(seats)}) == 1 for agent in range(8))
    met = meetings(grown)
    others = range(7) if text == "seatings" else [0]
    assert {met[other, 7] for other in others} == {seats * (seats - 1)}


def test_a_gauntlet_that_just_filled_its_seats_grows_into_the_usual_one() -> None:
    grown = matches("gauntlet", 4, 5, 4)
    assert Counter(frozenset(match.seats) for match in grown) == Counter(
        frozenset(match.seats) for match in matches_of("gauntlet", 5, 4)
    )
