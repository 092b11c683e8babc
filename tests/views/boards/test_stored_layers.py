"""Layers among the metrics of stored moves: kept as they are, small, and in nobody's way."""

import json
from pathlib import Path

import numpy as np
import polars as pl

from ludus.agents.layers import pack, scaled, unpack
from ludus.episode import codec
from ludus.stats.results import load
from ludus.store import open_store
from ludus.store.export import export_tables
from ludus.views.page.page import render
from support.seer import SEER, record_of
from support.stored_results import play


def test_layers_are_stored_with_their_moves_and_disturb_no_table(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        id = play(store, "connect-four", (f"{SEER}:layers=yes", "random"))
        records = [record for _, record in store.records(id)]
        moves = [move for record in records for step in record.steps for move in step if move.metrics]
        assert moves
        for move in moves:
            assert np.argwhere(unpack(move.metrics["layers"]["heat"])).tolist() == [[0, 0]]
        results = load(str(id), store)
        assert results.metrics()["metric"].to_list() == ["turns"]
        assert moves[0].metrics["layers"]["heat"] not in render(results)
        export_tables(store, id, tmp_path, "csv", lambda count: None)
    assert pl.read_csv(tmp_path / "metrics.csv")["metric"].unique().to_list() == ["turns"]
    cells = pl.read_csv(tmp_path / "moves.csv")["metrics"].drop_nulls()
    assert [json.loads(cell) for cell in cells if "layers" in cell] == [move.metrics for move in moves]


def test_a_stored_layer_takes_less_than_a_byte_a_cell() -> None:
    record = record_of("connect-four", f"{SEER}:layers=yes", "random")
    rng = np.random.default_rng(7)
    moves = [move for step in record.steps for move in step if move.metrics]
    for move in moves:
        del move.metrics["layers"]
    bare = len(codec.pack(record))
    for move in moves:
        where = rng.normal(30, 8, (2, 4000)).clip(0, 59).astype(int)
        visits = np.histogram2d(where[0], where[1], 60, [[0, 60], [0, 60]])[0]
        move.metrics["layers"] = {"heat": pack(scaled(visits))}
    assert (len(codec.pack(record)) - bare) / len(moves) < 60 * 60
