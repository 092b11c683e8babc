import math
import sys
from pathlib import Path

import msgspec
import polars as pl
import pytest

from ludus.episode.finished import episode
from ludus.episode.limits import Limits
from ludus.episode.record import Key, Record
from ludus.stats.measurements import metrics
from ludus.stats.results import Results, load
from ludus.store import Store
from ludus.tournaments.formats.format import Match
from ludus.tournaments.tournament import Entrant
from support.samples import left_behind, sample, stored
from support.stored_results import play

BOT = """
import sys

free = [column + row for row in "123" for column in "abc"]
for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        if rest[0] == "match_name":
            file = open(rest[1] + "_moves.csv", "w")
            print("Turn;Time;Iterations", file=file, flush=True)
        print("OK", flush=True)
    elif word in ("START", "TURN"):
        for move in rest:
            free.remove(move)
        print(free[0], 12, 100 * len(free), sep=";", file=file, flush=True)
        print("METRIC depth", len(free))
        print(free.pop(0), flush=True)
"""


def kept(store: Store, record: Record, times: int = 1, *, bots: bool = False) -> Results:
    """The results of a tournament, perhaps of bots, in which every episode of this many matches went as this record."""
    found = sample("one mover at a time")
    field = tuple(Entrant(entrant.name, "stdio:cat" if bots else entrant.spec) for entrant in found.tournament.agents)
    id = store.enter(msgspec.structs.replace(found.tournament, agents=field), {}).id
    store.add_matches(id, 0, 0, [Match(0, found.seats)] * times)
    keys = [Key(0, match, number) for match in range(times) for number in range(times)]
    store.add(id, [episode(record, key, 10**6) for key in keys])
    return load(id, store)


def test_metrics_are_given_for_each_agent_and_move(store: Store) -> None:
    results = load(stored(store, "metrics"), store)
    records = sample("metrics").records
    found = {(agent, metric): rest for agent, metric, *rest in results.metrics().iter_rows()}
    name = records[0].seats[1].name
    depths = [m.metrics["depth"] for r in records for step in r.steps for m in step if m.seat == 1]
    moves, mean, _, lowest, highest = found[name, "depth"]
    assert (moves, lowest, highest) == (len(depths), min(depths), max(depths))
    assert mean == pytest.approx(sum(depths) / len(depths))
    assert results.metrics()["agent"].unique(maintain_order=True).to_list() == results.order()


def test_usage_is_that_of_bots_alone(store: Store) -> None:
    assert load(stored(store, "metrics"), store).usage().is_empty()
    record = left_behind(sample("one mover at a time").records[0])
    for step in record.steps[1::2]:  # as if an agent of this process sat there
        step[0].memory = 0
    results = kept(store, record)
    moves = [step[0] for step in record.steps[::2] if step[0].memory]
    assert results.usage().rows() == [
        (
            record.seats[0].name,
            len(moves),
            pytest.approx(sum(move.cpu for move in moves) / len(moves)),
            pytest.approx(sum(move.waited for move in moves) / len(moves)),
            max(move.waited for move in moves),
            max(move.memory for move in moves),
        )
    ]


def test_faults_are_listed_with_their_evidence(store: Store) -> None:
    records = sample("illegal").records
    found = load(stored(store, "illegal"), store).faults()
    assert found.select("episode", "step", "seat", "agent", "fault", "out", "evidence").rows() == [
        (f"1/1.{number}", len(r.steps), 2, r.seats[1].name, "illegal", True, r.steps[-1][0].evidence)
        for number, r in enumerate(records, 1)
    ]
    assert found.select("repetition", "match", "number").rows() == [(1, 1, number) for number in (1, 2, 3, 4)]


def test_faults_without_a_consequence_are_listed_too(store: Store) -> None:
    found = load(stored(store, "substituted"), store).faults()
    moves = [m for r in sample("substituted").records for step in r.steps for m in step if m.fault]
    assert len(found) == len(moves) > 0
    assert not found["out"].any()
    assert found["evidence"].to_list() == [move.evidence for move in moves]


def test_a_fault_in_getting_ready_has_no_step(store: Store) -> None:
    found = load(stored(store, "failed while getting ready"), store).faults()
    assert found.select("step", "seat", "fault", "out").unique().rows() == [(None, 1, "failed", True)]


def test_a_few_faults_among_many_episodes_are_found(store: Store) -> None:
    results = kept(store, sample("one mover at a time").records[0], times=8)
    store.add(results.id, [episode(sample("illegal").records[0], Key(0, 6, 8), 10**6)])
    assert results.faults().select("episode", "fault").rows() == [("1/7.9", "illegal")]


def test_equal_remarks_are_counted_by_episodes_with_the_first_as_example(store: Store) -> None:
    record = left_behind(sample("one mover at a time").records[0])
    record.seats[0].remarks.append(record.seats[0].remarks[0])
    results = kept(store, record, times=2, bots=True)
    record.seats[0].remarks = ["wrote 'hm' unasked"]
    store.add(results.id, [episode(record, Key(0, 0, 2), 10**6)])
    name = record.seats[0].name
    assert results.remarks().rows() == [
        (name, "wrote 'hm' unasked", 5, "1/1.1"),
        (name, "did not exit", 4, "1/1.1"),
    ]


def test_there_are_no_remarks_where_there_are_no_bots(store: Store) -> None:
    assert kept(store, sample("one mover at a time").records[0]).remarks().is_empty()


def test_an_ending_by_a_fault_has_an_example(store: Store) -> None:
    results = load(stored(store, "illegal"), store)
    name = sample("illegal").records[0].seats[1].name
    assert results.endings().rows() == [(name, "illegal", 4, "1/1.1")]
    results = load(stored(store, "one mover at a time"), store)
    assert results.endings().rows() == [(None, "rules", 4, None)]


def test_who_has_a_command_is_a_bot(store: Store) -> None:
    found = sample("one mover at a time")
    assert not load(stored(store), store).has_bots
    field = (*found.tournament.agents, Entrant("cat", "stdio:cat"))
    id = store.enter(msgspec.structs.replace(found.tournament, agents=field, name="With a bot"), {}).id
    assert load(id, store).has_bots


@pytest.mark.slow
def test_a_bot_is_measured_and_its_file_is_read(store: Store, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    field = (Entrant("bot", f"stdio:{sys.executable} {tmp_path / 'bot.py'}"), "random")
    limits = Limits(preparation=60 * 10**9)  # however slowly Python starts here
    results = load(play(store, agents=field, episodes=2, limits=limits), store)
    moves = results.timing().row(by_predicate=pl.col("agent") == "bot", named=True)["moves"]
    figures = {metric: rest for agent, metric, *rest in results.metrics().iter_rows() if agent == "bot"}
    assert figures["Time"] == [moves, 12, 12, 12, 12]
    assert figures["Iterations"] == [moves, *(100 * figure for figure in figures["depth"][1:])]
    [(name, measured, cpu, waited, longest, memory)] = results.usage().rows()
    assert (name, measured) == ("bot", moves)
    assert cpu > 0
    assert 0 <= waited <= longest
    assert memory > 1 << 20


def test_figures_of_each_agent_and_metric() -> None:
    reported = {("a", "Iterations"): [1.0, 2.0, 6.0], ("b", "Iterations"): [7.0], ("a", "value"): [-1.0, 0.5]}
    assert metrics(reported).rows() == [
        ("a", "Iterations", 3, 3.0, 2.0, 1.0, 6.0),
        ("b", "Iterations", 1, 7.0, 7.0, 7.0, 7.0),
        ("a", "value", 2, -0.25, -0.25, -1.0, 0.5),
    ]


def test_what_is_not_finite_spoils_no_figure() -> None:
    reported = {("a", "value"): [math.nan, 1.0, math.inf, 3.0], ("a", "bound"): [math.nan]}
    assert metrics(reported).rows() == [
        ("a", "value", 4, 2.0, 2.0, 1.0, 3.0),
        ("a", "bound", 1, None, None, None, None),
    ]


def test_where_nothing_is_reported_there_are_no_rows() -> None:
    assert metrics({}).columns == ["agent", "metric", "moves", "mean", "median", "lowest", "highest"]
