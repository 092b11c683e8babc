from pathlib import Path

import pytest
from ludus.cli.report import report

from ludus.core.errors import LudusError
from ludus.core.text import spoken_size
from ludus.store import open_store
from support.running import ludus
from support.stored_reports import stored


@pytest.fixture
def store(tmp_path: Path) -> str:
    file = str(tmp_path / "ludus.db")
    with open_store(file) as opened:
        stored(opened, ["first", "second", "third"])
    return file


def test_report_is_written_and_its_size_told(store: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    done = ludus("results", "Spring cup", "-o", str(file), "--store", store, columns=200)
    assert done.returncode == 0, done.stderr
    page = file.read_text()
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")
    assert done.stdout == f"{file}: {spoken_size(len(page.encode()))}\n"


def test_what_cannot_be_reported_or_written_is_told(store: str, tmp_path: Path) -> None:
    with pytest.raises(LudusError, match="There is no tournament '7'"):
        report("7", tmp_path / "page.html", store)
    with pytest.raises(LudusError, match="cannot be written: No such file or directory"):
        report("1", tmp_path / "nowhere" / "page.html", store)
