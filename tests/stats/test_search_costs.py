from pathlib import Path

import pytest

from ludus.core.errors import NotFoundError
from ludus.stats.search_costs import mean_costs, search_costs
from ludus.store import Store, open_store
from support.stored_results import play


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A search of two kinds and an agent that reports no positions."""
    opened = open_store(str(tmp_path_factory.mktemp("store") / "s.db"))
    play(opened, agents=["alphabeta:depth=2", "maxn:depth=2", "random"], episodes=2, name="cup")
    play(opened, "nim", ["alphabeta:depth=1", "random"], name="nim")
    return opened


def test_costs_are_means_over_the_moves_of_an_episode(store: Store) -> None:
    row = search_costs(store, agents=["alphabeta:depth=2"]).row(0, named=True)
    record = store.record(*store.find_episode(row["episode"]))
    seat = next(seat for seat, one in enumerate(record.seats) if one.name == row["agent"])
    moves = [move for step in record.steps for move in step if move.seat == seat]
    assert row["moves"] == len(moves)
    assert row["calls"] == pytest.approx(sum(move.metrics["nodes"] for move in moves) / len(moves))
    assert row["bounds"] == pytest.approx(sum(move.metrics["cutoffs"] for move in moves) / len(moves))
    assert row["time"] == pytest.approx(sum(move.wall for move in moves) / len(moves))
    assert row["calls_per_second"] == pytest.approx(row["calls"] * 1e9 / row["time"])
    assert row["bounds_per_call"] == pytest.approx(row["bounds"] / row["calls"])


def test_agents_without_positions_have_no_row_and_searches_without_bounds_have_none(store: Store) -> None:
    found = search_costs(store, ["cup"])
    assert set(found["agent"]) == {"alphabeta:depth=2", "maxn:depth=2"}
    assert len(found) == 2 * 4 * 2  # two searches, four matches each, of two episodes
    assert found.filter(agent="maxn:depth=2")["bounds"].null_count() == 8


def test_means_count_episodes_alike(store: Store) -> None:
    found = search_costs(store, agents=["alphabeta:depth=2"])
    mean = mean_costs(found).row(0, named=True)
    assert mean["episodes"] == len(found) == 8
    assert mean["calls_per_second"] == pytest.approx(found["calls_per_second"].mean())


def test_game_and_agent_are_chosen(store: Store) -> None:
    assert set(search_costs(store, game="nim")["agent"]) == {"alphabeta:depth=1"}
    assert set(search_costs(store, agents=["maxn"])["agent"]) == {"maxn:depth=2"}


def test_episodes_without_searches_are_one_sentence(store: Store, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="nodes"):
        search_costs(store, agents=["random"])
    with pytest.raises(NotFoundError, match="nodes"):
        search_costs(open_store(str(tmp_path / "empty.db")))
