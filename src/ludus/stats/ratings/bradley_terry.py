"""Bradley–Terry ratings of two-player games with an advantage of moving first: the default ranking."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludus.stats.ratings.likelihood import RIDGE, Estimate, Likelihood, maximise, rated
from ludus.stats.ratings.pair_counts import Meetings, meetings
from ludus.stats.ratings.scale import POINTS_PER_NAT, Floats, sums


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
    ridge: float = RIDGE,
) -> BradleyTerry:
    """Rate agents by their results: counts are those of `first`, may repeat a pair, and a tie is half a win.

    If seats were never swapped, a lead may come from moving first: the advantage then takes its share of it, and the
    error bars are wider.
    """
    met = meetings(agents, first, second, wins, ties, losses)
    parameters = agents + advantage
    maximum = maximise(lambda at: _likelihood(met, agents, at), agents, parameters, ridge)
    ratings, covariance = rated(maximum, agents)
    if not advantage:
        return BradleyTerry(ratings, covariance, 0.0, 0.0)
    deviation = float(np.sqrt(maximum.covariance[-1, -1]))
    return BradleyTerry(ratings, covariance, float(maximum.parameters[-1]) * POINTS_PER_NAT, deviation * POINTS_PER_NAT)


def _likelihood(met: Meetings, agents: int, at: Floats) -> Likelihood:
    """The likelihood at these ratings in nats, which the advantage follows unless there is none."""
    lead = at[met.first] - at[met.second] + (at[agents] if len(at) > agents else 0.0)
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
