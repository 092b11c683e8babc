"""α-rank after Omidshafiei and others (2019): how much of the time each agent holds a population in which others try.

Payoffs are antisymmetric: payoffs[i, j] is what i gains from j, and what j loses.
"""

import numpy as np

from ludus.stats.ratings.scale import Floats

_POPULATION = 50
_TIE = 1e-12


def alpha_rank(payoffs: Floats, population: int = _POPULATION) -> Floats:
    """The share of time that each agent holds the population, in the limit of strong selection.

    A population of one agent meets one mutant at a time, of any other agent alike. A mutant that scores above the
    population takes over, one that scores below dies out, and one that scores the same takes over by chance, 1 in
    `population`. Of any two agents at least one can replace the other, so exactly one set of agents is never left, and
    the shares are unique.
    """
    agents = len(payoffs)
    if agents < 2:
        return np.ones(agents)
    takes_over = np.where(payoffs.T > _TIE, 1.0, np.where(payoffs.T < -_TIE, 0.0, 1 / population))  # [holder, mutant]
    np.fill_diagonal(takes_over, 0.0)
    moves = takes_over / (agents - 1)
    np.fill_diagonal(moves, 1 - moves.sum(axis=1))
    # Shares stay as they are after a move, and their sum is 1.
    equations = np.vstack([moves.T - np.eye(agents), np.ones(agents)])
    shares = np.linalg.lstsq(equations, np.append(np.zeros(agents), 1.0))[0]
    return np.clip(shares, 0.0, 1.0)
