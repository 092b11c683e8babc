from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from ludus.stats.results import Results, load
from ludus.store import Store, open_store
from support.stored_results import begin, play

FIELD = ("mc:iterations=5", "random")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "ludus.db")) as opened:
        yield opened


def wins_of_first_movers(results: Results) -> int:
    """Counted episode by episode from the records."""
    won = 0
    for _, record in results._store.records(results.id):
        first = record.steps[0][0].seat
        won += record.scores[first] > record.scores[1 - first]
    return won


@pytest.mark.parametrize("plies", [0, 1, 2, 3])
def test_the_first_chosen_move_counts(store: Store, plies: int) -> None:
    results = load(play(store, agents=FIELD, episodes=20, opening_plies=plies), store)
    first = results.by_seat().row(0, named=True)
    assert (first["seat"], first["wins"]) == (1, wins_of_first_movers(results))
    assert results.crosstable()["wins"].sum() == first["wins"]
    assert first["episodes"] == results.crosstable()["episodes"].sum() == 40


def test_openings_of_different_lengths_count_episode_by_episode(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("b2\nb2 a1\na1\n")
    results = load(play(store, agents=FIELD, episodes=14, openings=file, repetitions=2), store)
    assert results.by_seat()["wins"][0] == wins_of_first_movers(results)
    assert results.by_seat()["episodes"].to_list() == [56, 56]


def test_an_unfinished_tournament_counts_in_the_same_way(store: Store) -> None:
    results = load(begin(store, agents=FIELD, episodes=20, opening_plies=1), store)
    assert results.by_seat()["wins"][0] == wins_of_first_movers(results)
    assert results.by_seat()["episodes"].sum() == 2 * results.played


def test_other_tables_keep_the_seats_of_the_board(store: Store) -> None:
    results = load(play(store, agents=FIELD, episodes=2, opening_plies=1), store)
    seats = results.timing("match").filter(pl.col("match") == 1)["agent"].to_list()
    assert seats == results.episodes()["seats"][0].to_list()
