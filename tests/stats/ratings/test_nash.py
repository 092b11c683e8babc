import numpy as np
import pytest
from scipy.optimize import minimize  # type: ignore[import-untyped]

from ludus.stats.ratings.nash import max_entropy_nash, nash_scores
from ludus.stats.ratings.scale import Floats

CIRCLE = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])


def test_rock_paper_scissors_are_equal() -> None:
    assert max_entropy_nash(CIRCLE) == pytest.approx([1 / 3] * 3)


def test_shares_of_a_biased_circle() -> None:
    # Each share of a circle of three is the payoff between the other two.
    biased = np.array([[0, 0.5, -0.3], [-0.5, 0, 0.1], [0.3, -0.1, 0]])
    shares = max_entropy_nash(biased)
    assert shares == pytest.approx([1 / 9, 3 / 9, 5 / 9], abs=1e-5)
    assert nash_scores(biased, shares) == pytest.approx([0, 0, 0], abs=1e-6)


def test_best_of_a_transitive_field_has_everything() -> None:
    strength = np.array([0.3, 0.1, 0.0, -0.4])
    payoffs = strength[:, None] - strength
    shares = max_entropy_nash(payoffs)
    assert shares == pytest.approx([1, 0, 0, 0])
    assert nash_scores(payoffs, shares) == pytest.approx(strength - 0.3)


def test_circle_above_a_weak_agent_leaves_it_out() -> None:
    payoffs = np.zeros((4, 4))
    payoffs[:3, :3] = CIRCLE
    payoffs[:3, 3], payoffs[3, :3] = 0.2, -0.2
    shares = max_entropy_nash(payoffs)
    assert shares == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)
    assert nash_scores(payoffs, shares) == pytest.approx([0, 0, 0, -0.2], abs=1e-6)


def test_two_copies_share_what_one_had() -> None:
    copied = CIRCLE[np.ix_([0, 1, 2, 2], [0, 1, 2, 2])]
    assert max_entropy_nash(copied) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-6)


def test_equal_agents_have_equal_shares() -> None:
    assert max_entropy_nash(np.zeros((4, 4))) == pytest.approx([0.25] * 4)
    assert max_entropy_nash(np.zeros((1, 1))) == pytest.approx([1])


def most_entropy(payoffs: Floats) -> Floats:
    """The same by a general optimiser."""
    agents = len(payoffs)
    found = minimize(
        lambda p: (p * np.log(np.maximum(p, 1e-300))).sum(),
        np.full(agents, 1 / agents),
        jac=lambda p: np.log(np.maximum(p, 1e-12)) + 1,
        bounds=[(0, 1)] * agents,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "ineq", "fun": lambda p: -(payoffs @ p), "jac": lambda p: -payoffs},
        ],
        options={"maxiter": 2000, "ftol": 1e-12},
    )
    return np.asarray(found.x)


@pytest.mark.parametrize("agents", [3, 5, 8, 16])
@pytest.mark.parametrize("ties", [False, True])
def test_general_optimiser_finds_the_same_shares(agents: int, ties: bool) -> None:
    payoffs = np.random.default_rng(agents).normal(size=(agents, agents))
    payoffs -= payoffs.T
    if ties:
        payoffs = np.sign(np.round(payoffs))
    shares = max_entropy_nash(payoffs)
    assert shares == pytest.approx(most_entropy(payoffs), abs=1e-5)
    assert nash_scores(payoffs, shares).max() < 1e-6
