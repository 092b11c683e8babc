from pathlib import Path

import pytest

from ludus.cli.chart import chart
from ludus.core.errors import LudusError
from ludus.store import open_store
from support.running import ludus, program
from support.stored_reports import stored

BEGINNINGS = {".png": b"\x89PNG", ".svg": b"<svg", ".pdf": b"%PDF", ".html": b"<!doctype html>"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = str(tmp_path_factory.mktemp("chart") / "ludus.db")
    with open_store(file) as opened:
        stored(opened, ["first", "second", "third"])
    return file


@pytest.mark.slow
def test_chart_is_written_and_its_file_named(store: str, tmp_path: Path) -> None:
    file = tmp_path / "scores.png"
    done = program("chart", "1", "scores", "--sorted", "-o", str(file), "--store", store, columns=200)
    assert done.stderr == ""
    assert done.stdout == f"{file}\n"
    assert file.read_bytes().startswith(BEGINNINGS[".png"])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ending", [*BEGINNINGS, *map(str.upper, BEGINNINGS)])
def test_ending_says_what_is_written(store: str, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"chart{ending}"
    chart("1", "strength-speed", file, log=True, store=store)
    assert file.read_bytes().startswith(BEGINNINGS[ending.lower()])


def test_charts_that_suit_are_listed_without_a_name(store: str) -> None:
    listed = ludus("chart", "1", "--store", store, columns=120).stdout
    assert "strength-speed  Strength against the time" in listed
    assert "points" not in listed
    assert "repetitions" not in listed


def test_unknown_chart_is_told_in_one_line(store: str) -> None:
    done = ludus("chart", "1", "scoers", "--store", store)
    assert done.returncode == 2
    assert done.stderr.startswith("ludus: There is no chart 'scoers', perhaps you mean 'scores': choose from ratings,")
    assert done.stderr.count("\n") == 1


def test_what_cannot_be_written_is_told(store: str, tmp_path: Path) -> None:
    with pytest.raises(LudusError, match=r"scores\.gif does not say what to write: let it end in \.png, \.svg, \.pdf,"):
        chart("1", "scores", Path("scores.gif"), store=store)
    with pytest.raises(LudusError, match="cannot be written: there is no folder"):
        chart("1", "scores", tmp_path / "nowhere" / "scores.svg", store=store)
