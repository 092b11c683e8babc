"""Elo ratings as federations compute them: game after game, so the order of games matters."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ludus.core.errors import InvalidError
from ludus.stats.ratings.scale import Floats

START = 1500.0


def fide(agents: int, first: npt.ArrayLike, second: npt.ArrayLike, scores: npt.ArrayLike) -> Floats:
    """Ratings after all games: K is 30 in an agent's first 30 games, then 15, or 10 while it is at 2400 or above.

    `first[g]` and `second[g]` met in game g, and `scores[g]` is 1, ½ or 0 for the first.
    """
    return _rated(agents, first, second, scores, _fide_k)


def uscf(agents: int, first: npt.ArrayLike, second: npt.ArrayLike, scores: npt.ArrayLike) -> Floats:
    """Ratings after all games: K is 32 below 2100, 24 below 2400, and 16 above. Games are given as for `fide`."""
    return _rated(agents, first, second, scores, _uscf_k)


def _fide_k(rating: float, games: int) -> float:
    return 30.0 if games < 30 else 15.0 if rating < 2400 else 10.0


def _uscf_k(rating: float, games: int) -> float:
    return 32.0 if rating < 2100 else 24.0 if rating < 2400 else 16.0


def _rated(
    agents: int,
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    scores: npt.ArrayLike,
    k_of: Callable[[float, int], float],
) -> Floats:
    one, other = np.asarray(first, np.int64).ravel(), np.asarray(second, np.int64).ravel()
    points = np.asarray(scores, np.float64).ravel()
    if not len(one) == len(other) == len(points):
        raise InvalidError(
            f"{len(one)} first, {len(other)} second and {len(points)} scores: give one of each per game."
        )
    if len(one) and not 0 <= min(one.min(), other.min()) <= max(one.max(), other.max()) < agents:
        raise InvalidError(f"A game has an agent that does not exist: the {agents} agents are numbered from 0.")
    ratings, games = [START] * agents, [0] * agents
    for i, j, score in zip(one.tolist(), other.tolist(), points.tolist(), strict=True):
        of_i, of_j = ratings[i], ratings[j]
        surprise = score - 1 / (1 + 10 ** ((of_j - of_i) / 400))  # `expected_score`, at half the time
        ratings[i] += k_of(of_i, games[i]) * surprise
        ratings[j] -= k_of(of_j, games[j]) * surprise
        games[i] += 1
        games[j] += 1
    return np.array(ratings)
