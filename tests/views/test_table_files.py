import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import polars as pl
import pytest

from ludus.stats.results import Results, load
from ludus.store import open_store
from ludus.tournaments.tournament import Entrant
from ludus.views.column import exported, units
from ludus.views.result_tables import TABLES
from ludus.views.table_files import Form, escaped, write_tables
from support.stored_results import play

ODD = r"50%_a&b\c"
FIELD = (Entrant(ODD, "mc:iterations=5"), Entrant("plain", "random"), Entrant("third", "random"))


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Results]:
    with open_store(str(tmp_path_factory.mktemp("store") / "ludus.db")) as store:
        yield load(play(store, agents=FIELD, episodes=4, repetitions=3, opening_plies=1), store)


def frames(found: Results) -> dict[str, pl.DataFrame]:
    """The frames of all tables that are written."""
    return {
        name: exported(table.frame(found), table.columns(found))
        for name, table in TABLES.items()
        if table.suits(found) and not table.on_request
    }


def test_every_form_holds_the_frames(found: Results, tmp_path: Path) -> None:
    for form in get_args(Form):
        write_tables(found, tmp_path, form)
    read = json.loads((tmp_path / "results.json").read_text())
    assert read.keys() == frames(found).keys() >= {"standings", "crosstable", "symmetry", "match_results"}
    for name, frame in frames(found).items():
        assert pl.read_parquet(tmp_path / f"{name}.parquet").equals(frame)
        assert read[name] == json.loads(json.dumps(frame.to_dicts()))
        lists = [column for column, kind in frame.schema.items() if kind == pl.List]
        plain = frame.with_columns(pl.col(lists).list.join("; "))
        assert pl.read_csv(tmp_path / f"{name}.csv", schema_overrides=plain.schema).equals(plain)
        lines = (tmp_path / f"{name}.tex").read_text().splitlines()
        assert next(line for line in lines if line.startswith("\\b")).startswith(r"\begin{tabular}{")


def test_names_of_columns_end_with_their_units(found: Results) -> None:
    tables = frames(found)
    assert {
        "rating_elo",
        "low_elo",
        "high_elo",
        "fide_elo",
        "uscf_elo",
        "glicko_elo",
        "glicko_deviation_elo",
        "points",
    } <= {*tables["standings"].columns}
    assert {"median_ns", "q1_ns", "episode_mean_ns", "moves"} <= {*tables["timing"].columns}
    assert units(TABLES["usage"].columns(found))["memory"] == "bytes"


def test_latex_is_a_tabular_with_as_many_cells_in_each_row(found: Results, tmp_path: Path) -> None:
    write_tables(found, tmp_path, "latex")
    for file in tmp_path.iterdir():
        comment, begin, top, head, middle, *rows, bottom, end = file.read_text().splitlines()
        assert (top, middle, bottom, end) == (r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}")
        columns = begin.removeprefix(r"\begin{tabular}{").removesuffix("}")
        assert {*columns} <= {"l", "r"}
        for row in (head, *rows):
            assert row.endswith(r" \\")
            assert len(row.replace(r"\&", "").split(" & ")) == len(columns), file.name
        assert comment.startswith("%")


def test_latex_escapes_what_is_special() -> None:
    assert escaped(ODD) == r"50\%\_a\&b\textbackslash{}c"
    assert escaped("+8 ± 3\n{#$}") == r"+8 $\pm$ 3 \{\#\$\}"
    assert escaped("bot ---depth 'x' – `y`") == (
        r"bot -{}-{}-depth \textquotesingle{}x\textquotesingle{} \textendash{} \textasciigrave{}y\textasciigrave{}"
    )


def test_no_row_of_latex_is_an_option_of_the_row_before(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "ludus.db")) as store:
        agents = [Entrant("[1] first", "random"), Entrant("* second", "mc:iterations=2")]
        write_tables(load(play(store, agents=agents), store), tmp_path, "latex")
    rows = (tmp_path / "strength_speed.tex").read_text().splitlines()[5:7]
    assert {row[:3] for row in rows} == {"{[}", "{*}"}


def test_agents_against_agents_are_a_matrix_with_deviations(found: Results, tmp_path: Path) -> None:
    write_tables(found, tmp_path, "latex")
    lines = (tmp_path / "crosstable.tex").read_text().splitlines()
    rows = [line for line in lines if line.startswith(("1 ", "2 ", "3 "))]
    assert len(rows) == 3
    assert all(row.count(r"$\pm$") == 2 for row in rows)


def test_tables_of_one_and_three_players_are_written_too(tmp_path: Path) -> None:
    settings: list[dict[str, Any]] = [
        {"game": "2048", "agents": ("random", "mc:iterations=1")},
        {"game": "nim:players=3", "agents": ("random", "mc:iterations=1", "mc:iterations=2")},
    ]
    with open_store(str(tmp_path / "ludus.db")) as store:
        for number, content in enumerate(settings):
            folder = tmp_path / str(number)
            folder.mkdir()
            id = play(store, episodes=2, **content)
            for form in get_args(Form):
                write_tables(load(id, store), folder, form)
            assert pl.read_csv(folder / "match_results.csv")["episodes"].sum() == load(id, store).played
