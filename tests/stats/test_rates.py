import math

import polars as pl
import pytest

from ludus.stats.rates import rates, seated, wilson, with_opponents


def tally(
    seats: list[int],
    scores: list[float],
    episodes: int = 1,
    early: list[bool] | None = None,
    fresh: int | None = None,
) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "seats": [seats],
            "scores": [[float(score) for score in scores]],
            "early": [early or [False] * len(seats)],
            "episodes": [episodes],
            "fresh": [episodes if fresh is None else fresh],
        }
    )


def by_agent(*tallies: pl.DataFrame) -> dict[int, dict[str, float]]:
    table = rates(seated(pl.concat(tallies)), ["agent"])
    return {row["agent"]: row for row in table.iter_rows(named=True)}


@pytest.mark.parametrize(
    ("wins", "episodes", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, table I: the score method.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_are_those_of_the_literature(wins: int, episodes: int, low: float, high: float) -> None:
    found = wilson([wins], [episodes])
    assert found[0][0] == pytest.approx(low, abs=5e-5)
    assert found[1][0] == pytest.approx(high, abs=5e-5)


def test_interval_ends_at_0_and_1_exactly_and_is_all_of_it_without_episodes() -> None:
    low, high = wilson([0, 7, 0], [7, 7, 0])
    assert (low[0], high[1]) == (0.0, 1.0)
    assert (low[2], high[2]) == (0.0, 1.0)
    assert math.isclose(high[0], 1 - low[1])


def test_first_place_alone_is_a_win_and_one_shared_is_a_tie() -> None:
    found = by_agent(tally([0, 1, 2], [1, 0, -1], 5), tally([0, 1, 2], [0.5, 0.5, -1], 2), tally([2, 0, 1], [1, 0, 0]))
    assert [(found[agent]["wins"], found[agent]["ties"], found[agent]["losses"]) for agent in range(3)] == [
        (5, 2, 1),
        (0, 2, 6),
        (1, 0, 7),
    ]
    assert found[0]["rate"] == pytest.approx(5 / 8)
    assert found[0]["low"] < 5 / 8 < found[0]["high"]


def test_early_ends_are_left_out_for_those_whom_they_favoured() -> None:
    found = by_agent(tally([0, 1], [1, -1], 6), tally([0, 1], [1, -1], 4, early=[True, False]))
    assert (found[0]["episodes"], found[0]["kept_episodes"], found[0]["kept_wins"]) == (10, 6, 6)
    assert (found[1]["episodes"], found[1]["kept_episodes"], found[1]["kept_losses"]) == (10, 10, 10)


def test_repeated_episodes_count_but_make_the_rate_no_surer() -> None:
    found = by_agent(tally([0, 1], [1, -1], 60, fresh=6), tally([0, 1], [-1, 1], 20, fresh=2))
    once = by_agent(tally([0, 1], [1, -1], 6), tally([0, 1], [-1, 1], 2))
    assert (found[0]["episodes"], found[0]["wins"], found[0]["rate"]) == (80, 60, 0.75)
    assert [found[0][end] for end in ("low", "high")] == pytest.approx([once[0][end] for end in ("low", "high")])


def test_without_an_episode_left_there_is_no_rate() -> None:
    found = by_agent(tally([0, 1], [1, -1], 4, early=[True, False]))
    assert found[0]["rate"] == 1.0
    assert [found[0][f"kept_{name}"] for name in ("rate", "low", "high")] == [None, None, None]


def test_agent_that_sits_twice_counts_for_both_seats() -> None:
    found = by_agent(tally([0, 1, 1], [-1, 1, 0], 3))
    assert (found[1]["episodes"], found[1]["wins"], found[1]["losses"]) == (6, 3, 3)


def test_two_seats_of_an_agent_are_one_episode_for_its_interval() -> None:
    found = by_agent(tally([0, 1, 1], [-1, 1, 0], 30, early=[False, True, False]))
    low, high = wilson([15], [30])
    assert (found[1]["low"], found[1]["high"]) == pytest.approx((low[0], high[0]))
    assert (found[1]["kept_episodes"], found[1]["kept_fresh"]) == (30, 30)


def test_opponents_count_once_an_episode_wherever_they_sit() -> None:
    rows = with_opponents(seated(tally([0, 1, 1], [1, 0, -1], 3)))
    found = {
        (row["agent"], row["opponent"]): row["episodes"]
        for row in rates(rows, ["agent", "opponent"]).iter_rows(named=True)
    }
    assert found == {(0, 1): 3, (1, 0): 6, (1, 1): 6}


def test_number_of_players_is_told() -> None:
    table = rates(seated(pl.concat([tally([0, 1], [1, -1], 2), tally([0, 1, 2], [0, 1, -1])])), ["players"])
    assert dict(table.select("players", "episodes").iter_rows()) == {2: 4, 3: 3}
