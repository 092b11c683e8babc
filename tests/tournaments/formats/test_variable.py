from collections import Counter

import pytest

from ludus.tournaments.formats import format_from
from support.playing_formats import connected, matches_of, meetings, seat_counts

SIZES = [*range(2, 14), 17, 20]


@pytest.mark.parametrize("agents", SIZES)
def test_wherever_it_stops_it_is_balanced_and_connected(agents: int) -> None:
    everything = matches_of("variable:fraction=1", agents, seed=agents)
    for count in range(2 * (agents - 1), len(everything) + 1, 2):
        matches = everything[:count]
        assert connected(agents, matches)
        seats = seat_counts(matches)
        met = [seats[agent, 0] for agent in range(agents)]
        assert met == [seats[agent, 1] for agent in range(agents)]
        assert max(met) - min(met) <= 1 + agents % 2
        assert set(meetings(matches).values()) == {2}


@pytest.mark.parametrize("agents", SIZES)
def test_a_smaller_fraction_is_the_beginning_of_a_larger_one(agents: int) -> None:
    half = matches_of("variable", agents, seed=3)
    assert half == matches_of("variable:fraction=1", agents, seed=3)[: len(half)]
    assert agents * (agents - 1) / 2 <= len(half) < agents * (agents - 1) / 2 + 2


def test_another_seed_deals_another_part() -> None:
    assert len({tuple(matches_of("variable:fraction=0.2", 17, seed=seed)) for seed in range(10)}) == 10


@pytest.mark.parametrize(
    ("fraction", "matches"), [(1, 272), (0.75, 204), (0.5, 136), (0.25, 68), (0.12, 33), (0.06, 16)]
)
def test_a_random_subset_is_as_large_as_the_study_had_it_and_everybody_plays(fraction: float, matches: int) -> None:
    for seed in range(20):
        drawn = matches_of(f"variable:fraction={fraction},subset=random", 17, seed=seed)
        assert len(drawn) == len(set(drawn)) == matches
        assert {agent for match in drawn for agent in match.seats} == set(range(17))


def test_a_random_subset_favours_no_match() -> None:
    # Six of twelve matches, 600 times: each 300 times, with a deviation of 12.
    counts = Counter(match.seats for seed in range(600) for match in matches_of("variable:subset=random", 4, seed=seed))
    assert len(counts) == 12
    assert all(abs(count - 300) < 60 for count in counts.values())


def test_a_fraction_that_leaves_agents_unconnected_is_refused() -> None:
    assert (
        format_from("variable:fraction=0.06").unsuited(17, 2)
        == "needs 32 matches to connect all agents (17): use fraction=0.12 or more"
    )
    assert format_from("variable:fraction=0.12").unsuited(17, 2) is None
    assert (
        format_from("variable:fraction=0.03,subset=random").unsuited(17, 2)
        == "needs 9 matches to let all agents play (17): use fraction=0.04 or more"
    )
