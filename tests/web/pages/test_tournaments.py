from collections.abc import Iterator

import pytest

from support.sites import Served, served
from support.stored_reports import stored

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("site") / "s.db") as site:
        stored(site.store, ["Anna", "Ben"], name="Spring cup")
        stored(site.store, ["<b>Eve</b>", "Ben"], name="<script>alert(1)</script>")
        yield site


def test_list_has_the_newest_tournament_first(site: Served) -> None:
    assert [found["name"] for found in site.get("/api/tournaments").json] == ["<script>alert(1)</script>", "Spring cup"]


def test_names_stay_text(site: Served) -> None:
    for path in ("/", "/tournaments"):
        assert "<script>alert" not in site.get(path).text
        assert "&lt;script&gt;alert(1)" in site.get(path).text


def test_missing_page_says_so_in_one_sentence(site: Served) -> None:
    page, api = site.get("/nothing"), site.get("/api/nothing")
    assert (page.status, api.status) == (404, 404)
    assert "There is no page /nothing." in page.text
    assert api.json == {"error": "There is no page /api/nothing."}
