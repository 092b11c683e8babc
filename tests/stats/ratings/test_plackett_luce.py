import itertools
from collections.abc import Sequence

import choix
import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.stats.ratings import profile_likelihood
from ludus.stats.ratings.bradley_terry import bradley_terry
from ludus.stats.ratings.plackett_luce import plackett_luce
from ludus.stats.ratings.scale import POINTS_PER_NAT

pytestmark = pytest.mark.filterwarnings("error")

Ranking = list[list[int]]


def strict(order: Sequence[int]) -> Ranking:
    """A ranking in which nobody shares a place."""
    return [[agent] for agent in order]


def test_three_players() -> None:
    rankings = [strict(order) for order in ([0, 1, 2], [1, 0, 2], [2, 0, 1], [0, 2, 1])]
    found = plackett_luce(3, rankings, [5, 3, 2, 2], prior=0)
    assert found.strengths == pytest.approx([0.953717, -0.107271, -0.846446], abs=5e-7)
    assert found.ratings == pytest.approx(found.strengths * POINTS_PER_NAT)


@pytest.mark.parametrize("seed", range(4))
def test_choix_finds_the_same_strengths(seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.normal(0, 1, 9)
    orders = [drawn(rng, truth, rng.choice(9, 4, replace=False)) for _ in range(120)]
    rankings = [strict(order) for order in orders]
    plain = plackett_luce(9, rankings, np.ones(120), prior=0)
    assert plain.strengths == pytest.approx(choix.ilsr_rankings(9, orders), abs=1e-6)
    with_prior = plackett_luce(9, rankings, np.ones(120), prior=8)
    everyone = [*itertools.permutations(range(9), 2)]  # one win of each over each other
    assert with_prior.strengths == pytest.approx(choix.ilsr_rankings(9, [*orders, *everyone]), abs=1e-6)


def drawn(rng: np.random.Generator, truth: np.ndarray, seats: np.ndarray) -> tuple[int, ...]:
    """An order by the model: the highest of strength plus Gumbel noise comes first."""
    return tuple(seats[np.argsort(-(truth[seats] + rng.gumbel(size=len(seats))))].tolist())


def test_two_players_are_rated_as_by_bradley_and_terry() -> None:
    found = plackett_luce(2, [[[0], [1]], [[0, 1]], [[1], [0]]], [5, 3, 2])
    oracle = bradley_terry(2, [0], [1], [5], [3], [2], advantage=False)
    assert found.ratings == pytest.approx(oracle.ratings)
    assert np.array(found.intervals) == pytest.approx(np.array(oracle.intervals))


def test_a_shared_place_counts_as_all_its_orders_in_equal_parts() -> None:
    tied = plackett_luce(5, [[[3], [0, 1, 4], [2]], [[0], [1, 2, 3, 4]]], [6, 24])
    orders = [[3, *middle, 2] for middle in itertools.permutations([0, 1, 4])]
    orders += [[0, *rest] for rest in itertools.permutations([1, 2, 3, 4])]
    untied = plackett_luce(5, [strict(order) for order in orders], np.ones(len(orders)))
    assert tied.ratings == pytest.approx(untied.ratings)
    assert 0.1 < tied.dispersion < 1 == untied.dispersion
    assert tied.maximum.covariance == pytest.approx(untied.maximum.covariance)


@pytest.mark.parametrize(
    ("agents", "seats", "spread", "outlier", "games"),
    [(5, 3, 600, False, 3), (5, 3, 1500, False, 10), (5, 4, 2500, True, 4), (6, 3, 300, False, 1)],
)
def test_intervals_cover_the_truth_95_times_in_100(
    agents: int, seats: int, spread: int, outlier: bool, games: int
) -> None:
    rng = np.random.default_rng(agents + games)
    tables = [*itertools.combinations(range(agents), seats)] * games
    truth = np.append(np.linspace(0, 0.2, agents - 1), 1) if outlier else np.linspace(0, 1, agents)
    truth = spread * (truth - truth.mean())
    inside = []
    for _ in range(100):
        rankings = [strict(drawn(rng, truth / POINTS_PER_NAT, np.array(seated))) for seated in tables]
        found = plackett_luce(agents, rankings, np.ones(len(tables)))
        (low, high), there = found.intervals, truth - found.shares @ truth
        inside.append((low <= there) & (there <= high))
    assert np.mean(inside) > 0.93  # 0.94 less what 100 fields leave to chance
    assert np.mean(inside, 0).min() > 0.87


def test_many_agents_have_the_same_intervals_by_the_fast_way(monkeypatch: pytest.MonkeyPatch) -> None:
    agents, rng = 24, np.random.default_rng(6)
    truth = rng.normal(0, 1, agents)
    rankings = [strict(drawn(rng, truth, rng.choice(agents, 4, replace=False))) for _ in range(200)]
    exact, fast = (plackett_luce(agents, rankings, np.ones(200)) for _ in range(2))
    monkeypatch.setattr(profile_likelihood, "MANY", agents + 1)
    ends, chances = np.array(exact.intervals), exact.better([*itertools.pairwise(range(agents))])
    monkeypatch.setattr(profile_likelihood, "MANY", agents)
    assert ends == pytest.approx(np.array(fast.intervals), abs=8)  # of about 300
    assert chances == pytest.approx(fast.better([*itertools.pairwise(range(agents))]), abs=0.005)


def test_who_was_always_first_alone_has_no_upper_end() -> None:
    low, high = plackett_luce(4, [strict([0, 1, 2]), strict([0, 2, 3]), [[0], [1, 3]]], [2, 3, 1]).intervals
    assert np.isfinite(low).all()
    assert np.isinf(high).tolist() == [True, False, False, False]
    shared = plackett_luce(4, [strict([0, 1, 2]), strict([0, 2, 3]), [[0, 1], [3]]], [2, 3, 1])
    assert np.isfinite(shared.intervals[1]).all()


def test_winner_of_everything_and_who_never_played_stay_finite() -> None:
    found = plackett_luce(4, [strict([0, 1, 2])], [50])
    assert found.ratings[0] > found.ratings[1] > found.ratings[2]
    assert found.ratings[3] == pytest.approx(0, abs=2)
    low, high = found.intervals
    assert np.ptp([low[3], high[3]]) > np.ptp([low[1], high[1]])  # of the one in the middle, which has both ends
    assert found.better([(0, 1)])[0] > 0.99


@pytest.mark.parametrize(("players", "rankings"), [(0, []), (1, []), (1, [[[0]]]), (3, [])])
def test_who_has_met_nobody_is_at_the_mean(players: int, rankings: list[Ranking]) -> None:
    found = plackett_luce(players, rankings, np.ones(len(rankings)))
    assert found.ratings.tolist() == [0] * players
    assert np.isfinite(found.intervals).all()


def test_all_at_one_place_are_equal() -> None:
    found = plackett_luce(3, [[[0, 1, 2]]], [4])
    assert found.ratings == pytest.approx([0, 0, 0])
    assert found.better([(0, 2)])[0] == pytest.approx(0.5)


@pytest.mark.parametrize("ranking", [[[0], [0], [1]], [[0], [3]], [[0, 1], [-1]]])
def test_ranking_that_makes_no_sense_is_refused(ranking: Ranking) -> None:
    with pytest.raises(LudusError, match="has an agent twice"):
        plackett_luce(3, [ranking], [1])
