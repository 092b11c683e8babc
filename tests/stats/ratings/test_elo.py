from collections.abc import Sequence

import numpy as np
import pytest

from ludus.core.errors import LudusError
from ludus.stats.ratings import elo
from ludus.stats.ratings.scale import expected_score


def updated(rating: float, k: float, opponents: Sequence[float], scores: Sequence[float]) -> float:
    """The rating after games that are all rated at once, by the textbook."""
    gained = [score - expected_score(rating - other) for other, score in zip(opponents, scores, strict=True)]
    return rating + k * sum(gained)


def test_five_games_rated_at_once() -> None:
    rating = updated(1613, 32, [1609, 1477, 1388, 1586, 1720], [0, 0.5, 1, 1, 0])
    assert rating == pytest.approx(1601.2699, abs=5e-5)


def fide_k(rating: float, games: int) -> float:
    return 30 if games < 30 else 15 if rating < 2400 else 10


def uscf_k(rating: float, games: int) -> float:
    return 32 if rating < 2100 else 24 if rating < 2400 else 16


@pytest.mark.parametrize(("rate", "k_of"), [(elo.fide, fide_k), (elo.uscf, uscf_k)])
def test_agent_that_climbs_through_every_k_is_rated_game_by_game(rate, k_of) -> None:  # type: ignore[no-untyped-def]
    opponents = list(range(1, 9001))  # each new, so that the climber passes 2400
    scores = [0.5 if i % 500 == 0 else 0.0 for i in opponents]
    climber, others, ks = 1500.0, [], []
    for game, score in enumerate(scores):
        k = k_of(climber, game)
        ks.append(k)
        others.append(updated(1500, k_of(1500, 0), [climber], [score]))
        climber = updated(climber, k, [1500], [1 - score])
    assert len(set(ks)) == 3
    assert rate(9001, opponents, np.zeros(9000), scores) == pytest.approx([climber, *others])


def test_order_of_games_matters() -> None:
    first, second, scores = [0, 1, 0], [1, 2, 2], [1, 1, 0]
    there, back = elo.uscf(3, first, second, scores), elo.uscf(3, first[::-1], second[::-1], scores[::-1])
    assert there != pytest.approx(back)
    assert there.sum() == pytest.approx(4500)


def test_nobody_moves_without_games() -> None:
    assert elo.fide(3, [], [], []).tolist() == [1500, 1500, 1500]


@pytest.mark.parametrize(
    ("second", "complaint"), [([3], "the 3 agents are numbered"), ([1, 2], "one of each per game")]
)
def test_games_that_make_no_sense_are_refused(second: list[int], complaint: str) -> None:
    with pytest.raises(LudusError, match=complaint):
        elo.fide(3, [0], second, [1])
