from collections.abc import Iterator

import polars as pl
import pytest

from ludus.core.errors import NotFoundError
from ludus.stats.careers import career, relatives, roster
from ludus.stats.results import Results
from ludus.store import Store, open_store
from ludus.tournaments.tournament import Entrant
from support.stored_reports import stored
from support.stored_results import begin, play


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(str(tmp_path_factory.mktemp("careers") / "s.db")) as opened:
        play(opened, "tic-tac-toe", ["random", Entrant("Anna", "mcts:simulations=20")], episodes=4, seed=1, name="one")
        play(opened, "nim", ["random", Entrant("Anna", "mcts:simulations=30")], episodes=2, seed=1, name="two")
        stored(opened, ["Ben", "Cleo", "Dora"], seats=3, game="speed:players=3", name="three")
        begin(opened, "tic-tac-toe", ["random", "minimax:depth=2"], episodes=9, seed=1, name="four")
        yield opened


def test_roster_counts_what_each_agent_played(store: Store) -> None:
    found = {row["spec"]: row for row in roster(store).iter_rows(named=True)}
    assert found["random"]["episodes"] == 8 + 4 + 8
    assert found["random"]["tournaments"] == 3
    assert found["random"]["games"] == "tic-tac-toe, nim"
    assert found["mcts:simulations=20"]["episodes"] == 8


def test_roster_begins_with_those_that_played_last(store: Store) -> None:
    assert set(roster(store)["spec"].head(2)) == {"random", "minimax:depth=2"}


def test_career_has_the_standings_of_each_tournament(store: Store) -> None:
    found = career(store, "random")
    assert found["name"].to_list() == ["four", "two", "one"]
    for row in found.iter_rows(named=True):
        own = Results(store, row["tournament"]).standings().row(by_predicate=pl.col("agent") == "random", named=True)
        assert (row["rank"], row["rating"], row["low"]) == (own["rank"], own["rating"], own["low"])


def test_one_name_has_several_versions(store: Store) -> None:
    found = career(store, "Anna")
    assert found["spec"].to_list() == ["mcts:simulations=30", "mcts:simulations=20"]
    assert career(store, "mcts:simulations=20")["name"].to_list() == ["one"]


def test_career_among_several_players_has_ratings_too(store: Store) -> None:
    assert career(store, "Cleo")["rating"].null_count() == 0


def test_relatives_are_of_the_same_kind(store: Store) -> None:
    found = relatives(roster(store), ["mcts:simulations=20"])["spec"].to_list()
    assert "mcts:simulations=30" in found
    assert "random" not in found
    assert "mcts:simulations=20" not in found


def test_unknown_agent_gets_a_near_one_named(store: Store) -> None:
    with pytest.raises(NotFoundError, match="Anna"):
        career(store, "Ana")
