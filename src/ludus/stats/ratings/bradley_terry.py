"""Bradley–Terry ratings of two-player games with an advantage of moving first: the default ranking."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludus.stats.ratings.estimate import Estimate, estimated
from ludus.stats.ratings.likelihood import PRIOR, Choices, Likelihood, Outcomes
from ludus.stats.ratings.pair_counts import Meetings, meetings
from ludus.stats.ratings.scale import POINTS_PER_NAT, Floats, logistic, sums


@dataclass(frozen=True, eq=False)
class BradleyTerry(Estimate):
    """Ratings, and the advantage of moving first with its standard deviation, all in Elo points."""

    advantage: float
    advantage_deviation: float


def bradley_terry(
    agents: int,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    wins: npt.ArrayLike,
    ties: npt.ArrayLike,
    losses: npt.ArrayLike,
    *,
    advantage: bool = True,
    prior: float = PRIOR,
) -> BradleyTerry:
    """Rate agents by their results: counts are those of `first`, may repeat a pair, and a tie is half a win.

    If seats were never swapped, a lead may come from moving first: the advantage then takes its share of it, and the
    intervals are wider.
    """
    met = meetings(agents, first, second, wins, ties, losses)
    found = estimated(_Games(agents, met, float(np.sum(ties)), advantage=advantage), prior)
    points, deviation = 0.0, 0.0
    if advantage:
        points = float(found.maximum.parameters[agents]) * POINTS_PER_NAT
        deviation = float(np.sqrt(found.dispersion * found.maximum.covariance[agents, agents])) * POINTS_PER_NAT
    return BradleyTerry(**vars(found), advantage=points, advantage_deviation=deviation)


class _Games(Outcomes):
    """Games of two players."""

    def __init__(self, agents: int, met: Meetings, ties: float, *, advantage: bool) -> None:
        self.agents, self.parameters, self.level = agents, agents + advantage, ties
        self._met = met
        self.lead = np.zeros((agents, agents))
        np.add.at(self.lead, (met.first, met.second), met.points)
        np.add.at(self.lead, (met.second, met.first), met.games - met.points)
        np.fill_diagonal(self.lead, 0)

    def likelihood(self, at: Floats) -> Likelihood:
        met, agents = self._met, self.agents
        lead = self._lead(at)
        soft = np.logaddexp(0, lead)
        chance = np.exp(lead - soft)
        surprise = met.points - met.games * chance
        weight = met.games * chance * (1 - chance)

        def net(values: Floats) -> Floats:
            return sums(met.first, values, agents) - sums(met.second, values, agents)

        between = sums(met.first * agents + met.second, weight, agents**2).reshape(agents, agents)
        between = between + between.T
        information = np.zeros((len(at), len(at)))
        information[:agents, :agents] = np.diag(between.sum(0)) - between
        gradient = np.zeros(len(at))
        gradient[:agents] = net(surprise)
        if len(at) > agents:
            information[agents, :agents] = information[:agents, agents] = net(weight)
            information[agents, agents] = weight.sum()
            gradient[agents] = surprise.sum()
        return Likelihood(float(met.points @ lead - met.games @ soft), gradient, information)

    def choices(self) -> Choices:
        met = self._met
        led = np.full(len(met.games), float(self.parameters > self.agents))
        return Choices(np.stack([met.first, met.second], 1), met.games, led)

    def variance(self, at: Floats) -> float:
        chance = logistic(self._lead(at))
        return float(self._met.games @ (chance * (1 - chance)))

    def _lead(self, at: Floats) -> Floats:
        lead: Floats = at[self._met.first] - at[self._met.second]
        return lead + at[self.agents] if len(at) > self.agents else lead
