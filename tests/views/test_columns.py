import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from ludus.cli import result_parts, results
from ludus.cli.screen import output
from ludus.core.text import percent, signed
from ludus.stats.results import Results
from ludus.store import open_store
from ludus.views import columns
from ludus.views.column import Column, explained, shown, with_derived
from ludus.views.page.html_tables import Table
from ludus.views.page.sections import Content
from ludus.views.result_tables import TABLES
from support.stored_reports import stored

FRAME = pl.DataFrame({"agent": ["a", "b"], "rating": [50.0, None], "error": [9.5, 12.0], "faults": [0, 0]})


@pytest.fixture
def found(tmp_path: Path) -> Iterator[Results]:
    with open_store(str(tmp_path / "ludus.db")) as store:
        yield stored(store, ["a", "b", "c"])


def test_one_more_column_is_declared_once_and_seen_everywhere(
    found: Results, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    more = Column("lost_share", "lost, %", write=percent, of=lambda: pl.col("losses") / pl.col("episodes"))
    monkeypatch.setattr(columns, "STANDINGS_OF_TWO", (*columns.STANDINGS_OF_TWO, more))

    (row, *_) = results.everything(found)["standings"]
    assert json.loads(json.dumps(row))["lost_share"] == row["losses"] / row["episodes"]

    heading, standings = next(iter(result_parts.parts(found, None)))
    output().print(standings)
    printed = capsys.readouterr().out
    assert heading == "Standings"
    assert "lost, %" in printed
    assert percent(row["lost_share"]) in printed

    (page,) = (part for part in Content(found).standings().parts if isinstance(part, Table))
    place = [head.text for head in page.heads].index("lost, %")
    assert page.rows[0][place].text == percent(row["lost_share"])


def test_every_declared_column_is_in_its_frame(found: Results) -> None:
    for table in TABLES.values():
        if table.suits(found) and table.name != "usage":
            frame = table.arranged(table.frame(found))
            assert {column.name for column in table.columns(found)} <= set(frame.columns), table.name


def test_margins_stand_behind_their_values_and_below_each_other() -> None:
    frame = pl.DataFrame({"rating": [50.0, -1250.0, None], "error": [9.6, 120.0, None]})
    assert Column("rating", "rating", write=signed, margin="error").cells(frame, {}) == [
        "+50 ±  10",
        "−1250 ± 120",
        "–",
    ]


def test_intervals_stand_behind_their_values_and_below_each_other() -> None:
    rows = [(50.0, 41.0, 59.0), (-1250.0, -1370.0, -1130.0), (0.0, -10.0, 80.0), (400.0, 300.0, None), (9.0, None, 7.0)]
    frame = pl.DataFrame([*rows, (None, None, None)], ["rating", "low", "high"], orient="row")
    cells = Column("rating", "rating", write=signed, ends=("low", "high")).cells(frame, {})
    assert len({*map(len, (cell.partition(" ")[2] for cell in cells[:3]))}) == 1
    assert [cell.split() for cell in cells] == [
        ["+50", "±", "9"],
        ["−1250", "±", "120"],
        ["0", "−10", "+80"],
        ["≥", "+300"],
        ["≤", "+7"],
        ["–"],
    ]


def test_names_of_agents_are_replaced() -> None:
    assert columns.AGENT.cells(FRAME, {"a": "A", "b": "B"}) == ["A", "B"]


def test_columns_that_a_frame_lacks_or_that_hold_nothing_are_left_out() -> None:
    declared = [Column("agent", "agent"), Column("missing", "missing"), Column("faults", "faults", if_any=True)]
    assert [column.name for column in shown(FRAME, declared)] == ["agent"]


def test_derived_columns_do_not_replace_those_of_the_frame() -> None:
    declared = [
        Column("double", "double", of=lambda: 2 * pl.col("error")),
        Column("rating", "rating", of=lambda: pl.lit(0)),
    ]
    assert with_derived(FRAME, declared)["double"].to_list() == [19.0, 24.0]
    assert with_derived(FRAME, declared)["rating"].to_list() == [50.0, None]


def test_what_heads_do_not_say_is_explained() -> None:
    assert explained([Column("a", "a\nb", "it means that"), Column("c", "c")]) == "a b: it means that"
