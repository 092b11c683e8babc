from pathlib import Path

import pytest

from ludus.store import open_store
from support.running import ludus, program
from support.sentences import missing
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
    done = program(
        "results", "1", "--chart", "scores", "--sort", "rating", "-o", str(file), "--store", store, columns=200
    )
    assert done.stderr == ""
    assert done.stdout == f"{file}\n"
    assert file.read_bytes().startswith(BEGINNINGS[".png"])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("ending", [*BEGINNINGS, *map(str.upper, BEGINNINGS)])
def test_ending_says_what_is_written(store: str, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"chart{ending}"
    done = ludus("results", "1", "--chart", "strength-speed", "--log-scale", "-o", str(file), "--store", store)
    assert done.returncode == 0, done.stderr
    assert file.read_bytes().startswith(BEGINNINGS[ending.lower()])


def test_suitable_charts_are_listed(store: str) -> None:
    listed = ludus("results", "1", "--chart", "list", "--store", store, columns=120).stdout
    listed_names = [line.split()[0] for line in listed.splitlines() if line[:1].isalpha()][1:]
    assert {"scores", "strength-speed"} <= set(listed_names)
    assert not {"points", "repetitions"} & set(listed_names)


def test_unknown_chart_is_reported_in_one_line(store: str) -> None:
    done = ludus("results", "1", "--chart", "scoers", "--store", store)
    assert done.returncode == 2
    assert not missing(done.stderr, "'scoers' 'scores' ratings strength-speed")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("file", ["scores.gif", "nowhere/scores.svg"])
def test_chart_that_cannot_be_written_is_refused(store: str, tmp_path: Path, file: str) -> None:
    done = ludus("results", "1", "--chart", "scores", "-o", str(tmp_path / file), "--store", store, columns=200)
    assert done.returncode == 2
    assert file in done.stderr
