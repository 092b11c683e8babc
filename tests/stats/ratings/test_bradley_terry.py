import itertools
import math

import choix
import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.stats.ratings.bradley_terry import bradley_terry
from ludus.stats.ratings.scale import POINTS_PER_NAT, TWO_SIDED_95

pytestmark = pytest.mark.filterwarnings("error")

# first, second, wins, ties, losses
FOUR_AGENTS = np.array(
    [
        (0, 1, 6, 2, 2),
        (1, 0, 4, 3, 3),
        (0, 2, 5, 3, 2),
        (2, 0, 3, 4, 3),
        (0, 3, 8, 2, 0),
        (3, 0, 1, 3, 6),
        (1, 2, 5, 2, 3),
        (2, 1, 4, 2, 4),
        (1, 3, 6, 3, 1),
        (3, 1, 2, 3, 5),
        (2, 3, 6, 3, 1),
        (3, 2, 2, 4, 4),
    ]
).T


def test_four_agents_without_advantage() -> None:
    found = bradley_terry(4, *FOUR_AGENTS, advantage=False, ridge=0)
    assert found.ratings == pytest.approx([89.5038, 33.1865, 10.2378, -132.9280], abs=5e-5)
    assert (found.advantage, found.advantage_deviation) == (0, 0)


def test_four_agents_with_advantage() -> None:
    found = bradley_terry(4, *FOUR_AGENTS, ridge=0)
    assert found.ratings == pytest.approx([92.0238, 34.1035, 10.4939, -136.6213], abs=5e-5)
    assert found.advantage == pytest.approx(60.3568, abs=5e-5)


def test_two_agents_with_76_to_24() -> None:
    found = bradley_terry(2, [0], [1], [76], [0], [24], advantage=False, ridge=0)
    gap, deviation = found.gap(0, 1)
    assert gap == pytest.approx(200.24094, abs=5e-6)
    assert deviation == pytest.approx(POINTS_PER_NAT / math.sqrt(100 * 0.76 * 0.24))
    assert found.deviations == pytest.approx([deviation / 2, deviation / 2])
    assert found.better(0, 1) == pytest.approx(1 - found.better(1, 0))
    assert found.better(0, 1) > 0.999


def test_ridge_pulls_towards_the_mean_as_a_normal_belief_of_two_nats_would() -> None:
    gap, deviation = (
        value / POINTS_PER_NAT for value in bradley_terry(2, [0], [1], [9], [0], [1], advantage=False).gap(0, 1)
    )
    chance = 1 / (1 + math.exp(-gap))
    assert 9 - 10 * chance == pytest.approx(0.25 * gap / 2)  # where the slope is 0
    assert deviation == pytest.approx(1 / math.sqrt(10 * chance * (1 - chance) + 0.125))


@pytest.mark.parametrize("seed", range(5))
def test_choix_finds_the_same_ratings(seed: int) -> None:
    rng = np.random.default_rng(seed)
    agents = 12
    first, second = np.array(list(itertools.permutations(range(agents), 2))).T
    wins, ties, losses = rng.integers(0, 4, (3, len(first)))
    # A win is two points and a tie one for each, so choix sees twice the evidence.
    data = [
        pair
        for i, j, won, tied, lost in zip(first, second, wins, ties, losses, strict=True)
        for pair in [(i, j)] * (2 * won + tied) + [(j, i)] * (2 * lost + tied)
    ]
    plain = bradley_terry(agents, first, second, wins, ties, losses, advantage=False, ridge=0)
    assert plain.ratings / POINTS_PER_NAT == pytest.approx(choix.ilsr_pairwise(agents, data), abs=1e-6)
    ridged = bradley_terry(agents, first, second, wins, ties, losses, advantage=False)
    oracle = choix.opt_pairwise(agents, data, alpha=0.25, tol=1e-12)
    assert ridged.ratings / POINTS_PER_NAT == pytest.approx(oracle, abs=1e-6)


def test_counts_may_repeat_a_pair() -> None:
    split = np.hstack([FOUR_AGENTS - np.array([[0], [0], [1], [1], [0]]), FOUR_AGENTS[:, ::-1]])
    split[2:, 12:] = np.array([[1], [1], [0]])
    assert bradley_terry(4, *split).ratings == pytest.approx(bradley_terry(4, *FOUR_AGENTS).ratings)


def simulated(rng: np.random.Generator, truth: np.ndarray, advantage: float, games: int, meeting: np.ndarray):  # type: ignore[no-untyped-def]
    first, second = meeting
    chance = 1 / (1 + 10 ** (-(truth[first] - truth[second] + advantage) / 400))
    wins = rng.binomial(games, chance)
    return bradley_terry(len(truth), first, second, wins, np.zeros_like(wins), games - wins)


def test_intervals_cover_the_truth_95_times_in_100() -> None:
    rng = np.random.default_rng(1)
    agents, advantage = 8, 80.0
    meeting = np.array(list(itertools.permutations(range(agents), 2))).T
    one, other = np.triu_indices(agents, 1)
    inside = {"ratings": [], "gaps": [], "advantage": []}  # type: dict[str, list[float]]
    for _ in range(400):
        truth = rng.normal(0, 200, agents)
        truth -= truth.mean()
        found = simulated(rng, truth, advantage, 10, meeting)
        c = found.covariance
        deviation = np.sqrt(c[one, one] + c[other, other] - 2 * c[one, other])
        assert deviation[0] == pytest.approx(found.gap(0, 1)[1])
        off = found.ratings - truth
        inside["ratings"].append(np.mean(abs(off) < TWO_SIDED_95 * found.deviations))
        inside["gaps"].append(np.mean(abs(off[one] - off[other]) < TWO_SIDED_95 * deviation))
        inside["advantage"].append(abs(found.advantage - advantage) < TWO_SIDED_95 * found.advantage_deviation)
    coverage = {what: np.mean(shares) for what, shares in inside.items()}
    assert all(0.93 < share < 0.97 for share in coverage.values()), coverage


def test_chance_to_be_better_is_right_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    meeting = np.array(list(itertools.permutations(range(4), 2))).T
    told, true = [], []
    for _ in range(600):
        truth = rng.normal(0, 347, 4)  # the belief behind the ridge
        found = simulated(rng, truth, 0.0, 2, meeting)
        for i, j in itertools.combinations(range(4), 2):
            told.append(found.better(i, j))
            true.append(truth[i] > truth[j])
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        chosen = [i for i, chance in enumerate(told) if low <= chance < low + 0.2]
        assert np.mean([told[i] for i in chosen]) == pytest.approx(np.mean([true[i] for i in chosen]), abs=0.06)


def test_covariance_is_that_of_ratings_with_mean_zero() -> None:
    found = bradley_terry(4, *FOUR_AGENTS)
    assert found.ratings.sum() == pytest.approx(0)
    assert found.covariance.sum(0) == pytest.approx(np.zeros(4), abs=1e-9)
    assert found.covariance == pytest.approx(found.covariance.T)


def test_winner_of_everything_stays_finite() -> None:
    found = bradley_terry(3, [0, 1, 0, 2, 1, 2], [1, 0, 2, 0, 2, 1], [9, 0, 9, 0, 9, 0], [0] * 6, [0, 9, 0, 9, 0, 9])
    assert found.ratings[0] > found.ratings[1] > found.ratings[2]
    assert np.isfinite(found.ratings).all()
    assert found.better(0, 1) > 0.99
    assert found.advantage == pytest.approx(0)


def test_a_billion_games_of_one_winner_stay_finite() -> None:
    found = bradley_terry(2, [0, 1], [1, 0], [10**9, 0], [0, 0], [0, 10**9])
    assert 1000 < found.gap(0, 1)[0] < 5000


def test_fields_that_never_met_are_each_rated_around_the_mean() -> None:
    found = bradley_terry(4, [0, 1, 2, 3], [1, 0, 3, 2], [6, 4, 8, 2], [0] * 4, [4, 6, 2, 8])
    assert found.ratings[:2].sum() == pytest.approx(0)
    assert found.ratings[2] > found.ratings[0] > found.ratings[1] > found.ratings[3]
    assert found.gap(0, 2)[1] > 2 * found.gap(0, 1)[1]


def test_agent_that_never_played_is_at_the_mean_and_unknown() -> None:
    found = bradley_terry(5, *FOUR_AGENTS)
    assert found.ratings[4] == pytest.approx(0)
    assert found.deviations[4] > 300
    assert found.gap(0, 4)[1] > 300 > 5 * found.gap(0, 1)[1]
    assert 0.5 < found.better(0, 4) < 0.7


@pytest.mark.parametrize("agents", [0, 1, 6])
def test_no_games_leave_the_belief_behind_the_ridge(agents: int) -> None:
    found = bradley_terry(agents, [], [], [], [], [])
    assert found.ratings.tolist() == [0] * agents
    assert found.deviations == pytest.approx(2 * POINTS_PER_NAT * np.sqrt([1 - 1 / max(agents, 1)] * agents))
    assert found.advantage == 0
    assert found.advantage_deviation == pytest.approx(2 * POINTS_PER_NAT)


def test_equal_agents_are_better_with_a_chance_of_one_half() -> None:
    found = bradley_terry(3, [], [], [], [], [])
    assert found.better(0, 1) == 0.5
    assert found.better(1, 1) == 0.5


def test_lead_of_who_always_moved_first_is_shared_with_the_advantage() -> None:
    one_seating = bradley_terry(2, [0], [1], [9], [0], [1])
    both = bradley_terry(2, [0, 1], [1, 0], [9, 1], [0, 0], [1, 9])
    assert 0 < one_seating.gap(0, 1)[0] < both.gap(0, 1)[0]
    assert one_seating.advantage > 100
    assert one_seating.gap(0, 1)[1] > both.gap(0, 1)[1]


def test_games_against_itself_tell_of_the_advantage_alone() -> None:
    found = bradley_terry(1, [0], [0], [3], [0], [1], ridge=0)
    assert found.ratings.tolist() == [0]
    assert found.advantage == pytest.approx(math.log(3) * POINTS_PER_NAT)


@pytest.mark.parametrize(
    ("meeting", "advantage"),
    [
        (([0], [1], [9], [0], [0]), False),
        (([0], [1], [9], [0], [1]), True),
        (([0, 2], [1, 3], [5, 5], [0, 0], [1, 1]), False),
    ],
)
def test_without_ridge_ratings_without_limit_are_refused(meeting: tuple[list[int], ...], advantage: bool) -> None:
    agents = 2 if len(meeting[0]) == 1 else 4
    with pytest.raises(LudusError, match="ridge above 0"):
        bradley_terry(agents, *meeting, advantage=advantage, ridge=0)


@pytest.mark.parametrize("seed", range(10))
def test_without_ridge_fields_that_never_met_are_refused(seed: int) -> None:
    counts = np.random.default_rng(seed).integers(1, 9, (3, 24))
    first, second = np.array([pair for pair in itertools.permutations(range(8), 2) if sum(i < 4 for i in pair) != 1]).T
    with pytest.raises(LudusError, match="ridge above 0"):
        bradley_terry(8, first, second, *counts, ridge=0)
