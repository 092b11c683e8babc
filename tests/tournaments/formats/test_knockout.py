from collections import Counter
from itertools import pairwise

import pytest

from ludus.tournaments.formats import format_from
from ludus.tournaments.formats.format import Match, Result
from ludus.tournaments.formats.knockout import bracket
from support.playing_formats import Outcome, always_tied, by_strength, matches_of, rounds_of, seat_counts, stronger_wins

SIZES = range(2, 18)


def meetings_by_round(rounds: list[list[Result]]) -> list[set[frozenset[int]]]:
    found: dict[int, set[frozenset[int]]] = {}
    for results in rounds:
        for result in results:
            found.setdefault(result.match.round, set()).add(frozenset(result.match.seats))
    return [found[turn] for turn in sorted(found)]


@pytest.mark.parametrize("agents", SIZES)
@pytest.mark.parametrize("text", ["knockout", "knockout:swap=yes", "knockout:seeding=random"])
def test_all_but_one_lose_a_meeting(agents: int, text: str) -> None:
    for seed in range(3):
        turns = meetings_by_round(rounds_of(text, agents, seed=seed, outcome=by_strength(agents, seed)))
        assert sum(map(len, turns)) == agents - 1
        assert len(turns) == (agents - 1).bit_length()
        for turn, later in pairwise(turns):
            there = {agent for meeting in turn for agent in meeting}
            assert all(len(meeting & set.union(set(), *later)) <= 1 for meeting in turn)
            assert len(there) == 2 * len(turn)


@pytest.mark.parametrize("agents", SIZES)
def test_without_upsets_the_best_meet_late(agents: int) -> None:
    turns = meetings_by_round(rounds_of("knockout", agents))
    assert turns[-1] == {frozenset({0, 1})}
    if agents >= 4:
        assert turns[-2] == {frozenset({0, 3}), frozenset({1, 2})}
    byes = 2 ** len(turns) - agents
    assert {agent for meeting in turns[0] for agent in meeting} == set(range(byes, agents))


def test_neighbours_of_the_bracket_add_up() -> None:
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]


@pytest.mark.parametrize("agents", SIZES)
def test_a_tie_is_replayed_with_swapped_seats_then_the_better_seed_goes_on(agents: int) -> None:
    rounds = rounds_of("knockout", agents, outcome=always_tied)
    assert meetings_by_round(rounds) == meetings_by_round(rounds_of("knockout", agents, outcome=stronger_wins))
    for first, again in zip(rounds[::2], rounds[1::2], strict=True):
        assert [result.match.seats for result in again] == [result.match.seats[::-1] for result in first]
        assert [result.match.round for result in again] == [result.match.round for result in first]


def test_a_replay_decides() -> None:
    seen: Counter[frozenset[int]] = Counter()

    def tie_then_the_weaker(match: Match) -> tuple[float, float]:
        seen[frozenset(match.seats)] += 1
        if seen[frozenset(match.seats)] == 1:
            return 0.5, 0.5
        return (0.0, 1.0) if match.seats[0] < match.seats[1] else (1.0, 0.0)

    assert meetings_by_round(rounds_of("knockout", 4, outcome=tie_then_the_weaker))[-1] == {frozenset({2, 3})}
    assert set(seen.values()) == {2}


def test_only_ties_are_replayed() -> None:
    def last_agent_ties(match: Match) -> tuple[float, ...]:
        return always_tied(match) if 7 in match.seats else stronger_wins(match)

    rounds = rounds_of("knockout", 8, outcome=last_agent_ties)
    assert [len(results) for results in rounds] == [4, 1, 2, 1]


def test_swapped_meetings_are_judged_together() -> None:
    def first_move_wins(match: Match) -> tuple[float, float]:
        return 1.0, 0.0

    rounds = rounds_of("knockout:swap=yes", 8, outcome=first_move_wins)
    assert [len(results) for results in rounds] == [8, 4, 2]
    assert {agent for result in rounds[-1] for agent in result.match.seats} == {0, 1}


def test_the_first_move_of_a_replay_counts() -> None:
    for seed in range(40):
        last = rounds_of("knockout", 4, seed=seed, outcome=tie_of_0_and_3())[-1][0].match.seats
        matches = matches_of("knockout", 4, seed=seed, outcome=tie_of_0_and_3())[:-1]
        opened = Counter(match.seats[0] for match in matches)
        assert opened[last[0]] <= opened[last[1]]


def tie_of_0_and_3() -> Outcome:
    """Agents 0 and 3 tie at first, then 3 wins; 2 beats 1."""
    seen: Counter[frozenset[int]] = Counter()

    def outcome(match: Match) -> tuple[float, ...]:
        pair = frozenset(match.seats)
        seen[pair] += 1
        if pair == {0, 3} and seen[pair] == 1:
            return always_tied(match)
        return tuple(float(agent == max(match.seats)) for agent in match.seats)

    return outcome


def test_the_first_move_is_shared_along_the_way() -> None:
    for seed in range(10):
        counts = seat_counts(matches_of("knockout", 16, seed=seed))
        assert abs(counts[0, 0] - counts[0, 1]) <= 2
    assert len({matches_of("knockout", 2, seed=seed)[0].seats for seed in range(10)}) == 2


def test_seeds_may_be_drawn() -> None:
    finals = [meetings_by_round(rounds_of("knockout:seeding=random", 8, seed=seed))[-1] for seed in range(10)]
    assert len(set(map(frozenset, finals))) > 1
    assert all(0 in meeting for final in finals for meeting in final)


def all_of(rounds: list[list[Result]]) -> list[Result]:
    return [result for results in rounds for result in results]


@pytest.mark.parametrize("agents", SIZES)
def test_places_follow_from_the_round_reached(agents: int) -> None:
    format = format_from("knockout")
    pairings = format.pairings(agents, 0, all_of(rounds_of("knockout", agents)))
    places = format.tallied(agents, pairings)["place"]
    # Without upsets, seed k (from 0) loses when the field has been halved down to twice 2 ** (bits of k − 1).
    assert places == [1, *(2 ** (k.bit_length() - 1) + 1 for k in range(1, agents))]
    assert pairings[-1].winner == 0
    assert format.round_name(agents, pairings[-1].round) == "final"


def test_pairings_are_the_bracket_from_top_to_bottom() -> None:
    format = format_from("knockout")
    pairings = format.pairings(5, 0, all_of(rounds_of("knockout", 5)))
    assert [pairing.agents for pairing in pairings] == [(0,), (3, 4), (1,), (2,), (0, 3), (1, 2), (0, 1)]
    assert [format.round_name(5, round) for round in range(3)] == ["quarter-finals", "semi-finals", "final"]


def test_of_a_tie_the_better_seed_wins_the_pairing() -> None:
    format = format_from("knockout")
    final = format.pairings(2, 0, all_of(rounds_of("knockout", 2, outcome=always_tied)))[-1]
    assert (final.points, final.winner) == ((1.0, 1.0), 0)


def test_the_last_round_is_open_until_it_has_ended() -> None:
    format = format_from("knockout")
    results = all_of(rounds_of("knockout", 4)[:-1])
    pairings = format.pairings(4, 0, results, ended=False)
    assert [pairing.gained for pairing in pairings] == [(), ()]
    assert format.tallied(4, pairings)["place"] == [3, 3, 3, 3]
