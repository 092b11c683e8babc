from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import numpy as np
import polars as pl
import pytest
from sqlalchemy import create_engine, func, select

from ludus import __version__
from ludus.core.errors import BusyError, LudusError
from ludus.episode.finished import Episode
from ludus.episode.limits import Limits
from ludus.episode.record import Ending, Key
from ludus.store import Store, histogram, open_store
from ludus.store.connect import location
from ludus.store.schema import metadata
from ludus.store.timing import timing
from ludus.tournaments.formats.format import Match
from ludus.tournaments.tournament import Entrant, Tournament
from support.leftovers import wait_until
from support.samples import KINDS, sample, stored
from support.store_children import PROCESSES, hold

replace = msgspec.structs.replace
CUP = Tournament(
    name="Cup",
    game="connect-four",
    agents=(Entrant("random", "random"), Entrant("deep", "alphabeta:depth=6")),
    format="double-round-robin",
    episodes=10,
)
OUTCOME = ["repetition", "match", "number", "scores", "ending", "by", "course"]
"""The columns that are read from what is packed."""

# --- Entering -----------------------------------------------------------------------------------------------------


def test_a_tournament_is_found_again_by_its_name_and_content(store: Store) -> None:
    first = store.enter(CUP, {"ludus": "1"})
    assert store.enter(CUP, {"ludus": "1"}) == first._replace(new=False)
    assert (first.tournament, first.changed, first.new) == (CUP, [], True)
    assert store.tournament(first.id) == CUP


def test_another_name_starts_a_separate_tournament_even_with_the_same_seed(store: Store) -> None:
    first, second = store.enter(CUP, {}), store.enter(replace(CUP, name="Other"), {})
    assert (second.id, second.new) == (first.id + 1, True)
    assert replace(second.tournament, name=CUP.name, apart="") == CUP
    assert store.enter(replace(CUP, name="Other"), {}) == second._replace(new=False)
    assert len({summary.identity for summary in store.tournaments()}) == 2


def test_a_drawn_seed_is_kept_under_its_name(store: Store) -> None:
    drawn = replace(CUP, seed=11, drawn=True)
    assert store.enter(drawn, {}).tournament.seed == 11
    assert store.enter(replace(drawn, seed=12), {}).tournament.seed == 11
    assert store.enter(replace(drawn, seed=12, name="Other"), {}).tournament.seed == 12
    with pytest.raises(LudusError, match="seed 11 → 12"):
        store.enter(replace(CUP, seed=12), {})


@pytest.mark.parametrize("named", [True, False])
def test_a_tournament_of_the_first_version_continues_with_its_seed(store: Store, named: bool) -> None:
    old = replace(CUP, seed=0)
    new = replace(CUP, seed=9, drawn=True)
    if not named:
        old = replace(old, name=f"nim {old.identity[:6]}")
        new = new.named_after("nim")
    stored = store.enter(old, {})
    assert store.enter(new, {}) == stored._replace(new=False)


def test_a_tournament_grows_and_keeps_its_number(store: Store) -> None:
    id = stored(store)
    store.finish(id)
    before = store.tournament(id)
    longer = replace(before, episodes=before.episodes + 1)
    assert store.enter(longer, {}).id == id
    assert store.tournament(id) == before, "nothing grows before the lock is held"
    assert store.grow(id, longer, {}) == store.tournament(id) == longer
    (summary,) = store.tournaments()
    assert (summary.identity, summary.finished) == (longer.identity, None)


def test_the_files_of_agents_that_join_are_no_change(store: Store) -> None:
    id = store.enter(CUP, {"ludus": "1"}).id
    larger = replace(CUP, agents=(*CUP.agents, Entrant("new", "./new")))
    versions = {"ludus": "1", "./new": "a"}
    assert store.enter(larger, versions).changed == []
    store.grow(id, larger, versions)
    assert store.enter(larger, versions).changed == []
    assert "./new has changed" in store.enter(larger, versions | {"./new": "b"}).changed[0]


def test_the_same_name_for_another_content_is_refused_with_the_difference(store: Store) -> None:
    store.enter(CUP, {})
    other = replace(
        CUP,
        episodes=20,
        agents=(CUP.agents[0], Entrant("deep", "alphabeta:depth=7")),
        limits=Limits(move=5),
        format="swiss:rounds=5",
    )
    with pytest.raises(LudusError) as refused:
        store.enter(other, {})
    said = str(refused.value)
    assert "episodes 10 → 20" in said
    assert "agents − deep (alphabeta:depth=6), + deep (alphabeta:depth=7)" in said
    assert "limits.move none → 5" in said
    assert "format double-round-robin → swiss:rounds=5" in said
    assert "seed" not in said
    assert "'ludus store delete 1'" in said


def test_changed_versions_are_reported(store: Store) -> None:
    store.enter(CUP, {"ludus": "1", "bot.py": "aa"})
    changed = store.enter(CUP, {"ludus": "2", "game.py": "cc"}).changed
    assert changed == [
        "bot.py, game.py have changed since this tournament began: its stored episodes used the old files. To play it "
        "again, change --seed and --name.",
        "ludus was 1 when this tournament began, and is 2 now.",
    ]


def test_a_summary_tells_how_far_it_is(store: Store) -> None:
    before = datetime.now(UTC) - timedelta(seconds=1)
    id = stored(store)
    [summary] = store.tournaments()
    assert summary[:5] == (id, "one mover at a time", "connect-four", "double-round-robin", 2)
    assert (summary.finished, summary.episodes) == (None, 4)
    assert summary.identity == store.tournament(id).identity
    store.finish(id)
    [summary] = store.tournaments()
    assert summary.finished is not None
    assert before < summary.created < summary.finished < datetime.now(UTC)


def test_sittings_are_kept(store: Store) -> None:
    id = store.enter(CUP, {}).id
    with store.sitting(id, 2, 4, timed=True):
        (under_way,) = store.sittings(id)
    assert under_way[1:] == (None, 2, 4, True, __version__)
    with suppress(KeyboardInterrupt), store.sitting(id, 1, 4, timed=False):
        raise KeyboardInterrupt
    first, interrupted = store.sittings(id)
    assert interrupted[2:] == (1, 4, False, __version__)
    for sitting in (first, interrupted):
        assert sitting.ended is not None
        assert sitting.started <= sitting.ended


def test_a_tournament_is_found_by_number_name_and_identity(store: Store) -> None:
    id = store.enter(CUP, {}).id
    store.enter(replace(CUP, name="Other cup", seed=1), {})
    assert store.find(str(id)) == store.find("Cup") == store.find(CUP.identity) == store.find(CUP.identity[:6]) == id
    with pytest.raises(LudusError, match="did you mean 'Other cup'"):
        store.find("Othercup")


def test_a_number_is_no_name(store: Store) -> None:
    with pytest.raises(LudusError, match="'3'"):
        store.enter(replace(CUP, name="3"), {})
    assert store.tournaments() == []
    assert store.enter(replace(CUP, name="3rd cup"), {}).new


def test_an_identity_that_several_begin_with_is_not_clear(store: Store, url: str) -> None:
    entered = [store.enter(replace(CUP, name=f"Cup {seed}", seed=seed), {}).id for seed in range(3)]
    engine = create_engine(location(url))
    tournaments = metadata.tables["tournaments"]
    with engine.begin() as connection:
        for id, identity in zip(entered, ("aaaabbbbccccdddd", "aaaabbbbeeeeffff", "0123456789abcdef"), strict=True):
            connection.execute(tournaments.update().where(tournaments.c.id == id).values(identity=identity))
    engine.dispose()
    assert store.find("0123") == entered[2]
    said = r"several tournaments begin with it \(Cup 0 \(aaaabbbbccccdddd\), Cup 1 \(aaaabbbbeeeeffff\)\)\."
    with pytest.raises(LudusError, match=said):
        store.find("aaaab")
    assert store.find("aaaabbbbe") == entered[1]


def test_an_episode_is_found_by_its_name(store: Store) -> None:
    id = store.enter(CUP, {}).id
    repeated = store.enter(replace(CUP, name="A/B", repetitions=2), {}).id
    assert store.find_episode("Cup/12.4") == (id, Key(0, 11, 3))
    assert store.find_episode(f"{id}/1.12.4") == (id, Key(0, 11, 3))
    assert store.find_episode("A/B/2.12.4") == (repeated, Key(1, 11, 3))
    assert store.find_episode("A/B/12.4") == (repeated, Key(0, 11, 3))  # its name before it had repetitions
    for wrong in (f"{id}/0.4", f"{id}/4", f"{id}/1.2.3.4", f"{id}/1.{9**20}"):
        with pytest.raises(LudusError, match="is not the name of an episode"):
            store.find_episode(wrong)


# --- Episodes -----------------------------------------------------------------------------------------------------


def test_matches_can_be_added_again(store: Store) -> None:
    id = store.enter(CUP, {}).id
    store.add_matches(id, 0, 0, [Match(0, (0, 1))])
    store.add_matches(id, 0, 0, [Match(0, (0, 1)), Match(1, (1, 0))])
    store.add_matches(id, 1, 1, [Match(4, (1, 0))])
    assert store.matches(id).rows() == [(0, 0, 0, [0, 1]), (0, 1, 1, [1, 0]), (1, 1, 4, [1, 0])]


def test_everything_about_an_episode_comes_back(store: Store) -> None:
    for kind in KINDS:
        id = stored(store, kind)
        records, episodes = sample(kind).records, sample(kind).episodes()
        assert list(store.records(id)) == [(Key(0, 0, number), record) for number, record in enumerate(records)]
        assert store.record(id, Key(0, 0, 2)) == records[2]
        assert frame(store.episodes(id)) == [
            (*e.key, e.played, e.wall, e.plies, list(e.scores), e.ending, list(e.by), e.course) for e in episodes
        ]


@pytest.mark.parametrize("singly", [0, 10**9], ids=["one by one", "among all"])
def test_records_that_are_wanted_come_in_order(store: Store, singly: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.store.store._SINGLY", singly)
    id = stored(store, "one mover at a time")
    every = list(store.records(id))
    wanted = [every[number][0] for number in (2, 0, 1)]
    assert list(store.records(id, wanted)) == every[:3]
    assert list(store.records(id, [])) == []


def test_fewer_columns_say_the_same(store: Store) -> None:
    for kind in KINDS:
        id = stored(store, kind)
        for columns in (OUTCOME, ["match", "scores", "ending"], ["number", "by"], ["course"], ["played", "by"]):
            assert store.episodes(id, columns).equals(store.episodes(id).select(columns))


def frame(episodes: pl.DataFrame) -> list[tuple[object, ...]]:
    return episodes.with_columns(pl.col("played").dt.epoch("us")).rows()


def test_frames_have_the_types_they_promise_even_without_rows(store: Store) -> None:
    id = store.enter(CUP, {}).id
    numbers, floats = pl.List(pl.Int64), pl.List(pl.Float64)
    match = {"repetition": pl.Int64, "match": pl.Int64}
    result = {"scores": floats, "ending": pl.String, "by": numbers}
    tallies = match | {"round": pl.Int64, "seats": numbers} | result | {"episodes": pl.Int64, "different": pl.Int64}
    timings = match | dict.fromkeys(("seat", "agent", "moves", "total", "fastest", "slowest", "faults"), pl.Int64)
    episodes = match | {"number": pl.Int64, "played": pl.Datetime("us", "UTC"), "wall": pl.Int64, "plies": pl.Int64}
    filled = stored(store, "illegal")
    for each in (id, filled):
        assert dict(store.tallies(each).schema) == tallies
        assert dict(store.timings(each).schema) == timings | {"histogram": pl.Binary}
        assert dict(store.episodes(each).schema) == episodes | result | {"course": pl.Int64}
        assert store.episodes(each, OUTCOME).schema == store.episodes(each).select(OUTCOME).schema
    assert len(store.tallies(id)) == len(store.timings(id)) == len(store.episodes(id)) == 0


def test_what_is_stored_already_changes_nothing(store: Store) -> None:
    id = stored(store)
    before = everything(store, id)
    episodes = sample("one mover at a time").episodes()
    assert store.add(id, [replace(e, wall=1, course=5, packed=b"") for e in episodes]) == 0
    assert everything(store, id) == before
    more = replace(episodes[0], key=Key(0, 0, 9))
    assert store.add(id, [episodes[1], more, more]) == 1
    assert len(store.episodes(id)) == 5
    assert store.tallies(id)["episodes"].sum() == 5


def everything(store: Store, id: int) -> list[list[tuple[object, ...]]]:
    frames = [getattr(store, name)(id) for name in ("matches", "tallies", "timings", "episodes")]
    return [frame.rows() for frame in (*frames, store.episodes(id, OUTCOME))]


def test_the_order_in_which_episodes_come_does_not_matter(store: Store) -> None:
    contents = []
    episodes = field()
    for seed in range(3):
        id = store.enter(replace(CUP, name=f"Cup {seed}", seed=seed), {}).id
        for repetition in (0, 1):
            store.add_matches(id, repetition, 0, [Match(0, (0, 1)), Match(1, (1, 0))])
        shuffled = np.random.default_rng(seed).permutation(len(episodes)) if seed else range(len(episodes))
        given = [episodes[place] for place in shuffled]
        size = 7 if seed == 1 else 30
        assert sum(store.add(id, given[at : at + size]) for at in range(0, len(given), size)) == len(given)
        contents.append(everything(store, id))
    assert contents[0] == contents[1] == contents[2]


def field() -> list[Episode]:
    """Episodes of two repetitions and two matches, with duplicates, faults and an accident."""
    found = []
    for repetition in (0, 1):
        for match, kind in enumerate(("one mover at a time", "substituted")):
            episodes = sample(kind, 8).episodes(match, repetition)
            episodes[6] = replace(episodes[6], course=episodes[1].course, scores=episodes[1].scores)
            episodes[7] = replace(episodes[7], ending=Ending.MACHINE, scores=(0.0, 0.0))
            found += episodes
    return found


@pytest.fixture
def played(store: Store) -> tuple[Store, int, list[Episode]]:
    """A store with that field, which came in batches."""
    id = store.enter(CUP, {}).id
    for repetition in (0, 1):
        store.add_matches(id, repetition, 0, [Match(0, (0, 1)), Match(1, (1, 0))])
    episodes = field()
    for at in range(0, len(episodes), 5):
        store.add(id, episodes[at : at + 5])
    return store, id, episodes


def test_tallies_count_results_and_equal_episodes_once(played: tuple[Store, int, list[Episode]]) -> None:
    store, id, episodes = played
    tallies = store.tallies(id)
    for row in tallies.iter_rows(named=True):
        same = [
            e
            for e in episodes
            if (e.key.repetition, e.key.match, list(e.scores), e.ending, list(e.by))
            == (row["repetition"], row["match"], row["scores"], row["ending"], row["by"])
        ]
        assert row["episodes"] == len(same) > 0
        assert row["different"] == len({e.course for e in same})
        assert (row["round"], row["seats"]) == ((0, [0, 1]), (1, [1, 0]))[row["match"]]
    assert tallies["episodes"].sum() == len(episodes) == 32
    assert tallies["different"].sum() == 28


def test_tallies_can_be_asked_for_some_matches(played: tuple[Store, int, list[Episode]]) -> None:
    store, id, _ = played
    all_of_them = store.tallies(id)
    assert store.tallies(id, 1).equals(all_of_them.filter(pl.col("repetition") == 1))
    assert store.tallies(id, first=1).equals(all_of_them.filter(pl.col("match") == 1))
    assert store.tallies(id, 0, 0, 1).equals(all_of_them.filter((pl.col("repetition") == 0) & (pl.col("match") == 0)))


def test_timings_add_up_what_the_moves_took(played: tuple[Store, int, list[Episode]]) -> None:
    store, id, episodes = played
    timings = store.timings(id)
    assert len(timings) == 2 * 2 * 3
    for row in timings.iter_rows(named=True):
        of_match = [
            e
            for e in episodes
            if (e.key.repetition, e.key.match) == (row["repetition"], row["match"]) and e.ending is not Ending.MACHINE
        ]
        seat = row["seat"]
        walls = [e.wall for e in of_match] if seat == -1 else [wall for e in of_match for wall in e.walls[seat]]
        faults = [sum(e.faults) if seat == -1 else e.faults[seat] for e in of_match]
        figures = (len(walls), sum(walls), min(walls), max(walls), sum(faults))
        assert (row["moves"], row["total"], row["fastest"], row["slowest"], row["faults"]) == figures
        assert (histogram.unpack(row["histogram"]) == histogram.counts(walls)).all()
        assert row["agent"] == (-1 if seat == -1 else (seat + row["match"]) % 2)


def test_players_that_never_moved_have_rows_without_times(store: Store) -> None:
    id = stored(store, "failed while getting ready")
    columns = ("seat", "moves", "total", "fastest", "slowest", "faults")
    assert store.timings(id).select(columns).rows()[1:] == [(0, 0, 0, 0, 0, 4), (1, 0, 0, 0, 0, 0)]
    store.add(id, sample("failed while getting ready", 5).episodes())
    whole, failed, opponent = store.timings(id).select(columns).rows()
    assert (whole[:2], whole[-1]) == ((-1, 5), 5)
    assert (failed, opponent) == ((0, 0, 0, 0, 0, 5), (1, 0, 0, 0, 0, 0))
    found = timing(store.timings(id)).select("agent", "moves", "median", "episodes", "faults")
    assert found.rows() == [(0, 0, None, 5, 5), (1, 0, None, 5, 0)]


def test_stored_numbers_are_listed_by_match(store: Store) -> None:
    id = store.enter(CUP, {}).id
    episode = sample("one mover at a time").episodes()[0]
    keys = [Key(0, 0, 5), Key(0, 0, 2), Key(0, 1, 0), Key(0, 3, 7), Key(1, 1, 1)]
    store.add(id, [replace(episode, key=key) for key in keys])
    found = {match: numbers.tolist() for match, numbers in store.stored(id, 0, range(3), range(6)).items()}
    assert found == {0: [2, 5], 1: [0]}
    assert store.stored(id, 0, range(3), range(3, 5)) == {}
    assert store.stored(id, 2, range(3), range(6)) == {}


def test_many_episodes_are_added_at_once(store: Store) -> None:
    id = store.enter(CUP, {}).id
    store.add_matches(id, 0, 0, [Match(0, (0, 1))])
    episode = sample("one mover at a time").episodes()[0]
    many = [replace(episode, key=Key(0, 0, number), course=number // 2) for number in range(2500)]
    assert store.add(id, many) == 2500
    assert store.tallies(id).select("episodes", "different").rows() == [(2500, 1250)]
    assert [key.number for key, _ in store.records(id)] == list(range(2500))


def test_outcomes_agree_with_episodes_however_these_came(played: tuple[Store, int, list[Episode]], url: str) -> None:
    store, id, episodes = played
    before = everything(store, id)
    assert store.episodes(id, OUTCOME).equals(store.episodes(id).select(OUTCOME))
    assert parts(url) == 10  # seven batches, three of which are of two matches
    for _ in range(2):
        store.finish(id)
        assert everything(store, id) == before
        assert parts(url) == 4
    assert store.add(id, [replace(episodes[0], key=Key(0, 0, 99)), replace(episodes[0], key=Key(0, 0, 50))]) == 2
    assert parts(url) == 5
    assert store.episodes(id, OUTCOME).equals(store.episodes(id).select(OUTCOME))
    assert len(store.episodes(id)) == 34


def parts(url: str) -> int:
    """The number of parts of the outcomes."""
    engine = create_engine(location(url))
    with engine.connect() as connection:
        counted = connection.scalar(select(func.count()).select_from(metadata.tables["outcomes"]))
    engine.dispose()
    return int(counted or 0)


def test_a_tournament_can_end_without_an_episode(store: Store) -> None:
    id = store.enter(CUP, {}).id
    store.finish(id)
    assert store.tournaments()[0].finished is not None
    assert store.episodes(id, OUTCOME).is_empty()


def test_missing_things_get_one_sentence(store: Store) -> None:
    id = stored(store)
    with pytest.raises(LudusError, match=f"There is no episode {id}/1.5 in the store"):
        store.record(id, Key(0, 0, 4))
    for method in (lambda: store.add(99, []), lambda: store.tournament(99), lambda: store.delete(99)):
        with pytest.raises(LudusError, match=r"\b99\b"):
            method()


# --- Deleting and locking -----------------------------------------------------------------------------------------


def test_deleting_leaves_nothing_of_it_and_all_of_others(store: Store, url: str) -> None:
    kept = stored(store)
    before = everything(store, kept)
    id = stored(store, "late")
    with store.sitting(id, 1, 1, timed=False):
        pass
    store.delete(id)
    assert [summary.id for summary in store.tournaments()] == [kept]
    assert everything(store, kept) == before
    engine = create_engine(location(url))
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            if "tournament" in table.c:
                assert connection.scalar(select(func.count()).where(table.c.tournament == id)) == 0
    engine.dispose()
    assert store.enter(CUP, {}).id > id


@pytest.mark.slow
def test_a_second_process_is_refused_until_the_first_is_dead(store: Store, url: str) -> None:
    id = store.enter(CUP, {}).id
    other = store.enter(replace(CUP, name="Other", seed=1), {}).id
    here, there = PROCESSES.Pipe()
    holder = PROCESSES.Process(target=hold, args=(url, id, there))
    holder.start()
    assert here.recv()
    with pytest.raises(BusyError, match="'Cup'"), store.lock(id):
        pass
    with pytest.raises(LudusError, match="another process"):
        store.delete(id)
    with store.lock(other):
        pass
    holder.kill()
    holder.join()
    wait_until(lambda: is_free(store, id))  # PostgreSQL notices after a moment
    for _ in range(2):
        with store.lock(id), pytest.raises(LudusError, match="another process"), store.lock(id):
            pass


def is_free(store: Store, id: int) -> bool:
    try:
        with store.lock(id):
            return True
    except LudusError:
        return False


def test_files_to_lock_lie_in_one_folder_and_stay(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        id = stored(store)
        store.delete(id)
        locks = tmp_path / "ludus.db.locks"
        assert {file.name for file in locks.iterdir()} == {"tables.lock", f"{id}.lock"}
        assert [file.name for file in tmp_path.iterdir() if file.suffix == ".lock"] == []


def test_two_stores_see_what_the_other_wrote(store: Store, url: str) -> None:
    id = stored(store)
    with open_store(url) as other:
        assert everything(other, id) == everything(store, id)
        more = replace(sample("one mover at a time").episodes()[0], key=Key(0, 0, 100))
        assert other.add(id, [more]) == 1
    assert len(store.episodes(id)) == 5


def test_stamp_changes_with_whatever_changes_results(store: Store) -> None:
    id = stored(store, count=3)
    stamps = [store.stamp(id)]
    store.rename(id, "another name")
    stamps.append(store.stamp(id))
    with store.sitting(id, 1, 1, False):
        stamps.append(store.stamp(id))
    stamps.append(store.stamp(id))
    store.add(id, sample("one mover at a time", 4).episodes())
    stamps.append(store.stamp(id))
    store.finish(id)
    stamps.append(store.stamp(id))
    assert len(set(stamps)) == len(stamps)
    assert store.stamp(id) == stamps[-1]
