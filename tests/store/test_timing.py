import numpy as np
import polars as pl
import pytest

from ludus.store import histogram
from ludus.store.timing import WHOLE_EPISODE, thinking, timing


def row(match: int, seat: int, agent: int, walls: list[int], faults: int = 0) -> dict[str, object]:
    return {
        "repetition": 0,
        "match": match,
        "seat": seat,
        "agent": agent,
        "moves": len(walls),
        "total": sum(walls),
        "fastest": min(walls, default=0),
        "slowest": max(walls, default=0),
        "faults": faults,
        "histogram": histogram.pack(histogram.counts(walls)),
    }


TIMINGS = pl.DataFrame(
    [
        row(0, WHOLE_EPISODE, -1, [5000, 9000]),
        row(0, 0, 0, [1000, 1000, 1000, 3000]),
        row(0, 1, 1, [500, 700, 900, 6000], faults=1),
        row(1, WHOLE_EPISODE, -1, [2000]),
        row(1, 0, 1, [400]),
        row(1, 1, 0, [1600]),
    ]
)


def test_times_of_an_agent_come_from_all_its_matches() -> None:
    found = timing(TIMINGS).row(0, named=True)
    assert (found["agent"], found["moves"], found["fastest"], found["slowest"]) == (0, 5, 1000, 3000)
    assert found["mean"] == pytest.approx(7600 / 5)
    assert found["median"] == pytest.approx(1000, rel=0.03)
    assert found["q3"] == pytest.approx(1600, rel=0.03)
    assert (found["episodes"], found["episode_fastest"], found["episode_slowest"]) == (3, 2000, 9000)
    assert found["episode_mean"] == pytest.approx(16000 / 3)
    assert found["episode_median"] == pytest.approx(5000, rel=0.03)


def test_faults_are_those_of_the_agent() -> None:
    assert timing(TIMINGS)["faults"].to_list() == [0, 1]


FAILED = pl.DataFrame(
    [
        row(2, WHOLE_EPISODE, -1, [100, 300], faults=2),
        row(2, 0, 2, [], faults=2),
        row(2, 1, 0, []),
    ]
)
"""A match in which agent 2 failed before the first move, twice."""


def test_faults_and_episodes_without_a_move_count_and_have_no_times() -> None:
    found = timing(pl.concat([TIMINGS, FAILED]))
    assert found.select("agent", "moves", "episodes", "faults").rows() == [(0, 5, 5, 0), (1, 5, 3, 1), (2, 0, 2, 2)]
    times = ("fastest", "q1", "median", "q3", "slowest", "mean")
    assert found.select(times).row(2) == (None,) * 6
    assert found.select(times).row(0) == timing(TIMINGS).select(times).row(0)
    assert found.select("episode_fastest", "episode_slowest").rows() == [(100, 9000), (2000, 9000), (100, 300)]


def test_matches_without_a_move_unfold_too() -> None:
    found = timing(pl.concat([TIMINGS, FAILED]), "match").filter(pl.col("match") == 2)
    columns = ("seat", "agent", "moves", "median", "mean", "episodes", "episode_slowest", "faults")
    assert found.select(columns).rows() == [(0, 2, 0, None, None, 2, 300, 2), (1, 0, 0, None, None, 2, 300, 0)]


def test_who_never_moved_has_no_thinking_time() -> None:
    assert thinking(pl.concat([TIMINGS, FAILED])).equals(thinking(TIMINGS))


def test_times_unfold_by_match_and_seat() -> None:
    found = timing(TIMINGS, "match")
    assert found.select("match", "seat", "agent", "moves").rows() == [
        (0, 0, 0, 4),
        (0, 1, 1, 4),
        (1, 0, 1, 1),
        (1, 1, 0, 1),
    ]
    assert found["episode_slowest"].to_list() == [9000, 9000, 2000, 2000]


def test_quantiles_stay_within_what_was_measured() -> None:
    found = timing(pl.DataFrame([row(0, WHOLE_EPISODE, -1, [1000]), row(0, 0, 0, [1000])]))
    assert found.select("fastest", "q1", "median", "q3", "slowest").row(0) == (1000, 1000, 1000, 1000, 1000)


def test_quantiles_of_many_times_are_within_three_percent() -> None:
    walls = np.random.default_rng(1).lognormal(12, 1.5, 20_000).astype(int)
    halves = [row(0, 0, 0, walls[:7000].tolist()), row(1, 0, 0, walls[7000:].tolist())]
    whole = [row(0, WHOLE_EPISODE, -1, [1]), row(1, WHOLE_EPISODE, -1, [1])]
    found = timing(pl.DataFrame(halves + whole)).row(0, named=True)
    for name, q in (("q1", 0.25), ("median", 0.5), ("q3", 0.75)):
        assert found[name] == pytest.approx(np.quantile(walls, q), rel=0.03)


def test_thinking_time_is_the_agents_own() -> None:
    # 3 µs and 1.6 µs an episode; 4.05 µs and 0.4 µs.
    assert thinking(TIMINGS).rows() == [(0, pytest.approx(2300)), (1, pytest.approx(2225))]


def test_no_times_give_empty_tables() -> None:
    assert timing(TIMINGS.clear()).is_empty()
    assert timing(TIMINGS.clear(), "match").is_empty()
    assert thinking(TIMINGS.clear()).is_empty()
