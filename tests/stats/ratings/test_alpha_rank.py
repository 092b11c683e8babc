import numpy as np
import pytest

from ludus.stats.ratings.alpha_rank import alpha_rank
from ludus.stats.ratings.scale import Floats

CIRCLE = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])
BIASED = np.array([[0, 0.5, -0.3], [-0.5, 0, 0.1], [0.3, -0.1, 0]])


@pytest.mark.parametrize("payoffs", [CIRCLE, BIASED])
def test_every_circle_of_three_is_shared_equally(payoffs: Floats) -> None:
    assert alpha_rank(payoffs) == pytest.approx([1 / 3] * 3)


def test_agent_that_beats_all_others_is_never_replaced() -> None:
    strength = np.array([0.1, 0.3, 0.0, -0.4])
    assert alpha_rank(strength[:, None] - strength) == pytest.approx([0, 1, 0, 0])


def test_circle_above_a_weak_agent_leaves_it_out() -> None:
    payoffs = np.zeros((4, 4))
    payoffs[:3, :3] = CIRCLE
    payoffs[:3, 3], payoffs[3, :3] = 0.2, -0.2
    assert alpha_rank(payoffs) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_tie_is_crossed_as_often_in_both_directions() -> None:
    assert alpha_rank(np.zeros((3, 3))) == pytest.approx([1 / 3] * 3)
    # Two equal agents above a third.
    payoffs = np.array([[0, 0, 0.2], [0, 0, 0.2], [-0.2, -0.2, 0]])
    assert alpha_rank(payoffs) == pytest.approx([0.5, 0.5, 0])


def test_agent_alone_holds_everything() -> None:
    assert alpha_rank(np.zeros((1, 1))).tolist() == [1]


def moran_shares(payoffs: Floats, selection: float, population: int) -> Floats:
    """The shares of the published chain with a finite strength of selection, by the odds of a Moran process."""
    agents = len(payoffs)
    moves = np.zeros((agents, agents))
    for holder in range(agents):
        for mutant in range(agents):
            lead = selection * (payoffs[mutant, holder] - payoffs[holder, mutant])
            if mutant != holder:
                moves[holder, mutant] = np.expm1(-lead) / np.expm1(-population * lead) / (agents - 1)
        moves[holder, holder] = 1 - moves[holder].sum()
    return np.asarray(np.linalg.matrix_power(moves, 10**6)[0])


@pytest.mark.parametrize("seed", range(5))
def test_strong_selection_comes_near_to_the_limit(seed: int) -> None:
    rng = np.random.default_rng(seed)
    payoffs = np.triu(rng.uniform(0.3, 1, (6, 6)) * rng.choice([-1, 1], (6, 6)), 1)
    payoffs -= payoffs.T
    assert alpha_rank(payoffs) == pytest.approx(moran_shares(payoffs, 30, 5), abs=1e-5)
