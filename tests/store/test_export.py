import csv
import json
import math
from pathlib import Path
from typing import Literal

import msgspec
import polars as pl
import pytest

from ludus.episode.finished import episode
from ludus.episode.record import Key
from ludus.store import Store, open_store
from ludus.store.export import export_tables, for_spreadsheets
from ludus.tournaments.formats.format import Match
from ludus.tournaments.tournament import Entrant
from support.filled import filled_record
from support.running import ludus
from support.samples import KINDS, left_behind, sample, store_metrics, stored
from support.stored_results import play

TABLES = ("agents", "matches", "episodes", "moves", "metrics", "preparations", "timings")


def exported(store: Store, id: int, folder: Path, kind: Literal["csv", "parquet"]) -> dict[str, pl.DataFrame]:
    told: list[int] = []
    export_tables(store, id, folder, kind, told.append)
    read = pl.read_csv if kind == "csv" else pl.read_parquet
    return {name: read(folder / f"{name}.{kind}") for name in TABLES}


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_tables_hold_every_episode_and_every_move(tmp_path: Path, kind: Literal["csv", "parquet"]) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        for name in KINDS:
            id = stored(store, name)
            tables = exported(store, id, tmp_path, kind)
            records = sample(name).records
            agents = store.tournament(id).agents
            assert tables["agents"].rows() == [(agent.name, agent.spec) for agent in agents]
            names = tuple(agent.name for agent in agents)
            assert tables["matches"].rows() == [(1, 1, 1, *names)]
            frame, episodes = store.episodes(id), tables["episodes"]
            assert (episodes["episode"] - 1).to_list() == frame["number"].to_list()
            assert episodes["wall_ns"].to_list() == frame["wall"].to_list()
            for column in ("plies", "ending"):
                assert episodes[column].to_list() == frame[column].to_list()
            scores = episodes.select(f"score_{seat}" for seat in range(1, len(agents) + 1))
            assert [list(row) for row in scores.rows()] == frame["scores"].to_list()
            assert episodes["seed"].to_list() == [record.seed for record in records]
            assert [json.loads(text or "[]") for text in episodes["opening"]] == [r.opening.moves for r in records]
            moves = tables["moves"].select("episode", "step", "seat", "move", "wall_ns", "cpu_ns", "fault").rows()
            assert [tuple(map(text, row)) for row in moves] == [
                tuple(map(text, (episode, number, move.seat + 1 or None, move.move, move.wall, move.cpu, move.fault)))
                for episode, record in enumerate(records, 1)
                for number, step in enumerate(record.steps, 1)
                for move in step
            ]
            metrics = [move.metrics for record in records for step in record.steps for move in step]
            assert [json.loads(cell or "{}") for cell in tables["moves"]["metrics"]] == metrics

            preparations = tables["preparations"].select(
                "episode", "seat", "wall_ns", "cpu_ns", "fault", "evidence", "remarks"
            )
            assert [tuple(map(text, row)) for row in preparations.rows()] == [
                tuple(map(text, (episode, seat, made.wall, made.cpu, made.fault, made.evidence, None)))
                for episode, record in enumerate(records, 1)
                for seat, made in enumerate([seat.preparation for seat in record.seats], 1)
                if made is not None
            ]


def text(value: object) -> str:
    """A cell as a text: CSV does not say whether "4" was a number."""
    return "" if value is None else str(value)


def test_seats_and_repetitions_count_from_one(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        found = sample("failed")
        id = store.enter(msgspec.structs.replace(found.tournament, repetitions=2), {}).id
        store.add_matches(id, 1, 0, [Match(0, (0, 1)), Match(3, (1, 0))])
        [played] = found.episodes(1, 1)[:1]
        store.add(id, [msgspec.structs.replace(played, key=Key(1, 1, 4))])
        tables = exported(store, id, tmp_path, "parquet")
        names = [agent.name for agent in found.tournament.agents]
        assert tables["matches"].rows() == [(2, 1, 1, *names), (2, 2, 4, *reversed(names))]
        assert tables["episodes"].select("repetition", "match", "episode", "by", "agent_1").rows() == [
            (2, 2, 5, "2", names[1])
        ]
        assert tables["moves"]["seat"].to_list() == [1, 2]


def test_faults_before_the_first_move_are_in_the_tables(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        tables = exported(store, stored(store, "failed while getting ready"), tmp_path, "parquet")
    failed = tables["preparations"].filter(pl.col("fault").is_not_null())
    assert failed.select("episode", "seat", "fault").rows() == [(number, 1, "failed") for number in (1, 2, 3, 4)]
    assert failed["evidence"].null_count() == 0
    assert tables["timings"].select("seat", "moves", "total_ns", "median_ns", "faults").rows() == [
        (1, 0, 0, None, 4),
        (2, 0, 0, None, 0),
    ]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_times_by_match_are_a_table(tmp_path: Path, kind: Literal["csv", "parquet"]) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        found = sample("substituted")
        id = store.enter(found.tournament, {}).id
        store.add_matches(id, 0, 0, [Match(0, (0, 1)), Match(0, (1, 0))])
        for match in (0, 1):
            store.add(id, found.episodes(match))
        table = exported(store, id, tmp_path, kind)["timings"]
    names = [agent.name for agent in found.tournament.agents]
    seats = ((1, 1, 1, names[0]), (1, 1, 2, names[1]), (1, 2, 1, names[1]), (1, 2, 2, names[0]))
    assert table.select("repetition", "match", "seat", "agent").rows() == list(seats)
    for row in table.iter_rows(named=True):
        walls = [wall for e in found.episodes() for wall in e.walls[row["seat"] - 1]]
        assert (row["moves"], row["total_ns"], row["fastest_ns"], row["slowest_ns"]) == (
            len(walls),
            sum(walls),
            min(walls),
            max(walls),
        )
        assert row["fastest_ns"] <= row["median_ns"] <= row["slowest_ns"]
        assert row["faults"] == sum(e.faults[row["seat"] - 1] for e in found.episodes())
        assert (row["episodes"], row["episode_slowest_ns"]) == (4, 4 * 10**6)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_metrics_that_are_numbers_have_a_row_each(tmp_path: Path, kind: Literal["csv", "parquet"]) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        metrics = {"Iterations": 1350, "value": -0.5, "sure": True, "line": "a1 b2", "visits": {"a1": 3}, "none": None}
        id = store_metrics(store, metrics)
        name = store.tournament(id).agents[0].name
        table = exported(store, id, tmp_path, kind)["metrics"]
    assert table.columns == ["repetition", "match", "episode", "step", "seat", "agent", "metric", "value"]
    assert table.rows() == [(1, 1, 1, 1, 1, name, "Iterations", 1350.0), (1, 1, 1, 1, 1, name, "value", -0.5)]


def test_tables_hold_what_bots_leave_behind(tmp_path: Path) -> None:
    found = sample("one mover at a time")
    record = left_behind(found.records[0])
    with open_store(str(tmp_path / "ludus.db")) as store:
        id = store.enter(found.tournament, {}).id
        store.add_matches(id, 0, 0, [Match(0, found.seats)])
        store.add(id, [episode(record, Key(0, 0, 0), 10**6)])
        tables = exported(store, id, tmp_path, "parquet")
    moves = [move for step in record.steps for move in step]
    assert tables["moves"].select("waited_ns", "memory_bytes").rows() == [
        (move.waited, move.memory or None) for move in moves
    ]
    assert tables["preparations"]["remarks"].to_list() == ["wrote 'hm' unasked\ndid not exit", None]


def test_every_field_of_a_move_and_of_getting_ready_is_exported(tmp_path: Path) -> None:
    record = filled_record()
    with open_store(str(tmp_path / "ludus.db")) as store:
        kind, entrants = sample("one mover at a time").tournament, [Entrant(s.name, s.agent) for s in record.seats]
        id = store.enter(msgspec.structs.replace(kind, game=record.game, agents=tuple(entrants)), {}).id
        store.add_matches(id, 0, 0, [Match(0, (0, 1))])
        store.add(id, [episode(record, Key(0, 0, 0), 10**6)])
        tables = exported(store, id, tmp_path, "parquet")
    key = ["repetition", "match", "episode"]
    move, made = record.steps[0][0], record.seats[0].preparation
    for name, frame in tables.items():
        tables[name] = frame.rename(lambda column: column.removesuffix("_ns").removesuffix("_bytes"))
    assert tables["moves"].columns == [*key, "step", *move.__struct_fields__]
    told = msgspec.to_builtins(move) | {
        "seat": move.seat + 1,
        "metrics": json.dumps(move.metrics, separators=(",", ":")),
    }
    assert tables["moves"].row(0, named=True).items() >= told.items()
    assert made is not None
    assert tables["preparations"].row(0, named=True).items() >= msgspec.to_builtins(made).items()


def test_metrics_that_json_lacks_are_texts(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        id = store_metrics(store, {"value": math.nan, "bounds": [-math.inf, math.inf]})
        tables = exported(store, id, tmp_path, "csv")
    assert tables["moves"]["metrics"][0] == '{"value":"NaN","bounds":["-Infinity","Infinity"]}'


def test_keys_that_json_lacks_are_texts(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        id = store_metrics(store, {"seen": {None: 1, (2, 3): 4}})
        tables = exported(store, id, tmp_path, "csv")
    assert tables["moves"]["metrics"][0] == '{"seen":{"None":1,"(2, 3)":4}}'


def test_a_tournament_without_episodes_gives_empty_tables(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        id = store.enter(sample("metrics").tournament, {}).id
        tables = exported(store, id, tmp_path, "parquet")
    assert [len(tables[name]) for name in TABLES] == [2, 0, 0, 0, 0, 0, 0]


def test_csv_holds_nothing_that_a_spreadsheet_executes_or_a_terminal_obeys(tmp_path: Path) -> None:
    frame = pl.LazyFrame(
        {
            "name": [
                "=cmd|' /C calc'!A0",
                "+1+1",
                "-x",
                "@SUM(1)",
                "\t=1",
                "-1.5",
                "+2",
                "a\x1b[31m\u202e",
                "b\nc",
                None,
            ],
            "score": [-1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0],
        }
    )
    file = tmp_path / "names.csv"
    for_spreadsheets(frame).sink_csv(file)
    with file.open(newline="") as opened:
        rows = list(csv.reader(opened))[1:]
    assert [row[0] for row in rows] == [
        "'=cmd|' /C calc'!A0",
        "'+1+1",
        "'-x",
        "'@SUM(1)",
        "'\t=1",
        "-1.5",
        "+2",
        "a�[31m�",
        "b\nc",
        "",
    ]
    assert [float(row[1]) for row in rows] == frame.collect()["score"].to_list()


def test_names_of_agents_are_no_formulas_in_exported_tables(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        play(store, agents=[Entrant("=1+1", "random"), Entrant("fair", "mc:iterations=1")], episodes=2)
    done = ludus("store", "export", "1", "--csv", str(tmp_path / "csv"), LUDUS_STORE=str(tmp_path / "ludus.db"))
    assert done.returncode == 0
    found = 0
    for file in (tmp_path / "csv").iterdir():
        with file.open(newline="") as opened:
            cells = [cell for row in csv.reader(opened) for cell in row]
        assert not [cell for cell in cells if cell.startswith("=")], file
        found += "'=1+1" in cells
    assert found > 5
