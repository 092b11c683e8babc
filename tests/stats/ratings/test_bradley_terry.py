import dataclasses
import itertools
import math

import choix
import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.stats.ratings import profile_likelihood
from ludus.stats.ratings.bradley_terry import BradleyTerry, bradley_terry
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


def doubt(found: BradleyTerry, i: int, j: int) -> float:
    """The standard deviation of the difference between two ratings by the curvature of the likelihood."""
    way = np.zeros(len(found.maximum.parameters))
    way[[i, j]] = 1, -1
    return POINTS_PER_NAT * math.sqrt(found.dispersion * (way @ found.maximum.covariance @ way))


def test_four_agents_without_advantage() -> None:
    found = bradley_terry(4, *FOUR_AGENTS, advantage=False, prior=0)
    assert found.ratings == pytest.approx([89.5038, 33.1865, 10.2378, -132.9280], abs=5e-5)
    assert (found.advantage, found.advantage_deviation) == (0, 0)


def test_four_agents_with_advantage() -> None:
    found = bradley_terry(4, *FOUR_AGENTS, prior=0)
    assert found.ratings == pytest.approx([92.0238, 34.1035, 10.4939, -136.6213], abs=5e-5)
    assert found.advantage == pytest.approx(60.3568, abs=5e-5)


def test_two_agents_with_76_to_24() -> None:
    found = bradley_terry(2, [0], [1], [76], [0], [24], advantage=False, prior=0)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(200.24094, abs=5e-6)
    assert doubt(found, 0, 1) == pytest.approx(POINTS_PER_NAT / math.sqrt(100 * 0.76 * 0.24))
    one, other = found.better([(0, 1), (1, 0)])
    assert one == pytest.approx(1 - other)
    assert one > 0.999


def test_prior_is_half_a_game_won_and_half_a_game_lost_by_every_agent() -> None:
    found = bradley_terry(2, [0], [1], [9], [0], [1], advantage=False)
    assert found.ratings[0] - found.ratings[1] == pytest.approx(math.log(9.5 / 1.5) * POINTS_PER_NAT)
    everyone = np.array([*itertools.permutations(range(4), 2)]).T
    more = np.hstack([FOUR_AGENTS.astype(float), [*everyone, [1 / 6] * 12, [0] * 12, [0] * 12]])
    spread = bradley_terry(4, *more, advantage=False, prior=0)
    assert bradley_terry(4, *FOUR_AGENTS, advantage=False).ratings == pytest.approx(spread.ratings)


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
    plain = bradley_terry(agents, first, second, wins, ties, losses, advantage=False, prior=0)
    assert plain.ratings / POINTS_PER_NAT == pytest.approx(choix.ilsr_pairwise(agents, data), abs=1e-6)
    with_prior = bradley_terry(agents, first, second, wins, ties, losses, advantage=False, prior=2 * (agents - 1))
    oracle = choix.ilsr_pairwise(agents, data + 4 * list(zip(first.tolist(), second.tolist(), strict=True)))
    assert with_prior.ratings / POINTS_PER_NAT == pytest.approx(oracle, abs=1e-6)


def test_counts_may_repeat_a_pair() -> None:
    split = np.hstack([FOUR_AGENTS - np.array([[0], [0], [1], [1], [0]]), FOUR_AGENTS[:, ::-1]])
    split[2:, 12:] = np.array([[1], [1], [0]])
    assert bradley_terry(4, *split).ratings == pytest.approx(bradley_terry(4, *FOUR_AGENTS).ratings)


def simulated(rng: np.random.Generator, truth: np.ndarray, advantage: float, games: int, meeting: np.ndarray):  # type: ignore[no-untyped-def]
    first, second = meeting
    chance = 1 / (1 + 10 ** (-(truth[first] - truth[second] + advantage) / 400))
    wins = rng.binomial(games, chance)
    return bradley_terry(len(truth), first, second, wins, np.zeros_like(wins), games - wins)


@pytest.mark.parametrize(
    ("agents", "spread", "outlier", "games", "draws", "advantage"),
    [
        (6, 300, False, 10, 0.0, 0.0),
        (4, 300, False, 1, 0.0, 200.0),
        (4, 600, False, 20, 0.4, 0.0),
        (6, 1500, False, 5, 0.0, 0.0),
        (4, 2500, False, 50, 0.2, 200.0),
        (4, 2500, True, 10, 0.0, 0.0),
        (4, 1500, True, 50, 0.4, 0.0),
    ],
)
def test_intervals_cover_the_truth_95_times_in_100(
    agents: int, spread: int, outlier: bool, games: int, draws: float, advantage: float
) -> None:
    rng = np.random.default_rng(spread + games)
    first, second = meeting = np.array([*itertools.permutations(range(agents), 2)]).T
    truth = np.append(np.linspace(0, 0.2, agents - 1), 1) if outlier else np.linspace(0, 1, agents)
    truth = spread * (truth - truth.mean())
    score = 1 / (1 + 10 ** (-(truth[first] - truth[second] + advantage) / 400))
    draw = 4 * draws * score * (1 - score)
    inside = []
    for _ in range(150):
        counts = rng.multinomial(games, np.stack([score - draw / 2, draw, 1 - score - draw / 2], 1)).T
        found = bradley_terry(agents, *meeting, *counts)
        (low, high), there = found.intervals, truth - found.shares @ truth
        inside.append((low <= there) & (there <= high))
    assert np.mean(inside) > 0.93  # 0.94 less what 150 fields leave to chance
    assert np.mean(inside, 0).min() > 0.88
    if games == 10 and not outlier:
        assert np.mean(inside) < 0.98


@pytest.mark.parametrize(("wins", "losses"), [(20, 0), (3, 0)])
def test_who_won_everything_has_no_upper_end_and_who_lost_everything_no_lower_one(wins: int, losses: int) -> None:
    low, high = bradley_terry(3, [0, 1, 0], [1, 2, 2], [wins, 2, wins], [0] * 3, [losses, 3, losses]).intervals
    assert (low[0] > -np.inf, high[0]) == (True, np.inf)
    assert np.isfinite([low[1:], high[1:]]).all()
    low, high = bradley_terry(2, [0], [1], [wins], [0], [losses], advantage=False).intervals
    assert (high[0], low[1]) == (np.inf, -np.inf)
    chance = 1 / (1 + math.exp(-2 * low[0] / POINTS_PER_NAT))
    assert 0.5 < chance**wins / 0.025 < 4  # as likely as an event outside an interval of 95 %, about


def test_one_tie_is_enough_for_two_ends() -> None:
    assert np.isfinite(bradley_terry(2, [0], [1], [30], [1], [0]).intervals).all()


def test_draws_make_intervals_narrower() -> None:
    widths = [
        np.subtract(*bradley_terry(2, [0], [1], [won], [100 - 2 * won], [won], advantage=False).intervals[::-1])[0]
        for won in (50, 30, 10)
    ]
    assert widths == sorted(widths, reverse=True)
    assert widths[1] / widths[0] == pytest.approx(math.sqrt(0.6), abs=0.02)


def test_intervals_of_many_games_are_even_and_as_wide_as_the_curvature_says() -> None:
    found = bradley_terry(4, *(FOUR_AGENTS * np.array([[1], [1], [400], [400], [400]])))
    low, high = found.intervals
    half = TWO_SIDED_95 * POINTS_PER_NAT * np.sqrt(found.dispersion * found.maximum.covariance.diagonal()[:4])
    assert found.ratings - low == pytest.approx(half, rel=0.01)
    assert high - found.ratings == pytest.approx(half, rel=0.01)


def test_many_agents_have_the_same_intervals_and_chances_by_the_fast_way(monkeypatch: pytest.MonkeyPatch) -> None:
    agents, rng = 26, np.random.default_rng(4)
    meeting = np.array([*itertools.permutations(range(agents), 2)]).T
    found = [simulated(rng, np.linspace(-300, 300, agents), 50.0, 2, meeting)]
    found.append(dataclasses.replace(found[0]))
    pairs = [*itertools.pairwise(range(agents)), (0, 25)]
    exact = (*found[0].intervals, found[0].better(pairs))
    monkeypatch.setattr(profile_likelihood, "MANY", agents)
    fast = (*found[1].intervals, found[1].better(pairs))
    for one, other, within in zip(exact, fast, (1.0, 1.0, 0.002), strict=True):
        assert not np.array_equal(one, other)  # it was the other way
        assert one == pytest.approx(other, abs=within)


def test_chance_to_be_better_is_right_as_often_as_it_says() -> None:
    rng = np.random.default_rng(2)
    meeting = np.array(list(itertools.permutations(range(4), 2))).T
    told, true = [], []
    for _ in range(600):
        truth = rng.normal(0, 347, 4)  # as far apart as the agents of a usual tournament
        found = simulated(rng, truth, 0.0, 2, meeting)
        for i, j in itertools.combinations(range(4), 2):
            true.append(truth[i] > truth[j])
        told.extend(found.better([*itertools.combinations(range(4), 2)]))
    for low in (0.0, 0.2, 0.4, 0.6, 0.8):
        chosen = [i for i, chance in enumerate(told) if low <= chance < low + 0.2]
        assert np.mean([told[i] for i in chosen]) == pytest.approx(np.mean([true[i] for i in chosen]), abs=0.06)


def test_covariance_is_that_of_ratings_with_mean_zero() -> None:
    found = bradley_terry(4, *FOUR_AGENTS)
    assert found.ratings.sum() == pytest.approx(0)
    covariance = found.maximum.covariance[:4, :4]
    assert covariance.sum(0) == pytest.approx(np.zeros(4), abs=1e-9)
    assert covariance == pytest.approx(covariance.T)


def test_winner_of_everything_stays_finite() -> None:
    found = bradley_terry(3, [0, 1, 0, 2, 1, 2], [1, 0, 2, 0, 2, 1], [9, 0, 9, 0, 9, 0], [0] * 6, [0, 9, 0, 9, 0, 9])
    assert found.ratings[0] > found.ratings[1] > found.ratings[2]
    assert np.isfinite(found.ratings).all()
    assert found.better([(0, 1)])[0] > 0.99
    assert found.advantage == pytest.approx(0)


def test_a_billion_games_of_one_winner_stay_finite() -> None:
    found = bradley_terry(2, [0, 1], [1, 0], [10**9, 0], [0, 0], [0, 10**9])
    assert 1000 < found.ratings[0] - found.ratings[1] < 5000


def test_fields_that_never_met_are_each_rated_around_the_mean() -> None:
    found = bradley_terry(4, [0, 1, 2, 3], [1, 0, 3, 2], [6, 4, 8, 2], [0] * 4, [4, 6, 2, 8])
    assert found.ratings[:2].sum() == pytest.approx(0)
    assert found.ratings[2] > found.ratings[0] > found.ratings[1] > found.ratings[3]
    assert doubt(found, 0, 2) > 2 * doubt(found, 0, 1)


def test_agent_that_never_played_is_at_the_mean_and_unknown() -> None:
    found = bradley_terry(5, *FOUR_AGENTS)
    assert found.ratings[4] == pytest.approx(0, abs=2)
    assert doubt(found, 0, 4) > 200 > 4 * doubt(found, 0, 1)
    assert 0.5 < found.better([(0, 4)])[0] < 0.7
    low, high = found.intervals
    assert low[4] < low[:4].min()
    assert high[4] > high[:4].max()


@pytest.mark.parametrize("agents", [0, 1, 6])
def test_no_games_leave_equal_agents_and_the_prior(agents: int) -> None:
    found = bradley_terry(agents, [], [], [], [], [])
    assert found.ratings.tolist() == [0] * agents
    assert found.advantage == 0
    assert found.advantage_deviation == pytest.approx(2 * POINTS_PER_NAT)
    low, high = found.intervals
    assert low == pytest.approx(-high)
    assert (high > 500).all() or agents < 2


def test_equal_agents_are_better_with_a_chance_of_one_half() -> None:
    found = bradley_terry(3, [], [], [], [], [])
    assert found.better([(0, 1)])[0] == 0.5


def test_lead_of_who_always_moved_first_is_shared_with_the_advantage() -> None:
    one_seating = bradley_terry(2, [0], [1], [9], [0], [1])
    both = bradley_terry(2, [0, 1], [1, 0], [9, 1], [0, 0], [1, 9])
    assert 0 < one_seating.ratings[0] < both.ratings[0]
    assert one_seating.advantage > 100
    assert doubt(one_seating, 0, 1) > doubt(both, 0, 1)


def test_games_against_itself_tell_of_the_advantage_alone() -> None:
    found = bradley_terry(1, [0], [0], [3], [0], [1], prior=0)
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
def test_without_prior_ratings_without_limit_are_refused(meeting: tuple[list[int], ...], advantage: bool) -> None:
    agents = 2 if len(meeting[0]) == 1 else 4
    with pytest.raises(LudusError, match="prior above 0"):
        bradley_terry(agents, *meeting, advantage=advantage, prior=0)


@pytest.mark.parametrize("seed", range(10))
def test_without_prior_fields_that_never_met_are_refused(seed: int) -> None:
    counts = np.random.default_rng(seed).integers(1, 9, (3, 24))
    first, second = np.array([pair for pair in itertools.permutations(range(8), 2) if sum(i < 4 for i in pair) != 1]).T
    with pytest.raises(LudusError, match="prior above 0"):
        bradley_terry(8, first, second, *counts, prior=0)
