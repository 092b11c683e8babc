import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from ludus.episode.finished import episode
from ludus.episode.record import Key
from ludus.stats.results import Results
from ludus.store import Store
from ludus.tournaments.formats.format import Match
from ludus.views.page.head import lead
from ludus.views.result_tables import TABLES
from support.browsing import CHROMIUM, Visit, chromium
from support.parsed_pages import Page
from support.sites import Served, served
from support.stored_reports import stored
from support.stored_results import begin, enter, play

pytestmark = pytest.mark.slow

expect.set_options(timeout=60_000)  # milliseconds: a machine may be slow

HOSTILE = "</script><script>window.ran = true</script><img src=x onerror='window.ran = true'>"
FIELD = ("minimax:depth=2", "mc:iterations=20", "random", "mcts:simulations=10")
LONG = [f"mcts:simulations=20,tree_depth={depth},rollout_depth=100" for depth in (10, 40)]
needs_browser = pytest.mark.skipif(not CHROMIUM.exists(), reason="needs a browser at /usr/bin/chromium")


def fill(store: Store) -> dict[str, int]:
    """Tournaments of every kind: the number of each in the store."""
    three = ["Anna", "Ben", "Cleo"]
    six = [*three, "Di", "Ed", "Flo"]
    return {
        "two players": stored(store, three, episodes=20, name="Two").id,
        "one player": stored(store, three, game="2048", seats=1, name="One").id,
        "six players": stored(store, six, game="nim:players=6", seats=6, episodes=1, name="Six").id,
        "knockout": play(store, agents=FIELD, name="Cup", format="knockout", episodes=2),
        "swiss": play(store, agents=FIELD, name="Open", format="swiss:rounds=2", episodes=2),
        "repetitions": stored(store, three, repetitions=2, name="Again").id,
        "faults": stored(store, three, episodes=60, name="Faulty").id,
        "no result": stored(store, three, broken=True, name="Broken").id,
        "unfinished": begin(store, name="Begun", episodes=10),
        "empty": enter(store, name="Nothing"),
        "long names": play(store, agents=["random", *LONG], name="Long names", episodes=1),
        "hostile": stored(store, [HOSTILE, *three], name=HOSTILE).id,
    }


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("site") / "s.db") as site:
        yield site


@pytest.fixture(scope="module")
def kinds(site: Served) -> dict[str, int]:
    return fill(site.store)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched


def words(text: str) -> str:
    return " ".join(text.split())


# --- The page ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["two players", "one player", "six players", "knockout", "swiss", "repetitions"])
def test_page_leads_with_the_result_and_has_the_standings(site: Served, kinds: dict[str, int], kind: str) -> None:
    results = Results(site.store, kinds[kind])
    answer = site.get(f"/tournaments/{kinds[kind]}")
    page = Page(answer.text)
    assert answer.status == 200
    for sentence in lead(results):
        assert words(sentence.striptags()) in words(page.text)
    first = next(place for place, row in enumerate(page.rows) if "agent" in row)
    rows = page.rows[first + 1 :][: len(results.agents)]
    assert [row[1] for row in rows] == results.order()
    frame = TABLES["standings"].frame(results)
    column = next(each for each in TABLES["standings"].columns(results) if each.name in ("rating", "mean"))
    shown = [words(row[page.rows[first].index(column.head)]) for row in rows]
    assert shown == [words(text) for text in column.cells(frame, {})]


@pytest.mark.parametrize("kind", ["faults", "no result", "unfinished", "empty", "long names", "hostile"])
def test_page_suits_every_tournament(site: Served, kinds: dict[str, int], kind: str) -> None:
    id = kinds[kind]
    for path in ("", "/standings", "/wall", "/slides"):
        assert site.get(f"/tournaments/{id}{path}").status == 200
    assert site.get(f"/api/tournaments/{id}").json["id"] == id
    page = Page(site.get(f"/tournaments/{id}").text)
    assert [script for kind, script in page.scripts if script.strip()] == []
    expected = {
        "faults": "Faults",
        "no result": "No episode has a result.",
        "unfinished": "Not finished: 8 of 60 episodes (13 %).",
        "empty": "No episode has been played yet.",
        "long names": "mcts 10",
        "hostile": HOSTILE,
    }
    assert expected[kind] in words(page.text)


def test_page_has_what_the_report_has(site: Served, kinds: dict[str, int]) -> None:
    id = kinds["two players"]
    page, report = (Page(site.get(f"/tournaments/{id}{path}").text) for path in ("", "/download/report.html"))
    assert len(page.all("figure")) == len(report.all("figure"))
    assert len(page.all("details")) == len(report.all("details"))
    assert [row for row in report.rows if row not in page.rows] == []


def test_cells_lead_to_their_episodes(site: Served, kinds: dict[str, int]) -> None:
    id = kinds["faults"]
    found = [link["href"] or "" for link in Page(site.get(f"/tournaments/{id}").text).all("a")]
    assert f"/history?tournament={id}&agent=Anna&opponent=Ben" in found
    assert "/agents/Anna" in found
    assert any(re.fullmatch(rf"/history\?tournament={id}&agent=\w+&ending=late", address) for address in found)
    example = next(address for address in found if re.fullmatch(rf"/episodes/{id}/\d+\.\d+", address))
    assert site.get(f"/api{example}").status != 404
    knockout = Page(site.get(f"/tournaments/{kinds['knockout']}").text).all("a")
    assert "/agents/mc%3Aiterations%3D20" in [link["href"] for link in knockout]


def test_missing_tournament_says_so(site: Served, kinds: dict[str, int]) -> None:
    for path in ("", "/wall", "/standings", "/slides", "/charts/ratings.json", "/download/csv.zip", "/parts/x"):
        answer = site.get(f"/tournaments/9999{path}")
        assert answer.status == 404
        assert "There is no tournament 9999" in answer.text
    assert site.get("/api/tournaments/0").status == 422


# --- Computed once ----------------------------------------------------------------------------------------------------


def test_browser_that_has_the_page_gets_it_no_second_time(site: Served, kinds: dict[str, int]) -> None:
    path = f"/tournaments/{kinds['two players']}"
    site.get(path)
    tag = site.get(path, Accept_Encoding="identity").headers["ETag"] or ""
    assert site.get(path, If_None_Match=tag).status == 304
    assert site.get(path, If_None_Match='"other"').status == 200


def test_page_is_renewed_when_episodes_come_in(tmp_path: Path) -> None:
    with served(tmp_path / "s.db") as site:
        results = stored(site.store, ["Anna", "Ben"], episodes=3, planned=9, finished=False)
        assert "6 of 18 episodes" in site.get(f"/tournaments/{results.id}").text
        whole = next(site.store.wholes(results.id))
        site.store.add_matches(results.id, 0, 0, [Match(0, (0, 1))])
        site.store.add(results.id, [episode(whole.record, Key(0, 0, 8), whole.wall)])
        deadline = time.monotonic() + 60
        while "7 of 18 episodes" not in site.get(f"/tournaments/{results.id}").text:
            assert time.monotonic() < deadline
        while "7 of 18 episodes" not in site.get(f"/tournaments/{results.id}/standings").text:
            assert time.monotonic() < deadline


def test_head_of_a_new_page_comes_before_the_results(tmp_path: Path) -> None:
    with served(tmp_path / "s.db") as site:
        id = stored(site.store, ["Anna", "Ben"]).id
        held = site.site.results.now(id)
        held.lock.acquire()  # as if the results took long
        with site.open(f"/tournaments/{id}") as answer:
            begin = answer.read1(1 << 16).decode()
            assert "<h1>Spring cup</h1>" in begin
            assert "is first with a rating" not in begin
            held.lock.release()
            assert "is first with a rating" in answer.read().decode()


def test_long_tables_are_loaded_on_request(site: Served) -> None:
    names = [f"agent {number}" for number in range(1, 104)]
    id = stored(site.store, names, episodes=1, seats=1, game="2048", name="Many").id
    text = site.get(f"/tournaments/{id}").text
    parts = [fold["data-load"] or "" for fold in Page(text).all("details") if fold.get("data-load")]
    whole = next(path for path in parts if path.endswith("standings-rows"))
    assert len(text) < 300_000
    assert len(Page(site.get(whole).text).rows) == 104
    for path in parts:
        assert site.get(path).status == 200
    assert site.get(f"/tournaments/{id}/parts/nothing").status == 404


# --- In a browser -----------------------------------------------------------------------------------------------------


def draw_all(visit: Visit) -> int:
    """Bring every visible chart into view, and wait until it is drawn; their number."""
    charts = visit.page.locator(".chart:visible")
    for place in range(charts.count()):
        charts.nth(place).scroll_into_view_if_needed()
        expect(charts.nth(place).locator("svg.marks")).to_have_count(1)
    return charts.count()


@needs_browser
@pytest.mark.parametrize("kind", ["two players", "one player", "six players", "knockout", "repetitions", "hostile"])
def test_charts_are_drawn_under_the_policy(site: Served, kinds: dict[str, int], browser: Browser, kind: str) -> None:
    visit = Visit(browser)
    visit.page.goto(f"{site.address}/tournaments/{kinds[kind]}")
    assert draw_all(visit) >= 3
    assert visit.page.evaluate("window.ran") is None
    assert visit.complaints == []
    assert all(address.startswith(site.address) for address in visit.asked)
    visit.page.close()


@needs_browser
def test_details_open_and_close_together(site: Served, kinds: dict[str, int], browser: Browser) -> None:
    visit = Visit(browser)
    visit.page.goto(f"{site.address}/tournaments/{kinds['faults']}")
    times = visit.page.locator("details", has_text=TABLES["timing"].title).first.locator("table")
    expect(times).to_be_hidden()
    visit.page.get_by_role("button", name="Show all").click()
    expect(times).to_be_visible()
    assert visit.page.locator("main details:not([open])").count() == 0
    draw_all(visit)
    visit.page.get_by_role("button", name="Hide all").click()
    expect(times).to_be_hidden()
    visit.page.get_by_role("link", name="Endings").click()
    assert visit.page.url.endswith("#endings")
    assert visit.complaints == []
    visit.page.close()


@needs_browser
def test_tool_tips_are_reached_by_keyboard(site: Served, kinds: dict[str, int], browser: Browser) -> None:
    visit = Visit(browser)
    visit.page.goto(f"{site.address}/tournaments/{kinds['two players']}")
    tip = visit.page.locator("#tip")
    visit.page.locator("#standings th", has_text="rating").first.focus()
    expect(tip).to_contain_text("Elo points around the mean")
    visit.page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    chart = visit.page.locator(".chart[data-name=ratings]")
    chart.scroll_into_view_if_needed()
    expect(chart.locator("svg.marks")).to_have_count(1)
    chart.focus()
    visit.page.keyboard.press("ArrowRight")
    expect(tip).to_contain_text("agent: ")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url(re.compile(rf"/history\?tournament={kinds['two players']}&agent=\w+"))
    visit.page.close()


@needs_browser
def test_click_on_a_cell_of_a_map_leads_to_its_episodes(site: Served, kinds: dict[str, int], browser: Browser) -> None:
    visit = Visit(browser)
    visit.page.goto(f"{site.address}/tournaments/{kinds['two players']}")
    chart = visit.page.locator(".chart[data-name=scores]:visible")
    chart.scroll_into_view_if_needed()
    expect(chart.locator("svg.marks")).to_have_count(1)
    chart.evaluate("chart => chart.scrollIntoView({block: 'center'})")
    chart.locator(".mark-text text[aria-label*='moves first: Anna; moves second: Ben']").click()
    visit.page.wait_for_url("**agent=Anna&opponent=Ben")
    visit.page.close()


@needs_browser
@pytest.mark.parametrize(("width", "dark"), [(390, False), (390, True), (1280, True)])
def test_page_fits_phones_and_the_dark(
    site: Served, kinds: dict[str, int], browser: Browser, width: int, dark: bool
) -> None:
    visit = Visit(browser, width, dark=dark)
    shown = [f"/tournaments/{kinds[kind]}" for kind in ("two players", "hostile", "knockout")]
    for path in ("/", "/tournaments", *shown):
        visit.page.goto(f"{site.address}{path}")
        draw_all(visit)
        assert not visit.is_wider_than_its_window(), path
    paper = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper))) < 300) == dark
    visit.page.close()


@needs_browser
def test_standings_follow_the_store(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "s.db") as site:
        id = stored(site.store, ["Anna", "Ben"], episodes=3, planned=9, finished=False).id
        visit = Visit(browser)
        visit.page.goto(f"{site.address}/tournaments/{id}")
        expect(visit.page.locator("#progress")).to_contain_text("6 of 18 episodes")
        whole = next(site.store.wholes(id))
        site.store.add(id, [episode(whole.record, Key(0, 0, 8), whole.wall)])
        expect(visit.page.locator("#progress")).to_contain_text("7 of 18 episodes")
        expect(visit.page.locator(".older")).to_be_visible()
        site.store.add(id, [episode(whole.record, Key(0, 0, 7), whole.wall)])
        site.store.finish(id)
        expect(visit.page.locator("#progress")).to_be_empty()
        assert visit.complaints == []
        visit.page.close()
