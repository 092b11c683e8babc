import polars as pl

from ludus.stats.endings import endings, faulty, first_blamed
from support.tallying import tallies, tally


def test_endings_name_the_agent_to_blame() -> None:
    found = endings(
        tallies(
            tally((3, 4), (1, -1), 10),
            tally((4, 3), (1, -1), 7),
            tally((3, 4), (1, -1), 2, ending="late", by=[1]),
            tally((4, 3), (-1, 1), 3, ending="late", by=[0]),
            tally((3, 4), (0, 0), 1, ending="machine"),
        )
    )
    assert found.rows() == [(None, "rules", 17), (4, "late", 5), (None, "machine", 1)]


def test_an_episode_counts_for_each_who_is_to_blame() -> None:
    found = endings(tally((0, 1), (0, 0), 4, ending="illegal", by=[0, 1]))
    assert found.rows() == [(0, "illegal", 4), (1, "illegal", 4)]


def test_games_that_ended_by_faults_are_counted_with_those_to_blame() -> None:
    played = tallies(
        tally((0, 1), (1, -1), 10),
        tally((0, 1), (1, -1), 3, ending="illegal", by=[1]),
        tally((1, 0), (0, 0), 2, ending="late", by=[0, 1]),
    )
    found = faulty(played, ["a", "b"], [3, 5])
    assert (found.episodes, found.of, found.by) == (5, 15, {"b": 5, "a": 2})
    assert found.command == "ludus results 3 5 --faults"
    assert faulty(tallies(), [], [1])[:3] == (0, 0, {})


def test_nothing_played_has_no_endings() -> None:
    assert endings(tallies()).is_empty()


def test_the_first_episode_of_each_fault_is_found() -> None:
    rows = [
        (0, 0, 0, [3, 4], "rules", []),
        (0, 0, 1, [3, 4], "late", [1]),
        (0, 0, 2, [3, 4], "late", [0, 1]),
        (0, 1, 0, [4, 3], "late", [0]),
        (1, 0, 0, [3, 4], "failed", [1]),
    ]
    names = ["repetition", "match", "number", "seats", "ending", "by"]
    types = {"seats": pl.List(pl.Int64), "by": pl.List(pl.Int64)}
    found = first_blamed(pl.DataFrame(rows, names, orient="row", schema_overrides=types))
    assert found.rows() == [(4, "late", 0, 0, 1), (3, "late", 0, 0, 2), (4, "failed", 1, 0, 0)]
