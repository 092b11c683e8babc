import pytest

from ludus.tournaments.formats import format_from
from ludus.tournaments.formats.format import Result
from support.playing_formats import always_tied, by_strength, matches_of, meetings, rounds_of, stronger_wins
from support.sentences import missing


def played(text: str, agents: int, seed: int = 0) -> list[Result]:
    return [result for results in rounds_of(text, agents, seed=seed) for result in results]


def test_the_weakest_leave_one_after_the_other() -> None:
    results = played("drop", 9)
    left = format_from("drop").departures(9, 0, results)
    assert [departure.round for departure in left] == [1, 3, 5, 7]
    assert min(departure.agent for departure in left) > 3


@pytest.mark.parametrize("text", ["drop", "drop:every=1", "drop:start=4,every=3,keep=5"])
@pytest.mark.parametrize("agents", [6, 9, 12])
def test_nobody_plays_after_leaving(text: str, agents: int) -> None:
    for seed in range(3):
        rounds = rounds_of(text, agents, seed=seed, outcome=by_strength(agents, seed))
        results = [result for results in rounds for result in results]
        for round, agent, _, matches in format_from(text).departures(agents, seed, results):
            own = [result.match for result in results if agent in result.match.seats]
            assert max(match.round for match in own) <= round
            assert len(own) == matches


@pytest.mark.parametrize("agents", [5, 8])
def test_those_that_stay_meet_in_both_seatings(agents: int) -> None:
    matches = matches_of("drop:every=1,keep=3", agents)
    stayed = range(3)
    assert all(count == 2 for count in meetings(matches).values())
    assert all((i, j) in {match.seats for match in matches} for i in stayed for j in stayed if i != j)


def test_nobody_leaves_before_the_start_nor_after_the_last_round() -> None:
    results = played("drop:start=5,every=1", 8)
    rounds = [departure.round for departure in format_from("drop:start=5,every=1").departures(8, 0, results)]
    assert rounds == [4, 5]


def test_the_number_of_agents_that_stay_is_kept() -> None:
    assert len(format_from("drop:every=1,keep=6").departures(8, 0, played("drop:every=1,keep=6", 8))) == 2


def test_interim_ratings_fall_and_stay_finite() -> None:
    for outcome in (stronger_wins, always_tied):
        results = [result for results in rounds_of("drop", 9, outcome=outcome) for result in results]
        ratings = [departure.rating for departure in format_from("drop").departures(9, 0, results)]
        assert all(-2000 < rating <= 1e-6 for rating in ratings)


@pytest.mark.parametrize(("text", "named"), [("drop:keep=5", "5"), ("drop:start=9", "3")])
def test_formats_in_which_nobody_would_leave_are_refused(text: str, named: str) -> None:
    reason = format_from(text).unsuited(4, 2)
    assert reason is not None
    assert not missing(reason, named)
