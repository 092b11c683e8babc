"""Plackett–Luce ratings of games with several players, from their places."""

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludus.core.errors import InvalidError
from ludus.stats.ratings.likelihood import RIDGE, Estimate, Likelihood, maximise, rated
from ludus.stats.ratings.scale import Floats, Ints, sums


@dataclass(frozen=True, eq=False)
class PlackettLuce(Estimate):
    """Ratings in Elo points, and strengths, which are the same in nats; both have mean 0."""

    strengths: Floats


def plackett_luce(
    players: int,
    rankings: Sequence[Sequence[Sequence[int]]],
    counts: npt.ArrayLike,
    *,
    ridge: float = RIDGE,
) -> PlackettLuce:
    """Rate by rankings: each lists places from the first to the last, and a place lists the agents that share it.

    Agents that share a place count as if each of their possible orders had happened equally often: between two that is
    half a win, as in Bradley–Terry. `counts[r]` is the frequency of ranking r.
    """
    choices = _choices(players, rankings, counts)
    maximum = maximise(lambda at: _likelihood(choices, at), players, players, ridge)
    return PlackettLuce(*rated(maximum, players), maximum.parameters)


class _Choices(NamedTuple):
    """Rankings as chains of choices of the best among the remaining agents.

    `sets[c]` has the remaining agents, padded with the number of agents; `weights[c]` is the frequency of that set, and
    `chosen[i]` the number of choices of agent i.
    """

    sets: Ints
    weights: Floats
    chosen: Floats


def _choices(players: int, rankings: Sequence[Sequence[Sequence[int]]], counts: npt.ArrayLike) -> _Choices:
    weights: defaultdict[tuple[int, ...], float] = defaultdict(float)
    chosen = np.zeros(players)
    for ranking, count in zip(rankings, np.asarray(counts, np.float64).tolist(), strict=True):
        ranked = [agent for place in ranking for agent in place]
        if len(set(ranked)) < len(ranked) or not all(0 <= agent < players for agent in ranked):
            raise InvalidError(f"The ranking {ranking} has an agent twice, or one that is not among the {players}.")
        below: list[int] = []
        for place in reversed(ranking):
            for size in range(1, len(place) + 1):
                for left in itertools.combinations(place, size):
                    weights[tuple(sorted((*left, *below)))] += count / math.comb(len(place), size)
            chosen[list(place)] += count
            below.extend(place)
    sets = np.full((len(weights), max(map(len, weights), default=0)), players)
    for row, members in zip(sets, weights, strict=True):
        row[: len(members)] = members
    return _Choices(sets, np.array(list(weights.values()), np.float64), chosen)


def _likelihood(choices: _Choices, at: Floats) -> Likelihood:
    sets, weights, chosen = choices
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
    value = float(chosen @ at - weights @ (highest + np.log(total)).ravel())
    return Likelihood(value, chosen - expected, information)
