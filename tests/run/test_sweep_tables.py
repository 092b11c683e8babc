import itertools
import math
from typing import Any

import polars as pl
import pytest

from ludus.run.sweep_tables import better, scored, scores
from ludus.stats.intervals import student_chance

SCHEMA: dict[str, Any] = {
    "repetition": pl.Int64,
    "match": pl.Int64,
    "number": pl.Int64,
    "seats": pl.List(pl.Int64),
    "scores": pl.List(pl.Float64),
    "ending": pl.String,
    "course": pl.Int64,
}


def episodes(*rows: tuple[int, list[int], list[float]], ending: str = "rules") -> pl.DataFrame:
    """Episodes of these numbers, seats and scores, each of its own course."""
    return pl.DataFrame(
        [
            (0, 0, number, seats, [float(score) for score in points], ending, course)
            for course, (number, seats, points) in enumerate(rows)
        ],
        SCHEMA,
        orient="row",
    )


# Variants 0 and 1 against agent 2, from both seats.
FIELD = episodes(
    (0, [0, 2], [1, -1]),
    (1, [0, 2], [0, 0]),
    (0, [2, 0], [1, -1]),
    (1, [2, 0], [1, -1]),
    (0, [1, 2], [1, -1]),
    (1, [1, 2], [1, -1]),
    (0, [2, 1], [-1, 1]),
    (1, [2, 1], [0, 0]),
)


def test_scores_are_those_of_the_variants_from_every_seat() -> None:
    found = {row["variant"]: row for row in scores(scored(FIELD, 2)).iter_rows(named=True)}
    assert [found[0][name] for name in ("episodes", "wins", "ties", "losses", "score")] == [4, 1, 1, 2, 0.375]
    assert [found[1][name] for name in ("episodes", "wins", "ties", "losses", "score")] == [4, 3, 1, 0, 0.875]
    assert found[1]["low"] < 0.875 < found[1]["high"] <= 1


def test_variants_are_compared_episode_by_episode() -> None:
    # Leads of variant 1: 0, ½, 1 and ½; with ±√(3/8) the mean is 1/3, and its error √(19/72/5).
    assert better(scored(FIELD, 2), 0) == {1: pytest.approx(student_chance((1 / 3) / math.sqrt(19 / 72 / 5), 5))}
    assert better(scored(FIELD, 2), 1)[0] == pytest.approx(1 - better(scored(FIELD, 2), 0)[1])


def test_what_only_one_of_them_has_played_is_not_compared() -> None:
    found = scored(FIELD.filter(~((pl.col("number") == 1) & pl.col("seats").list.contains(1))), 2)
    # Leads of 0 and 1; with ±√½ the mean is ¼, and its error √(7/16/3).
    assert better(found, 0) == {1: pytest.approx(student_chance((1 / 4) / math.sqrt(7 / 16 / 3), 3))}


def test_repeated_episodes_count_but_make_nothing_surer() -> None:
    again = FIELD.with_columns(pl.col("number") + 2)
    once, twice = (scores(scored(field, 2)) for field in (FIELD, pl.concat([FIELD, again])))
    assert twice["episodes"].to_list() == [8, 8]
    assert twice.select("score", "low", "high").equals(once.select("score", "low", "high"))
    chances = [better(scored(field, 2), 0) for field in (FIELD, pl.concat([FIELD, again]))]
    assert chances[0] == pytest.approx(chances[1])


def test_machine_faults_have_no_result() -> None:
    assert scored(episodes((0, [0, 2], [0, 0]), ending="machine"), 2).is_empty()


def test_among_several_players_the_first_place_counts() -> None:
    found = scored(episodes((0, [3, 0, 2], [-1, 1, 0]), (1, [3, 0, 2], [1, 0, -1]), (2, [3, 0, 2], [0.5, 0.5, -1])), 1)
    assert found["score"].to_list() == [1.0, 0.0, 0.5]
    assert found["opponents"].to_list() == [[2, 3]] * 3


def test_points_of_one_player_are_compared_seed_by_seed() -> None:
    solo = episodes(*((number, [0], [100.0 + number]) for number in range(8)))
    other = episodes(*((number, [1], [110.0 + 2 * number]) for number in range(8)))
    found = scored(pl.concat([solo, other]), 2)
    table = {row["variant"]: row for row in scores(found).iter_rows(named=True)}
    assert table[0]["score"] == 103.5
    assert table[0]["low"] < 103.5 < table[0]["high"]
    assert better(found, 0)[1] > 0.99


def test_scores_can_be_set_apart_by_opponent() -> None:
    field = episodes((0, [0, 2], [1, -1]), (0, [0, 3], [-1, 1]))
    found = scores(scored(field, 1), ["variant", "opponents"])
    assert dict(zip([o[0] for o in found["opponents"]], found["score"], strict=True)) == {2: 1.0, 3: 0.0}


def leads(*points: float) -> float:
    """The chance that a player is better who is ahead by so much, seed by seed."""
    both = [(number, [0], [50.0]) for number in range(len(points))]
    both += [(number, [1], [50.0 + lead]) for number, lead in enumerate(points)]
    return better(scored(episodes(*both), 2), 0)[1]


def test_leads_that_are_all_equal_tell_something_and_more_of_them_more() -> None:
    assert leads(0, 0, 0) == 0.5
    assert 0.5 < leads(10) < leads(10, 10) < leads(10, 10, 10) < leads(*[10] * 9) < 1
    assert leads(10, 10, 10) == pytest.approx(leads(1, 1, 1)) == pytest.approx(1 - leads(-10, -10, -10))


def test_four_pairs_never_make_it_sure() -> None:
    results = list(itertools.product([-1.0, 0.0, 1.0], repeat=4))
    assert max(leads(*four) for four in results) < 0.95
