from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from ludus.stats.equal_games import may_repeat, repeating

TYPES: dict[str, Any] = {"repetition": pl.Int64, "seats": pl.List(pl.Int64), "random": pl.Boolean, "ending": pl.String}


def games(
    courses: Sequence[int], seats: Sequence[int] = (0, 1), repetition: int = 0, random: bool = True
) -> pl.DataFrame:
    """Games of one seating with these courses, in order."""
    rows = [(repetition, list(seats), random, "rules", course) for course in courses]
    return pl.DataFrame(rows, TYPES | {"course": pl.Int64}, orient="row")


@pytest.mark.parametrize(
    ("courses", "equal"),
    [
        ([7, 7], True),
        ([1, 2, 3, 1, 2, 3], True),  # three openings in turn
        ([1, 2, 3, 1, 2, 3, 1], True),
        ([1, 2, 3, 1, 3, 2], False),
        ([1, 1, 1, 2], False),
        ([1, 2, 1], False),  # may be by chance
        ([1, 2, 3], False),
        ([1], False),
    ],
)
def test_games_that_repeat_themselves_opening_by_opening_are_found(courses: list[int], equal: bool) -> None:
    assert repeating(games(courses), each_repetition=False) == ([(0, 1)] if equal else [])


def test_every_seating_of_the_agents_must_repeat_itself() -> None:
    same, other = games([1, 1, 1]), games([5, 6, 7], (1, 0))
    assert repeating(pl.concat([same, other]), each_repetition=False) == []
    assert repeating(pl.concat([same, games([9, 9], (1, 0))]), each_repetition=False) == [(0, 1)]


def test_games_without_anything_random_are_left_to_the_evidence() -> None:
    assert repeating(games([1, 1, 1], random=False), each_repetition=False) == []


def test_repetitions_with_other_openings_are_apart() -> None:
    both = pl.concat([games([1, 1]), games([2, 2], repetition=1)])
    assert repeating(both, each_repetition=True) == [(0, 1)]
    assert repeating(both, each_repetition=False) == []


@pytest.mark.parametrize(("episodes", "different", "possible"), [(10, 5, True), (10, 6, False), (1, 1, False)])
def test_tallies_tell_whether_a_closer_look_is_worth_it(episodes: int, different: int, possible: bool) -> None:
    row = {"repetition": 0, "match": 0, "seats": [0, 1], "episodes": episodes, "different": different}
    assert may_repeat(pl.DataFrame([row])) == possible
    assert may_repeat(pl.DataFrame([row, row | {"match": 1}])) == (2 * different <= 2 * episodes)
