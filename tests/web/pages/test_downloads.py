import io
import zipfile
from collections.abc import Iterator

import polars as pl
import pytest

from ludus.store import open_store
from ludus.store.portable import import_folder
from ludus.web.pages import downloads
from support.sites import Served, served
from support.stored_reports import stored
from support.stored_results import play

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("site") / "s.db") as site:
        play(site.store, "hex:size=3", ["random", "mc:iterations=5"], name="Cup/№ 1", episodes=2)
        stored(site.store, ["Anna", "Ben"], name="Other")
        yield site


def archive(site: Served, form: str) -> zipfile.ZipFile:
    with site.open(f"/tournaments/1/download/{form}.zip") as answer:
        assert answer.headers["Content-Type"] == "application/zip"
        assert f"Cup%2F%E2%84%96%201%20{form}.zip" in answer.headers["Content-Disposition"]
        return zipfile.ZipFile(io.BytesIO(answer.read()))


def test_archives_have_results_and_records(site: Served) -> None:
    csv, parquet, latex = (archive(site, form) for form in ("csv", "parquet", "latex"))
    assert pl.read_csv(csv.read("episodes.csv")).height == 4
    assert pl.read_parquet(io.BytesIO(parquet.read("standings.parquet"))).height == 2
    assert b"\\toprule" in latex.read("standings.tex")


def test_archive_of_everything_can_be_imported(site: Served, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("imported")
    archive(site, "json").extractall(folder)
    with open_store(str(folder / "other.db")) as other:
        found = import_folder(other, folder, None, lambda _: None)
        assert (found.tournament.name, found.episodes) == ("Cup/№ 1", 4)


def test_games_and_report_open(site: Served) -> None:
    games = site.get("/tournaments/1/download/games.sgf").text
    assert games.count("(;") == 4
    assert 'id="datasets"' in site.get("/tournaments/1/download/report.html").text
    assert "games.sgf" in site.get("/tournaments/1").text


@pytest.mark.parametrize("name", ["games.pgn", "exe.zip", "nothing"])
def test_other_files_are_missing(site: Served, name: str) -> None:
    assert site.get(f"/tournaments/1/download/{name}").status == 404


def test_one_archive_is_written_at_a_time(site: Served) -> None:
    with downloads.alone():
        answer = site.get("/tournaments/2/download/csv.zip")
    assert answer.status == 503
    assert "Another download is being written" in answer.text
    assert archive(site, "latex").namelist()
