from collections.abc import Iterator

import pytest

from support.sites import Served, served
from support.stored_reports import stored

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("site") / "s.db") as site:
        stored(site.store, ["Anna", "Ben", "Cleo"])
        yield site


def test_chart_has_its_data_and_no_title_of_its_own(site: Served) -> None:
    answer = site.get("/tournaments/1/charts/ratings.json")
    assert "title" not in answer.json
    assert answer.json["description"].startswith("Ratings: ")
    assert {row["agent"] for rows in answer.json["datasets"].values() for row in rows} == {"Anna", "Ben", "Cleo"}
    assert site.get("/tournaments/1/charts/ratings.json", If_None_Match=answer.headers["ETag"] or "").status == 304


def test_options_change_a_chart(site: Served) -> None:
    plain, by_strength = (site.get(f"/tournaments/1/charts/scores.json{query}").text for query in ("", "?sorted=yes"))
    linear, log = (site.get(f"/tournaments/1/charts/strength-speed.json{query}").text for query in ("", "?log=yes"))
    assert plain != by_strength or "Anna" in plain
    assert linear != log
    assert site.get("/tournaments/1/charts/ratings.json?log=yes").status == 400


def test_charts_are_pictures_too(site: Served) -> None:
    svg = site.get("/tournaments/1/charts/ratings.svg")
    assert svg.text.startswith("<svg")
    assert svg.headers["Content-Disposition"] == 'attachment; filename="ratings.svg"'
    with site.open("/tournaments/1/charts/ratings.png") as png:
        assert png.read(4) == b"\x89PNG"


@pytest.mark.parametrize("name", ["nothing.json", "ratings.pdf", "ratings", "../ratings.json"])
def test_other_charts_are_missing(site: Served, name: str) -> None:
    assert site.get(f"/tournaments/1/charts/{name}").status == 404


def test_chart_that_does_not_suit_says_what_it_needs(site: Served) -> None:
    answer = site.get("/tournaments/1/charts/bracket.svg")
    assert answer.status == 400
    assert "needs a knockout" in answer.text


def test_maps_of_large_fields_are_left_to_the_command_line(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludus.web.held.MOST_AGENTS", 2)
    answer = site.get("/tournaments/1/charts/symmetry.json")
    assert answer.status == 404
    assert "ludus results 1 --chart symmetry" in answer.text


def test_script_is_kept_for_as_long_as_its_version(site: Served) -> None:
    with site.open("/static/charts.js?v=1", Accept_Encoding="gzip") as answer:
        assert "immutable" in answer.headers["Cache-Control"]
        assert len(answer.read()) < 400_000
