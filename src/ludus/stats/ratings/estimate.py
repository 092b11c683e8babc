"""Estimated ratings with their 95 % intervals, and the chance that one agent is better than another."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ludus.stats.ratings.likelihood import PRIOR, Maximum, Outcomes, maximise
from ludus.stats.ratings.profile_likelihood import interval_ends, losses_if_equal
from ludus.stats.ratings.scale import POINTS_PER_NAT, TWO_SIDED_95, Floats, normal_chance

_WEAKER, _WEAKEST = 0.5, 0.2
"""The second interval's share of the prior: while all agents are linked by results, and otherwise."""
_LEAST_DISPERSION = 0.1
_SURE = 2
"""Games that an agent has won and lost in the group at least, to count for its mean."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Ratings in Elo points, with mean 0 over the agents with a share in it, and what their intervals need."""

    ratings: Floats
    shares: Floats
    """The share of each agent in the mean: equal ones for those that the results link to each other."""
    outcomes: Outcomes = field(repr=False)
    prior: float = field(repr=False)
    maximum: Maximum = field(repr=False)
    dispersion: float = field(repr=False)

    @cached_property
    def intervals(self) -> tuple[Floats, Floats]:
        """The lowest and the highest rating of each agent in Elo points, at 95 %.

        An interval reaches over two intervals of the profile likelihood, with the prior and with a weaker one. It has
        no upper end for an agent that won everything, and no lower end for an agent that lost everything.
        """
        outcomes, drop = self.outcomes, self.dispersion * TWO_SIDED_95**2 / 2
        weaker = self.prior * (_WEAKER if is_linked(outcomes.ahead) else _WEAKEST)
        second = maximise(outcomes, weaker, self.maximum.parameters)
        lows, highs = zip(
            interval_ends(outcomes, self.prior, self.maximum, drop, self.shares),
            interval_ends(outcomes, weaker, second, drop, self.shares),
            strict=True,
        )
        won, lost = outcomes.ahead.any(1), outcomes.ahead.any(0)
        low = np.where(won | ~lost, np.minimum(*lows) * POINTS_PER_NAT, -np.inf)
        return low, np.where(lost | ~won, np.maximum(*highs) * POINTS_PER_NAT, np.inf)

    def better(self, pairs: Sequence[tuple[int, int]]) -> Floats:
        """The chance, for each pair, that its first agent is the better one: what the likelihood loses if not."""
        one, other = np.array(pairs, np.int64).reshape(-1, 2).T
        gaps = self.ratings[one] - self.ratings[other]
        losses = losses_if_equal(self.outcomes, self.prior, self.maximum, np.stack([one, other], 1))
        deviations = np.sign(gaps) * np.sqrt(2 * np.maximum(losses, 0.0) / self.dispersion)
        return np.array([normal_chance(value) for value in deviations.tolist()])


def estimated(outcomes: Outcomes, prior: float = PRIOR) -> Estimate:
    """Rate the agents."""
    maximum = maximise(outcomes, prior)
    dispersion = _dispersion(outcomes, maximum)
    shares = _shares(outcomes.lead)
    found = maximum.parameters[: outcomes.agents]
    return Estimate((found - shares @ found) * POINTS_PER_NAT, shares, outcomes, prior, maximum, dispersion)


def is_linked(ahead: npt.NDArray[np.bool_]) -> bool:
    """True if no group of agents won all, lost all or had none of the games with the others.

    Only then do results alone determine all ratings. Agents without games do not count.
    """
    played = ahead.any(0) | ahead.any(1)
    return bool(_reached(ahead)[np.ix_(played, played)].all())


def _reached(ahead: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """[i, j]: agent i was ahead of agent j, or of one that was ahead of it, and so on; or i is j."""
    reached = ahead | np.eye(len(ahead), dtype=bool)
    for _ in range(len(reached).bit_length()):
        reached = (reached.astype(np.float32) @ reached.astype(np.float32)) > 0
    return reached


def _shares(lead: Floats) -> Floats:
    """The shares of agents in the mean: equal ones for the largest group that results link, and 0 for all others.

    An agent that lost everything may be any distance away: with it in the mean, nobody would know any rating. One that
    won or lost all but a single game is left out too. All agents count if the group is less than half of those that
    have played.
    """
    agents, played = len(lead), int((lead + lead.T).any(0).sum())
    reached = _reached(lead > 0)
    linked = max(reached & reached.T, key=np.sum) if agents else np.zeros(0, bool)
    within = lead * np.outer(linked, linked)
    sure = linked & (within.sum(0) >= _SURE) & (within.sum(1) >= _SURE)
    group = next((group for group in (sure, linked) if group.sum() >= max(2, played / 2)), np.ones(agents, bool))
    return np.asarray(group / max(group.sum(), 1), np.float64)


def _dispersion(outcomes: Outcomes, maximum: Maximum) -> float:
    """The variance of results as a share of the one without shared places, which say less but vary less."""
    if not outcomes.level or not is_linked(outcomes.ahead):
        return 1.0
    expected = outcomes.variance(maximum.parameters)
    return float(np.clip(1 - outcomes.level / (4 * expected + 1), _LEAST_DISPERSION, 1))
