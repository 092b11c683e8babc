"""Profile likelihood: the range of one rating while all others adapt to it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ludus.stats.ratings.likelihood import Choices, Maximum, Outcomes, with_prior
from ludus.stats.ratings.scale import Floats, Ints, sums

MANY = 50
"""The number of agents from which the others follow on a straight line, which is then as good, and much faster."""
_LONGEST = 4.0  # nats: the longest step
_ENOUGH = 1e-4  # nats: steps no longer than this end a search
_MOST_STEPS = 60


def interval_ends(
    outcomes: Outcomes, prior: float, maximum: Maximum, drop: float, shares: Floats
) -> tuple[Floats, Floats]:
    """The lowest and highest value of each rating, less the mean, at which the likelihood is lower by `drop` nats.

    `shares` are those of the agents in the mean.
    """
    n = outcomes.agents
    if n < 2:
        return np.zeros(n), np.zeros(n)
    if n >= MANY:
        lines = _Lines.of(outcomes, prior, maximum, np.arange(n)[:, None], shares)
        centred = maximum.parameters[:n] - shares @ maximum.parameters[:n]
        return centred + lines.end(-1, drop), centred + lines.end(1, drop)
    directions = np.zeros((n, outcomes.parameters))
    directions[:, :n] = np.eye(n) - shares
    low, high = (
        np.array([_end(outcomes, prior, maximum, drop, sign * direction) for direction in directions]) * sign
        for sign in (-1, 1)
    )
    return low, high


def losses_if_equal(outcomes: Outcomes, prior: float, maximum: Maximum, pairs: Ints) -> Floats:
    """The loss of the logarithm of the likelihood, for each pair of agents, if these two are equally strong."""
    if outcomes.agents >= MANY:
        ratings = maximum.parameters[pairs]
        alike = np.full(outcomes.agents, 1 / outcomes.agents)
        return _Lines.of(outcomes, prior, maximum, pairs, alike).at(ratings[:, 1] - ratings[:, 0])[0]
    return np.array([_loss_if_equal(outcomes, prior, maximum, i, j) for i, j in pairs.tolist()])


def _loss_if_equal(outcomes: Outcomes, prior: float, maximum: Maximum, i: int, j: int) -> float:
    evaluate = with_prior(outcomes, prior)
    direction = np.zeros(outcomes.parameters)
    direction[i], direction[j] = 1, -1
    reach = maximum.covariance @ direction
    here = maximum.parameters - direction @ maximum.parameters / (direction @ reach) * reach
    for _ in range(_MOST_STEPS):
        value, gradient, information = evaluate(here)
        up, along = np.linalg.solve(information, np.stack([gradient, direction], 1)).T
        step = up - (direction @ (here + up)) / (direction @ along) * along
        size = np.abs(step).max()
        if size < _ENOUGH:
            break
        here = here + step * min(1.0, _LONGEST / size)
    return float(maximum.value - value)


def _end(outcomes: Outcomes, prior: float, maximum: Maximum, drop: float, direction: Floats) -> float:
    """The farthest point in this direction at which the likelihood is lower by no more than `drop`.

    Each step goes to the farthest point of the parabola that touches the likelihood here.
    """
    evaluate, target = with_prior(outcomes, prior), maximum.value - drop
    reach = maximum.covariance @ direction
    step = reach * np.sqrt(2 * drop / (direction @ reach))
    here = maximum.parameters
    for _ in range(_MOST_STEPS):
        size = np.abs(step).max()
        here = here + step * min(1.0, _LONGEST / max(size, _ENOUGH))
        if size < _ENOUGH:
            break
        value, gradient, information = evaluate(here)
        up, along = np.linalg.solve(information, np.stack([gradient, direction], 1)).T
        left = max(value - target + gradient @ up / 2, 0.0)
        step = up + np.sqrt(2 * left / (direction @ along)) * along
    return float(direction @ here)


@dataclass(frozen=True, eq=False)
class _Lines:
    """Straight lines through the maximum, on which all agents follow a few leaders as they do near the maximum.

    The leaders' own choices count exactly, and all others by their curvature at the maximum. A point of a line is how
    far its first leader is from the maximum, less the second leader, or else the mean.
    """

    spreads: Floats
    """The variance of each line's distance."""
    line: Ints
    """For each choice that matters on a line: the line, its weight, the members' strengths, and how these change."""
    weights: Floats
    strengths: Floats
    slopes: Floats

    @staticmethod
    def of(outcomes: Outcomes, prior: float, maximum: Maximum, leaders: Ints, shares: Floats) -> "_Lines":
        """Lines with these leaders: [line, first or second]; `shares` are those of the agents in the mean."""
        n, count = outcomes.agents, len(leaders)
        directions = np.zeros((count, outcomes.parameters))
        directions[np.arange(count), leaders[:, 0]] = 1
        directions[:, :n] -= shares
        if leaders.shape[1] > 1:
            directions[np.arange(count), leaders[:, 1]] -= 1
            directions[:, :n] += shares
        ways = directions @ maximum.covariance
        spreads = (ways * directions).sum(1)
        ways /= spreads[:, None]
        sets, weights, led = _with_prior_games(outcomes.choices(), n, prior)
        line, choice = _taking_part(sets, leaders, n)
        strengths = np.append(maximum.parameters[:n], -np.inf)[sets]
        slopes = np.append(ways[:, :n], np.zeros((count, 1)), 1)[line[:, None], sets[choice]]
        if outcomes.parameters > n:
            strengths[:, 0] += led * maximum.parameters[n]
            slopes[:, 0] += led[choice] * ways[line, n]
        return _Lines(spreads, line, weights[choice], strengths[choice], slopes)

    def at(self, distance: Floats) -> tuple[Floats, Floats, Floats]:
        """The loss of the likelihood at this distance on each line, with its slope and curvature."""
        _, slope, bend = self._choices
        value, slope_there, bend_there = self._own(distance)
        rest = 1 / self.spreads - bend
        return (
            value - slope * distance + rest * distance**2 / 2,
            slope_there - slope + rest * distance,
            bend_there + rest,
        )

    def end(self, sign: int, drop: float) -> Floats:
        """The distance on each line at which the likelihood is lower by `drop`."""
        there = sign * np.sqrt(2 * drop * self.spreads)
        for _ in range(_MOST_STEPS):
            value, slope, bend = self.at(there)
            left = np.maximum(2 * bend * (drop - value) + slope**2, 0.0)
            step = np.clip((sign * np.sqrt(left) - slope) / bend, -_LONGEST, _LONGEST)
            there = there + step
            if np.abs(step).max() < _ENOUGH:
                break
        return there

    @cached_property
    def _choices(self) -> tuple[Floats, Floats, Floats]:
        return self._own(np.zeros(len(self.spreads)))

    @cached_property
    def _odds(self) -> Floats:
        odds: Floats = np.exp(self.strengths - self.strengths.max(1, keepdims=True))
        return odds / odds.sum(1, keepdims=True)

    def _own(self, distance: Floats) -> tuple[Floats, Floats, Floats]:
        odds = self._odds * np.exp(distance[self.line, None] * self.slopes)
        total = np.einsum("ij->i", odds)
        mean = np.einsum("ij,ij->i", odds, self.slopes) / total
        variance = np.einsum("ij,ij,ij->i", odds, self.slopes, self.slopes) / total - mean**2
        lost = (self.weights * values for values in (np.log(total), mean, variance))
        value, slope, bend = (sums(self.line, values, len(distance)) for values in lost)
        return value, slope, bend


def _taking_part(sets: Ints, leaders: Ints, agents: int) -> tuple[Ints, Ints]:
    """The lines and the choices in which one of their leaders takes part, each combination once."""
    choice, column = np.nonzero(sets < agents)
    members = sets[choice, column]
    choice = choice[np.argsort(members, kind="stable")]
    ends = np.cumsum(np.bincount(members, minlength=agents))
    line, leader = np.repeat(np.arange(len(leaders)), leaders.shape[1]), leaders.ravel()
    parts = [choice[ends[one - 1] if one else 0 : ends[one]] for one in leader.tolist()]
    found = np.unique(np.concatenate([number * len(sets) + part for number, part in zip(line, parts, strict=True)]))
    return found // len(sets), found % len(sets)


def _with_prior_games(choices: Choices, agents: int, prior: float) -> Choices:
    sets, weights, led = choices
    pairs = np.full((agents * (agents - 1) // 2, max(sets.shape[1], 2)), agents)
    pairs[:, :2] = np.array(np.triu_indices(agents, 1)).T
    if not len(sets):
        sets = pairs[:0]
    return Choices(
        np.concatenate([sets, pairs]),
        np.append(weights, np.full(len(pairs), 2 * prior / (agents - 1))),
        np.append(led, np.zeros(len(pairs))),
    )
