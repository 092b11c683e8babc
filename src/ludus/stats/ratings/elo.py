"""Elo ratings as federations keep them: game after game, so the order of games matters."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ludus.core.errors import InvalidError
from ludus.kernel.jit import compiled, interpreted
from ludus.stats.ratings.scale import Floats, Ints, expected_score

START = 1500.0
_MANY = 20_000
"""Games from which on it pays to load compiled code, which takes half a second."""


def fide(agents: int, first: npt.ArrayLike, second: npt.ArrayLike, scores: npt.ArrayLike) -> Floats:
    """Ratings after all games: K is 30 in an agent's first 30 games, then 15, or 10 while it is at 2400 or above.

    `first[g]` and `second[g]` met in game g, and `scores[g]` is 1, ½ or 0 for the first.
    """
    return _rated(agents, first, second, scores, uscf=False)


def uscf(agents: int, first: npt.ArrayLike, second: npt.ArrayLike, scores: npt.ArrayLike) -> Floats:
    """Ratings after all games: K is 32 below 2100, 24 below 2400, and 16 above. Games are given as for `fide`."""
    return _rated(agents, first, second, scores, uscf=True)


def updated(rating: float, k: float, opponents: Sequence[float], scores: Sequence[float]) -> float:
    """The rating after games that are all rated at once."""
    return rating + k * sum(
        score - expected_score(rating - opponent) for opponent, score in zip(opponents, scores, strict=True)
    )


@compiled
def _fide_k(rating: float, games: int) -> float:
    return 30.0 if games < 30 else 15.0 if rating < 2400 else 10.0


@compiled
def _uscf_k(rating: float) -> float:
    return 32.0 if rating < 2100 else 24.0 if rating < 2400 else 16.0


@compiled
def _rate(ratings: Floats, games: Ints, first: Ints, second: Ints, scores: Floats, uscf: bool) -> None:
    for game in range(len(scores)):
        i, j = first[game], second[game]
        surprise = scores[game] - 1 / (1 + 10 ** ((ratings[j] - ratings[i]) / 400))
        k_of_i = _uscf_k(ratings[i]) if uscf else _fide_k(ratings[i], games[i])
        k_of_j = _uscf_k(ratings[j]) if uscf else _fide_k(ratings[j], games[j])
        ratings[i] += k_of_i * surprise
        ratings[j] -= k_of_j * surprise
        games[i] += 1
        games[j] += 1


def _rated(agents: int, first: npt.ArrayLike, second: npt.ArrayLike, scores: npt.ArrayLike, *, uscf: bool) -> Floats:
    one, other = np.asarray(first, np.int64).ravel(), np.asarray(second, np.int64).ravel()
    points = np.asarray(scores, np.float64).ravel()
    if not len(one) == len(other) == len(points):
        raise InvalidError(f"{len(one)} first, {len(other)} second and {len(points)} scores: give one of each a game.")
    if len(one) and not 0 <= min(one.min(), other.min()) <= max(one.max(), other.max()) < agents:
        raise InvalidError(f"A game names an agent that is not among the {agents}: they are numbered from 0.")
    ratings = np.full(agents, START)
    rate = _rate if len(points) > _MANY else interpreted(_rate)
    rate(ratings, np.zeros(agents, np.int64), one, other, points, uscf)
    return ratings
