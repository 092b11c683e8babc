"""The tables of spe_ed in docs/strength.md, from games whose sums are known."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from speed_strength import duels, field, games_of
from support.places import ROOT

DOCS = ROOT / "docs"
BASIC_FIRST, COMBI_FIRST = ("speed.basic", "speed.combi"), ("speed.combi", "speed.basic")
FIRST_WINS, DRAW, SECOND_WINS = (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)
RULES, LATE = "rules", "late"


def written(path: Path, rows: Sequence[tuple[int, str, tuple[str, ...], tuple[float, ...]]]) -> Path:
    """A file of games: seed, ending, agents and scores of each."""
    lines = [
        {"seed": seed, "ending": ending, "plies": 100 * number, "fresh": "true"}
        | {f"agent_{seat}": agent for seat, agent in enumerate(agents, 1)}
        | {f"score_{seat}": score for seat, score in enumerate(scores, 1)}
        for number, (seed, ending, agents, scores) in enumerate(rows, 1)
    ]
    pl.DataFrame(lines).write_csv(path)
    return path


def test_score_of_a_duel_is_that_of_combi_s_opponent_from_either_seat(tmp_path: Path) -> None:
    rows = [(1, RULES, BASIC_FIRST, SECOND_WINS), (2, RULES, BASIC_FIRST, DRAW)]
    rows += [(1, RULES, COMBI_FIRST, SECOND_WINS), (2, LATE, COMBI_FIRST, SECOND_WINS)]
    row = duels(games_of([written(tmp_path / "games.csv", rows)])).row(0, named=True)
    assert (row["agent"], row["won"], row["games"]) == ("speed.basic", 2.5, 4)
    assert (row["from the first seat"], row["not by the rules"]) == (2, 1)
    assert row["score"].startswith("0.625 (")


def test_game_that_stands_in_two_files_counts_once(tmp_path: Path) -> None:
    once = (1, RULES, BASIC_FIRST, SECOND_WINS)
    files = [
        written(tmp_path / "a.csv", [once]),
        written(tmp_path / "b.csv", [once, (1, RULES, COMBI_FIRST, FIRST_WINS)]),
    ]
    assert games_of(files)["agents"].to_list() == [list(BASIC_FIRST), list(COMBI_FIRST)]


def test_places_in_a_field_follow_from_the_scores(tmp_path: Path) -> None:
    rows = [(1, RULES, ("a", "b", "c"), (1.0, 0.0, -1.0)), (1, RULES, ("c", "a", "b"), (-1.0, 1.0, 0.0))]
    rows.append((2, RULES, ("b", "c", "a"), (1.0, -1.0, 0.0)))
    table = field(games_of([written(tmp_path / "field.csv", rows)]))
    assert table["agent"].to_list() == ["`a`", "`b`", "`c`"]
    assert table["games"].to_list() == [3, 3, 3]
    assert table["points"].to_list() == pytest.approx([0.833, 0.667, 0])
    assert table.select("first", "second", "third").rows() == [(2, 1, 0), (1, 2, 0), (0, 0, 3)]
    assert table["rating"][0].startswith("+")
    assert table["rating"][2].startswith("≤ −")


def test_table_of_six_in_the_docs_is_that_of_its_games() -> None:
    lines = (DOCS / "strength.md").read_text(encoding="utf-8").splitlines()
    told = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `speed.")]
    for row in field(games_of([DOCS / "results" / "spe_ed-field.csv"])).iter_rows():
        assert [f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] in told
