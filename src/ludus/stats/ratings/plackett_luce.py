"""Plackett–Luce ratings of games with several players, from their places."""

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ludus.core.errors import InvalidError
from ludus.stats.ratings.estimate import Estimate, estimated
from ludus.stats.ratings.likelihood import PRIOR, Choices, Likelihood, Outcomes
from ludus.stats.ratings.scale import Floats, logistic, sums


@dataclass(frozen=True, eq=False)
class PlackettLuce(Estimate):
    """Ratings in Elo points, and strengths: the ratings in nats, but with mean 0 over all agents."""

    strengths: Floats


def plackett_luce(
    players: int,
    rankings: Sequence[Sequence[Sequence[int]]],
    counts: npt.ArrayLike,
    *,
    prior: float = PRIOR,
) -> PlackettLuce:
    """Rate by rankings: each lists places from the first to the last, and a place lists the agents that share it.

    Agents that share a place count as if each of their possible orders had happened equally often: between two that is
    half a win, as in Bradley–Terry. `counts[r]` is the frequency of ranking r.
    """
    found = estimated(_Rankings(players, rankings, np.asarray(counts, np.float64)), prior)
    return PlackettLuce(**vars(found), strengths=found.maximum.parameters)


class _Rankings(Outcomes):
    """Rankings as chains of choices of the best among the remaining agents."""

    def __init__(self, players: int, rankings: Sequence[Sequence[Sequence[int]]], counts: Floats) -> None:
        self.agents = self.parameters = players
        self.level = 0.0
        self.lead = np.zeros((players, players))
        self._together = np.zeros((players, players))
        """[i, j]: the number of rankings with both agents."""
        self._chosen = np.zeros(players)
        """The number of choices of each agent."""
        weights: defaultdict[tuple[int, ...], float] = defaultdict(float)
        for ranking, count in zip(rankings, counts.tolist(), strict=True):
            ranked = [agent for place in ranking for agent in place]
            if len(set(ranked)) < len(ranked) or not all(0 <= agent < players for agent in ranked):
                raise InvalidError(f"The ranking {ranking} has an agent twice, or one that is not among the {players}.")
            self._together[np.ix_(ranked, ranked)] += count
            below: list[int] = []
            for place in reversed(ranking):
                for size in range(1, len(place) + 1):
                    for left in itertools.combinations(place, size):
                        weights[tuple(sorted((*left, *below)))] += count / math.comb(len(place), size)
                self._chosen[list(place)] += count
                below.extend(place)
                self.lead[np.ix_(place, below)] += count
                self.level += count * math.comb(len(place), 2)
        np.fill_diagonal(self.lead, 0)
        self._sets = np.full((len(weights), max(map(len, weights), default=0)), players)
        """The agents of each choice, padded with the number of agents."""
        for row, members in zip(self._sets, weights, strict=True):
            row[: len(members)] = members
        self._weights = np.array(list(weights.values()), np.float64)

    def likelihood(self, at: Floats) -> Likelihood:
        sets, weights = self._sets, self._weights
        players = len(at)
        size = players + 1  # the last index is padding, which is never chosen
        strengths = np.append(at, -np.inf)[sets]
        highest = strengths.max(1, initial=-np.inf, keepdims=True)
        odds = np.exp(strengths - highest)
        total = odds.sum(1, keepdims=True)
        chances = odds / total
        weighted = chances * weights[:, None]
        together = np.zeros(size * size)
        for column, by in zip(sets.T, weighted.T, strict=True):
            together += sums((column[:, None] * size + sets).ravel(), (by[:, None] * chances).ravel(), size * size)
        expected = sums(sets.ravel(), weighted.ravel(), size)[:players]
        information = np.diag(expected) - together.reshape(size, size)[:players, :players]
        value = float(self._chosen @ at - weights @ (highest + np.log(total)).ravel())
        return Likelihood(value, self._chosen - expected, information)

    def choices(self) -> Choices:
        return Choices(self._sets, self._weights, np.zeros(len(self._weights)))

    def variance(self, at: Floats) -> float:
        chance = logistic(at[:, None] - at[None, :])
        return float(np.triu(self._together * chance * (1 - chance), 1).sum())
