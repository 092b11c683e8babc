import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import quote

import pytest

from support.sites import Served, served
from support.stored_reports import stored

pytestmark = pytest.mark.slow

HOSTILE = '"><script>alert(1)</script>'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("site") / "s.db") as site:
        stored(site.store, ["Anna", "Ben", HOSTILE], episodes=20)
        yield site


def test_pages_lead_from_the_newest_to_the_oldest(site: Served) -> None:
    shown: list[str] = []
    path = "/history"
    while path:
        text = site.get(path).text
        shown += re.findall(r'<a href="/episodes/([^"]+)">', text)
        older = re.search(r'rel="next" href="([^"]+)"', text)
        path = "/history" + unescape(older[1]) if older else ""
    assert shown == [found["episode"] for found in site.get("/api/history?most=1000").json["episodes"]]
    assert len(set(shown)) == len(shown) == 120


def test_filter_of_the_address_is_that_of_the_json(site: Served) -> None:
    query = "agent=Anna&opponent=Ben&result=lost&first=Ben"
    text = site.get(f"/history?{query}").text
    assert unescape(re.search(r'<a href="(/api/[^"]+)">', text)[1]) == f"/api/history?{query}"  # type: ignore[index]
    episodes = site.get(f"/api/history?{query}&most=1000").json["episodes"]
    assert episodes
    assert all(found["seats"] == ["Ben", "Anna"] and found["scores"][0] > found["scores"][1] for found in episodes)
    assert 'value="Anna"' in text


def test_names_and_filters_stay_text(site: Served) -> None:
    text = site.get(f"/history?agent={quote(HOSTILE)}&game={quote(HOSTILE)}").text
    assert "<script>alert" not in text + site.get("/history").text


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("tournament=first", "first"),
        ("shortest=-1", "-1"),
        ("longest=99999999999", "longest"),
        ("since=yesterday", "yesterday"),
        ("result=won", "agent"),
        ("agent=Anna&result=best", "best"),
        ("ending=tired", "tired"),
        ("after=1.2", "1.2"),
        ("after=1.2.3.99999999999", "1.2.3"),
    ],
)
def test_wrong_filter_is_refused_in_one_sentence(site: Served, query: str, named: str) -> None:
    page, api = site.get(f"/history?{query}"), site.get(f"/api/history?{query}")
    assert page.status == api.status in (400, 422)
    assert named in api.json["error"]
    assert "Traceback" not in page.text


def test_empty_fields_of_the_form_ask_for_everything(site: Served) -> None:
    query = "game=&agent=&opponent=&result=&ending=&tournament=&first=&since=&until=&shortest=&longest="
    assert site.get(f"/api/history?{query}").json == site.get("/api/history").json


def test_filter_without_a_match_says_so(site: Served) -> None:
    assert "No episode matches" in site.get("/history?agent=Nobody").text
