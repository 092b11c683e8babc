"""Ratings of maximum likelihood: results, a weak prior, and Newton's method."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludus.core.errors import InvalidError
from ludus.stats.ratings.scale import Floats, Ints, logistic

PRIOR = 0.5
"""The games that every agent has won, and also lost, in addition to its results: spread evenly over all others."""
_ADVANTAGE = 0.25  # the weight of the prior that moving first is worth nothing, per nat²: a deviation of 347 Elo points
_PRECISION = 1e-9
_MOST_STEPS = 200
_UNKNOWN = 1e8  # nat²: no result determines this


class Likelihood(NamedTuple):
    """The logarithm of the likelihood at one point, its slope, and its curvature with the sign changed."""

    value: float
    gradient: Floats
    information: Floats


class Choices(NamedTuple):
    """Results as choices of the best of a set of agents.

    `sets[c]` has the members, padded with the number of agents; `weights[c]` is the frequency of the choice; `led[c]`
    is 1 if its first member has the advantage of moving first.
    """

    sets: Ints
    weights: Floats
    led: Floats


class Outcomes(ABC):
    """The results from which agents are rated; the parameters are their ratings in nats, then an advantage if any."""

    agents: int
    parameters: int
    lead: Floats
    """[i, j]: how often agent i was ahead of agent j; being level counts too."""
    level: float
    """The number of pairs of agents that shared a place."""

    @property
    def ahead(self) -> npt.NDArray[np.bool_]:
        """[i, j]: agent i was ahead of agent j at least once, or level."""
        return self.lead > 0

    @abstractmethod
    def likelihood(self, at: Floats) -> Likelihood:
        """The likelihood of the results."""

    @abstractmethod
    def choices(self) -> Choices:
        """The results as choices."""

    @abstractmethod
    def variance(self, at: Floats) -> float:
        """The variance of the number of pairs won if nobody ever shared a place."""


class Maximum(NamedTuple):
    """The point of maximum likelihood, its value, and the covariance there, all in nats."""

    parameters: Floats
    value: float
    covariance: Floats


def with_prior(outcomes: Outcomes, prior: float) -> Callable[[Floats], Likelihood]:
    """The likelihood of the results and of a prior: each agent won and lost this number of games against all others.

    The games of the prior have no first move. A shift of all ratings changes nothing, and is made no direction to go.
    """
    agents = outcomes.agents
    weight, first_move = prior / max(agents - 1, 1), _ADVANTAGE if prior else 0.0

    def evaluate(at: Floats) -> Likelihood:
        value, gradient, information = outcomes.likelihood(at)
        ratings = at[:agents]
        gaps = ratings[:, None] - ratings[None, :]
        chance = logistic(gaps)
        value -= weight * float(np.logaddexp(0, gaps).sum())
        gradient[:agents] += weight * (agents - 2 * chance.sum(1))
        between = 2 * weight * chance * (1 - chance)
        information[:agents, :agents] += np.diag(between.sum(1)) - between + 1 / max(agents, 1)
        if outcomes.parameters > agents:
            value -= first_move * float(at[agents]) ** 2 / 2
            gradient[agents] -= first_move * at[agents]
            information[agents, agents] += first_move
        return Likelihood(value, gradient, information)

    return evaluate


def maximise(outcomes: Outcomes, prior: float, start: Floats | None = None) -> Maximum:
    """Maximise the likelihood by Newton's method; the ratings have mean 0."""
    evaluate = with_prior(outcomes, prior)
    here = np.zeros(outcomes.parameters) if start is None else start
    found = evaluate(here)
    try:
        for _ in range(_MOST_STEPS):
            step = np.linalg.solve(found.information, found.gradient)
            size = float(np.abs(step).max(initial=0.0))
            beyond = evaluate(here + step)
            while beyond.value < found.value - 1e-12 * abs(found.value) and size > _PRECISION:
                step, size = step / 2, size / 2
                beyond = evaluate(here + step)
            here, found = here + step, beyond
            if size <= _PRECISION:
                covariance: Floats = np.linalg.inv(found.information).astype(np.float64, copy=False)
                if np.abs(covariance).max(initial=0.0) > _UNKNOWN:
                    break
                return Maximum(here, found.value, _centred(covariance, outcomes.agents))
    except np.linalg.LinAlgError:
        pass
    raise InvalidError(
        "These results leave some rating unbounded, such as that of an agent that won everything: use a "
        "prior above 0, which keeps ratings finite."
    )


def _centred(covariance: Floats, agents: int) -> Floats:
    """The covariance after subtracting the mean of the ratings from each of them."""
    if agents:
        covariance[:agents] -= covariance[:agents].mean(0)
        covariance[:, :agents] -= covariance[:, :agents].mean(1, keepdims=True)
    return covariance
