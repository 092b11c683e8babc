"""Writers that are killed, and writers that write at the same time."""

import random
import time

import msgspec
import polars as pl
import pytest

from ludus.episode.finished import episode
from ludus.store import Store, histogram
from ludus.tournaments.formats.format import Match
from support.leftovers import wait_until
from support.samples import sample
from support.store_children import PROCESSES, add_batches, add_until_killed

pytestmark = pytest.mark.slow

KILLS = 12
BATCHES = 40


def test_a_killed_writer_leaves_all_tables_in_agreement(store: Store, url: str) -> None:
    found = sample("substituted", 8)
    id = store.enter(found.tournament, {}).id
    store.add_matches(id, 0, 0, [Match(0, (0, 1)), Match(0, (1, 0))])
    given = msgspec.msgpack.encode(found.episodes())
    chance = random.Random(1)
    stored = 0
    for number in range(KILLS):
        writer = PROCESSES.Process(target=add_until_killed, args=(url, id, number * 10**6, given))
        writer.start()
        wait_until(lambda before=stored: store.tournaments()[0].episodes > before)  # type: ignore[misc]
        time.sleep(chance.random() * 0.03)
        writer.kill()
        writer.join()
        store.add(id, [])  # waits for PostgreSQL, which may carry out what the dead one asked for
        now = assert_agreement(store, id)
        assert now > stored
        stored = now


def assert_agreement(store: Store, id: int) -> int:
    """Work everything out again from the records; the number of episodes."""
    wholes = list(store.wholes(id))
    rows = store.episodes(id)
    assert [tuple(whole.key) for whole in wholes] == rows.select("repetition", "match", "number").rows()
    outcome = ["repetition", "match", "number", "scores", "ending", "by", "course"]
    assert store.episodes(id, outcome).equals(rows.select(outcome))
    episodes = [episode(whole.record, whole.key, whole.wall, whole.course) for whole in wholes]
    counted = rows.group_by("repetition", "match", "scores", "ending", "by").agg(
        episodes=pl.len().cast(pl.Int64), different=pl.col("course").n_unique().cast(pl.Int64)
    )
    tallies = store.tallies(id).drop("round", "seats")
    assert tallies.equals(counted.sort("repetition", "match", "scores", "ending", "by"))
    timings = store.timings(id)
    assert len(timings) == 6
    for row in timings.iter_rows(named=True):
        of_match = [e for e in episodes if e.key.match == row["match"]]
        seat = row["seat"]
        walls = [e.wall for e in of_match] if seat == -1 else [wall for e in of_match for wall in e.walls[seat]]
        assert (row["moves"], row["total"]) == (len(walls), sum(walls))
        assert (histogram.unpack(row["histogram"]) == histogram.counts(walls)).all()
    return len(episodes)


def test_writers_wait_for_each_other(store: Store, url: str) -> None:
    found = sample("substituted", 8)
    given = msgspec.msgpack.encode(found.episodes())
    ids = [store.enter(msgspec.structs.replace(found.tournament, name=f"Cup {i}", seed=i), {}).id for i in range(3)]
    writers = [PROCESSES.Process(target=add_batches, args=(url, id, BATCHES, given)) for id in (*ids, ids[0])]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0, 0, 0, 0]
    assert [summary.episodes for summary in store.tournaments()] == [8 * BATCHES] * 3
