from collections import Counter

import pytest

from ludus.tournaments.formats import format_from
from ludus.tournaments.formats.format import Match
from support.playing_formats import always_tied, by_strength, matches_of, meetings, rounds_of, seat_counts


@pytest.mark.parametrize("agents", [*range(2, 14), 16, 17])
def test_nobody_meets_the_same_opponent_twice_and_the_seats_are_shared(agents: int) -> None:
    for seed in range(3):
        rounds = rounds_of("swiss", agents, seed=seed, outcome=by_strength(agents, seed))
        matches = [result.match for results in rounds for result in results]
        assert set(meetings(matches).values()) == {1}
        assert [len(results) for results in rounds] == [agents // 2] * len(rounds)
        seats = seat_counts(matches)
        assert all(abs(seats[agent, 0] - seats[agent, 1]) <= 2 for agent in range(agents))


@pytest.mark.parametrize(("agents", "rounds"), [(2, 1), (4, 2), (6, 3), (8, 4), (13, 6), (17, 7), (64, 8)])
def test_without_a_number_there_are_enough_rounds(agents: int, rounds: int) -> None:
    assert format_from("swiss").most_matches(agents, 2) == rounds * (agents // 2)


def test_agents_with_equal_scores_meet() -> None:
    scores = [0.0] * 16
    for turn, results in enumerate(rounds_of("swiss:rounds=4", 16)):
        for (_, (first, second)), _ in results:
            # Sixteen agents and no upsets: score groups are even until the last round.
            assert scores[first] == scores[second] or turn == 3
        for (_, seats), points in results:
            for agent, gained in zip(seats, points, strict=True):
                scores[agent] += gained
    assert scores[0] == 4
    assert Counter(scores) == {4: 1, 3: 4, 2: 6, 1: 4, 0: 1}


def test_strong_agents_end_on_top() -> None:
    scores: Counter[int] = Counter()
    for results in rounds_of("swiss:swap=yes", 16, outcome=by_strength(16, seed=4, episodes=20)):
        for (_, seats), points in results:
            scores.update(dict(zip(seats, points, strict=True)))
    ranking = sorted(range(16), key=lambda agent: -scores[agent])
    assert ranking[0] < 3
    assert sum(ranking[:8]) < sum(ranking[8:])


def test_in_an_odd_field_nobody_sits_out_twice() -> None:
    rounds = rounds_of("swiss", 9, outcome=by_strength(9, seed=1))
    idle = [set(range(9)) - {agent for result in results for agent in result.match.seats} for results in rounds]
    assert all(len(agents) == 1 for agents in idle)
    assert len(set.union(*idle)) == len(idle)


def test_swapped_meetings_are_judged_together() -> None:
    def first_move_wins_but_agent_0_holds(match: Match) -> tuple[float, float]:
        return (0.5, 0.5) if match.seats[1] == 0 else (1.0, 0.0)

    rounds = rounds_of("swiss:rounds=3,swap=yes", 8, outcome=first_move_wins_but_agent_0_holds)
    for results in rounds:
        seatings = [result.match.seats for result in results]
        assert sorted(seatings) == sorted(seats[::-1] for seats in seatings)
    # Agent 0 alone ever wins, so it is paired first in the following rounds; all others tie.
    assert all(0 in results[0].match.seats for results in rounds[1:])


def test_more_rounds_than_half_the_field_pair_whom_they_can() -> None:
    for seed in range(5):
        matches = matches_of("swiss:rounds=5", 6, seed=seed, outcome=by_strength(6, seed))
        assert set(meetings(matches).values()) == {1}
    assert matches_of("swiss:rounds=3", 4, outcome=always_tied)


def test_the_field_decides_the_first_round_unless_lots_are_drawn() -> None:
    first = {frozenset(result.match.seats) for result in rounds_of("swiss", 8, seed=5)[0]}
    assert first == {frozenset({seed, seed + 4}) for seed in range(4)}
    drawn = {
        frozenset(frozenset(result.match.seats) for result in rounds_of("swiss:seeding=random", 8, seed=seed)[0])
        for seed in range(10)
    }
    assert len(drawn) > 5


def test_too_many_rounds_or_agents_are_refused() -> None:
    assert (
        format_from("swiss:rounds=6").unsuited(6, 2) == "has at most 5 rounds for 6 agents, because no pair meets twice"
    )
    assert format_from("swiss:rounds=5").unsuited(5, 2) is None
    assert "takes too long to pair more than 200 agents" in (format_from("swiss").unsuited(201, 2) or "")


def test_points_buchholz_and_byes_follow_from_the_pairings() -> None:
    format = format_from("swiss")
    results = [result for results in rounds_of("swiss", 3) for result in results]
    pairings = format.pairings(3, 0, results)
    assert sorted(len(pairing.agents) for pairing in pairings) == [1, 1, 1, 2, 2, 2]
    # All meet, and each has one bye: 2, 1 and 0 wins.
    assert format.tallied(3, pairings) == {"points": [3.0, 2.0, 1.0], "buchholz": [3.0, 4.0, 5.0], "byes": [1.0] * 3}


@pytest.mark.parametrize("agents", [6, 9])
@pytest.mark.parametrize("text", ["swiss", "swiss:swap=yes"])
def test_every_agent_is_in_every_round(text: str, agents: int) -> None:
    outcome = by_strength(agents, 1, episodes=3)
    results = [result for results in rounds_of(text, agents, outcome=outcome) for result in results]
    pairings = format_from(text).pairings(agents, 0, results)
    for turn in range(max(pairing.round for pairing in pairings) + 1):
        there = [agent for pairing in pairings if pairing.round == turn for agent in pairing.agents]
        assert sorted(there) == list(range(agents))
    points = format_from(text).tallied(agents, pairings)["points"]
    assert sum(points) == sum(sum(pairing.gained) for pairing in pairings)


def test_a_pairing_is_worth_one_point_whatever_its_episodes() -> None:
    outcome = by_strength(4, 2, episodes=7)
    results = [result for results in rounds_of("swiss", 4, outcome=outcome) for result in results]
    for pairing in format_from("swiss").pairings(4, 0, results):
        assert sum(pairing.points) == 7
        assert sum(pairing.gained) == 1
