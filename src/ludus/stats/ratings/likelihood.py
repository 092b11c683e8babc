"""Ratings of maximum likelihood, with error bars from the curvature at the maximum."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.stats.ratings.scale import POINTS_PER_NAT, Floats, normal_chance

RIDGE = 0.25
"""The weight of the prior that ratings are near their mean, per nat²: it keeps the ratings of all-winners finite."""
_PRECISION = 1e-9
_MOST_STEPS = 200
_UNKNOWN = 1e8  # nat²: no result determines this


@dataclass(frozen=True, eq=False)
class Estimate:
    """Ratings in Elo points, with mean 0, and the covariance of these centred ratings."""

    ratings: Floats
    covariance: Floats

    @property
    def deviations(self) -> Floats:
        """One standard deviation of each rating, in Elo points."""
        return np.sqrt(self.covariance.diagonal())

    def gap(self, i: int, j: int) -> tuple[float, float]:
        """The difference of the ratings of agents i and j in Elo points, and its standard deviation."""
        c = self.covariance
        return float(self.ratings[i] - self.ratings[j]), float(np.sqrt(max(c[i, i] + c[j, j] - 2 * c[i, j], 0.0)))

    def better(self, i: int, j: int) -> float:
        """The chance that agent i is better than agent j."""
        gap, deviation = self.gap(i, j)
        return normal_chance(gap / deviation) if deviation else 0.5


class Likelihood(NamedTuple):
    """The logarithm of the likelihood at one point, its slope, and its curvature with the sign changed."""

    value: float
    gradient: Floats
    information: Floats


class Maximum(NamedTuple):
    """The point of maximum likelihood, and the covariance there: [parameter] and [parameter, parameter], in nats."""

    parameters: Floats
    covariance: Floats


def maximise(evaluate: Callable[[Floats], Likelihood], agents: int, parameters: int, ridge: float) -> Maximum:
    """Maximise a concave likelihood by Newton's method; the first parameters are the agents' ratings, with mean 0.

    The ridge subtracts ½ · ridge · (sum of squares of all parameters) from the logarithm of the likelihood.
    """

    def penalised(at: Floats) -> Likelihood:
        value, gradient, information = evaluate(at)
        information.flat[:: parameters + 1] += ridge
        information[:agents, :agents] += 1 / max(agents, 1)  # a shift of all ratings is not a step
        return Likelihood(value - ridge * float(at @ at) / 2, gradient - ridge * at, information)

    here = np.zeros(parameters)
    found = penalised(here)
    try:
        for _ in range(_MOST_STEPS):
            step = np.linalg.solve(found.information, found.gradient)
            size = float(np.abs(step).max(initial=0.0))
            beyond = penalised(here + step)
            while beyond.value < found.value - 1e-12 * abs(found.value) and size > _PRECISION:
                step, size = step / 2, size / 2
                beyond = penalised(here + step)
            here, found = here + step, beyond
            if size <= _PRECISION:
                covariance: Floats = np.linalg.inv(found.information).astype(np.float64, copy=False)
                if np.abs(covariance).max(initial=0.0) > _UNKNOWN:
                    break
                return Maximum(here, _centred(covariance, agents))
    except np.linalg.LinAlgError:
        pass
    raise InvalidError(
        "These results leave some rating unbounded, such as that of an agent that won everything: use a "
        "ridge above 0, which keeps ratings finite."
    )


def rated(maximum: Maximum, agents: int) -> tuple[Floats, Floats]:
    """Ratings and their covariance in Elo points."""
    ratings = maximum.parameters[:agents] * POINTS_PER_NAT
    return ratings, maximum.covariance[:agents, :agents] * POINTS_PER_NAT**2


def _centred(covariance: Floats, agents: int) -> Floats:
    """The covariance after subtracting the mean of the ratings from each of them."""
    if agents:
        covariance[:agents] -= covariance[:agents].mean(0)
        covariance[:, :agents] -= covariance[:, :agents].mean(1, keepdims=True)
    return covariance
