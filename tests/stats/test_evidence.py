from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from ludus.run.runner import run
from ludus.stats.results import Results, load
from ludus.store import Store, open_store
from ludus.store.export import export_tables
from ludus.tournaments.run_options import RunOptions
from support.stored_results import begin, copy_part, play

SURE = ("maxn:depth=1", "maxn:depth=2")  # leave nothing to chance, and the second is better
RATINGS = ("agent", "fide", "uscf", "glicko", "rating", "low", "high", "better")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with open_store(str(tmp_path_factory.mktemp("store") / "ludus.db")) as opened:
        yield opened


def left_out(found: Results) -> int:
    return found.played - int(found.episodes()["fresh"].sum())


def test_what_repeats_itself_in_another_match_is_evidence_once(store: Store) -> None:
    once = load(play(store, agents=SURE, name="Two matches"), store)
    often = load(play(store, agents=SURE, name="Many matches", format="seatings:matches=20"), store)
    assert often.standings().select(RATINGS).equals(once.standings().select(RATINGS))
    assert often.standings()["episodes"].to_list() == [20, 20]
    assert often.duplicates == left_out(often) == 18


def test_one_repetition_counts_what_its_matches_repeat_once_too(store: Store) -> None:
    found = load(play(store, agents=SURE, name="Both", format="seatings:matches=8", repetitions=2), store)
    ratings = ("agent", "rating", "low", "high", "better")  # Elo depends on who moves first in the first match
    assert found.standings(2).select(ratings).equals(found.standings().select(ratings))
    assert found.standings(2)["episodes"].to_list() == [8, 8]


def test_duplicates_are_those_that_no_rating_counts(store: Store, tmp_path: Path) -> None:
    found = load(play(store, agents=SURE, name="Three times", episodes=2, repetitions=3), store)
    assert found.played == 12
    assert found.duplicates == left_out(found) == 10
    export_tables(store, found.id, tmp_path, "parquet", lambda done: None)
    exported = pl.read_parquet(tmp_path / "episodes.parquet")
    assert exported["fresh"].to_list() == found.episodes()["fresh"].to_list()


def test_the_course_counts_a_repeated_game_where_it_came_first_in_its_repetition(store: Store, tmp_path: Path) -> None:
    id = play(store, agents=SURE, name="Shifted", format="seatings:matches=4", repetitions=2)
    with open_store(str(tmp_path / "part.db")) as part:
        # The first repetition lacks its first matches: its last ones are the first of all in the order of keys.
        found = load(copy_part(store, id, part, lambda key: key.repetition == 1 or key.match >= 2), part)
        last = found.course().filter(pl.col("matches") == 4)
        first = found.course().filter(pl.col("matches") == 2)
        assert last["rating"].abs().min() > 50  # type: ignore[operator]
        assert first["rating"].to_list() == pytest.approx(last["rating"].to_list())


def test_results_of_a_running_tournament_are_of_one_moment(store: Store) -> None:
    id = begin(store, name="Running", episodes=4)
    before, seen = load(id, store), load(id, store)
    reference = before.standings()
    played = seen.played
    run(store.tournament(id), store, RunOptions(workers=0))
    assert load(id, store).played == 24 > played
    assert len(seen.episodes()) == seen.played == played
    assert seen.standings().equals(reference)
    assert seen.standings()["episodes"].sum() == 2 * played


def test_only_complete_repetitions_are_compared(store: Store, tmp_path: Path) -> None:
    id = play(store, name="Three repetitions", episodes=2, repetitions=3)
    with open_store(str(tmp_path / "part.db")) as part:
        found = load(copy_part(store, id, part, lambda key: key < (2, 1, 1)), part)
        assert found.complete_repetitions == [1, 2]
        assert found.repetitions()["repetition"].unique().to_list() == [1, 2]
        assert found.stability()["repetitions"].to_list() == [2, 2, 2]
        assert found.standings()["episodes"].sum() == 2 * (12 + 12 + 3)
    with open_store(str(tmp_path / "less.db")) as less:
        found = load(copy_part(store, id, less, lambda key: key < (0, 1, 1)), less)
        assert found.complete_repetitions == []
        assert found.repetitions().is_empty()
        assert found.stability().is_empty()
        assert found.shifts().is_empty()
    assert load(id, store).complete_repetitions == [1, 2, 3]


@pytest.mark.parametrize("content", [{"episodes": 4}, {"agents": SURE, "format": "seatings:matches=6"}])
def test_that_the_end_is_noted_changes_no_result(store: Store, tmp_path: Path, content: dict[str, Any]) -> None:
    id = play(store, name=f"Noted {len(content)}", repetitions=2, **content)
    with open_store(str(tmp_path / "copy.db")) as copy:
        noted, not_noted = load(id, store), load(copy_part(store, id, copy, lambda key: True), copy)
        assert not_noted.duplicates == noted.duplicates > 0
        for frame in ("standings", "crosstable", "course", "endings"):
            assert getattr(not_noted, frame)().equals(getattr(noted, frame)())
