"""Nash averaging after Balduzzi and others (2018): agents are rated against the mixture that nobody beats.

Copies of an agent, and agents that only beat weak ones, change nothing; where strength runs in a circle, all agents of
the circle are equal. Payoffs are antisymmetric: payoffs[i, j] is what i gains from j, and what j loses.
"""

import numpy as np

from ludus.stats.ratings.scale import Floats

_COLDEST = 1e-7
_STEPS = 100
_SOLVED = 1e-10


def max_entropy_nash(payoffs: Floats) -> Floats:
    """The Nash equilibrium with the highest entropy: the share of each agent in it.

    It is the limit of logit equilibria, p = softmax(payoffs · p / temperature), as the temperature falls to 0. Each of
    them is found from the one before by Newton's method, whose matrix is never singular, as payoffs are antisymmetric.
    """
    agents = len(payoffs)
    largest = np.abs(payoffs).max(initial=0.0)
    state = np.append(np.full(agents, -np.log(max(agents, 1))), 0.0)  # logarithms of the shares, and their level
    if largest == 0:
        return np.exp(state[:agents])
    temperature = 1.0
    while temperature > _COLDEST:
        state = _logit_equilibrium(payoffs / (largest * temperature), state)
        temperature /= 2
    shares = np.exp(state[:agents])
    return np.asarray(shares / shares.sum())


def nash_scores(payoffs: Floats, shares: Floats) -> Floats:
    """The gain of each agent from the mixture: 0 for those in it, less for all others."""
    return payoffs @ shares


def _logit_equilibrium(payoffs: Floats, state: Floats) -> Floats:
    """Newton's method with steps that are halved until they help."""
    agents = len(payoffs)
    off = _off(payoffs, state)
    for _ in range(_STEPS):
        shares = np.exp(state[:agents])
        slopes = np.block([[np.eye(agents) - payoffs * shares, np.ones((agents, 1))], [shares, np.zeros(1)]])
        step = np.linalg.solve(slopes, -off)
        while np.abs(moved := _off(payoffs, state + step)).max() >= np.abs(off).max():
            step /= 2
            if np.abs(step).max() < _SOLVED:
                return state
        state, off = state + step, moved
        if np.abs(off).max() < _SOLVED:
            break
    return state


def _off(payoffs: Floats, state: Floats) -> Floats:
    """The distance of the logarithms from those of an equilibrium, and that of the sum of the shares from 1."""
    shares = np.exp(np.minimum(state[:-1], 50))  # a step may go much too far before it is halved
    return np.append(state[:-1] - payoffs @ shares + state[-1], shares.sum() - 1)
