from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import polars.selectors as cs
import pytest

from ludus.episode.finished import episode
from ludus.run.runner import run
from ludus.stats import two_players
from ludus.stats.ratings.bradley_terry import bradley_terry
from ludus.stats.results import Results, load
from ludus.store import Store, open_store
from ludus.store.export import export_tables
from ludus.tournaments.formats.format import Match
from ludus.tournaments.run_options import RunOptions
from ludus.tournaments.tournament import Entrant
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


@pytest.mark.parametrize(
    ("game", "agents", "evidence"),
    [
        ("nim:piles=1-2", ["random", "mc:iterations=5"], 40),
        ("nim:piles=1-2", ["maxn:depth=1", "random"], 40),
        ("tic-tac-toe", ["alphabeta:depth=1,shuffle=no", "alphabeta:depth=2,shuffle=no"], 2),
        ("tic-tac-toe", ["alphabeta:depth=1", "alphabeta:depth=2,shuffle=no"], 40),
    ],
)
def test_equal_games_are_evidence_unless_nothing_in_them_is_random(
    store: Store, game: str, agents: list[str], evidence: int
) -> None:
    found = load(play(store, game, agents, episodes=20, name=f"{game} {agents[0]} {agents[1]}"), store)
    assert (found.played, found.duplicates, left_out(found)) == (40, 40 - evidence, 40 - evidence)
    met = two_players.meetings(found._evidence.tallies_of(None))
    assert met.select(pl.sum_horizontal("fresh_wins", "fresh_ties", "fresh_losses")).sum().item() == evidence


def test_every_equal_game_of_random_agents_rates_them(store: Store) -> None:
    # The first player wins if its move is right: without the equal games, the score would be another one.
    found = load(play(store, "nim:piles=1-2", ["random", "mc:iterations=5"], episodes=60, name="All"), store)
    table = found.crosstable()
    fit = bradley_terry(2, [0, 1], [1, 0], *(table[name].to_numpy() for name in ("wins", "ties", "losses")))
    assert found.standings()["rating"].to_list() == pytest.approx(sorted(fit.ratings, reverse=True))


def test_agents_of_old_tournaments_are_asked_and_missing_ones_count_as_random(store: Store, tmp_path: Path) -> None:
    id = play(store, agents=SURE, name="New", episodes=4)
    for number, (gone, evidence) in enumerate([((), 2), ((1,), 8)]):
        content = store.tournament(id)
        agents = [Entrant(a.name, "lost.py:Lost" if n in gone else a.spec) for n, a in enumerate(content.agents)]
        old = msgspec.structs.replace(content, deterministic=None, agents=tuple(agents), name=f"Old {number}", seed=9)
        copied = store.enter(msgspec.structs.replace(old, seed=number + 5), {}).id
        for repetition, match, turn, seats in store.matches(id).iter_rows():
            store.add_matches(copied, repetition, match, [Match(turn, tuple(seats))])
        store.add(copied, [episode(whole.record, whole.key, whole.wall) for whole in store.wholes(id)])
        assert 8 - load(copied, store).duplicates == evidence


def test_random_agents_whose_games_are_all_equal_are_named(store: Store) -> None:
    slow = "alphabeta:depth=1,time=10m,shuffle=no"  # might depend on the clock, and does not
    id = play(store, agents=[slow, "alphabeta:depth=2,shuffle=no", "random"], name="Equal", episodes=3)
    found = load(id, store)
    assert found.duplicates == 0
    assert found.repeating == [[slow, "alphabeta:depth=2,shuffle=no"]]
    assert load(play(store, agents=SURE, name="Declared", episodes=3), store).repeating == []


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


@pytest.mark.parametrize("content", [{"agents": SURE, "episodes": 4}, {"agents": SURE, "format": "seatings:matches=6"}])
def test_that_the_end_is_noted_changes_no_result(store: Store, tmp_path: Path, content: dict[str, Any]) -> None:
    id = play(store, name=f"Noted {content.get('format', 'plainly')}", repetitions=2, **content)
    with open_store(str(tmp_path / "copy.db")) as copy:
        noted, not_noted = load(id, store), load(copy_part(store, id, copy, lambda key: True), copy)
        assert not_noted.duplicates == noted.duplicates > 0
        for frame in ("standings", "crosstable", "course", "endings"):
            one, other = (getattr(found, frame)() for found in (not_noted, noted))
            over_repetitions = cs.matches("score_(mean|deviation)")  # the last one may not be complete
            assert one.drop(over_repetitions).equals(other.drop(over_repetitions))
