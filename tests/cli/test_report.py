from pathlib import Path

import pytest

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


def test_report_is_written_and_its_size_printed(store: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    done = ludus("results", "Spring cup", "--html", str(file), "--store", store, columns=200)
    assert done.returncode == 0, done.stderr
    page = file.read_text()
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")
    assert done.stdout == f"{file}: {spoken_size(len(page.encode()))}\n"


@pytest.mark.parametrize(("which", "file"), [("7", "page.html"), ("1", "nowhere/page.html"), ("1", "page.pdf")])
def test_report_that_cannot_be_written_is_refused(store: str, tmp_path: Path, which: str, file: str) -> None:
    done = ludus("results", which, "--html", str(tmp_path / file), "--store", store, columns=200)
    assert done.returncode == 2
    assert (which if which == "7" else file) in done.stderr
    assert not (tmp_path / file).exists()


@pytest.mark.parametrize(
    "options",
    [("--html", "a.html", "--chart", "scores"), ("-o", "a.png"), ("--by", "type"), ("--html", "a.html", "--json")],
)
def test_options_that_do_not_go_together_are_refused(store: str, options: tuple[str, ...]) -> None:
    assert ludus("results", "1", *options, "--store", store).returncode == 2
