"""The report in a real browser that reaches nothing but the file."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

from ludus.store import open_store
from ludus.views.charts.chart_list import KINDS
from ludus.views.page.page import render
from ludus.views.result_tables import TABLES
from support.running import program
from support.stored_reports import stored

CHROMIUM = Path("/usr/bin/chromium")
HOSTILE = "</script><script>window.ran = true</script><img src=x onerror='window.ran = true'>"

expect.set_options(timeout=60_000)  # milliseconds: a machine may be slow

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs a browser at /usr/bin/chromium"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


class Visit:
    """A page opened from a file without network, and what it asked for and complained of."""

    def __init__(self, browser: Browser, file: Path, width: int = 1280, scheme: str = "light") -> None:
        self.page: Page = browser.new_page(
            viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
        )
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.context.set_offline(True)
        self.page.goto(file.as_uri())
        self.charts = self.page.locator(".chart")
        for i in range(self.charts.count()):
            expect(self.charts.nth(i).locator("svg.marks")).to_have_count(1)

    def tip_of(self, mark: Locator) -> Locator:
        """The tool tip of a mark, if it shows, and not that of the one before."""
        tip = self.page.locator("#vg-tooltip-element")
        self.page.mouse.move(0, 0)
        expect(tip).to_be_hidden()
        mark.hover(force=True)
        return tip

    def close(self) -> None:
        self.page.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    with open_store(str(folder / "ludus.db")) as store:
        results = stored(store, ["weak", HOSTILE, *(f"agent-{k}" for k in range(7))], repetitions=2, name=HOSTILE)
        (folder / "report.html").write_text(render(results))
    return folder / "report.html"


@pytest.fixture
def visit(browser: Browser, report: Path) -> Iterator[Visit]:
    visit = Visit(browser, report)
    yield visit
    visit.close()


def test_every_chart_is_drawn_and_nothing_leaves_the_page(visit: Visit, report: Path) -> None:
    assert visit.charts.count() == 11
    for i in range(visit.charts.count()):
        assert visit.charts.nth(i).locator("svg.marks path").count() > 5
    assert visit.asked == [report.as_uri()]
    assert visit.complaints == []


def test_script_in_a_name_does_not_run(visit: Visit) -> None:
    assert visit.page.title() == f"{HOSTILE} – Ludus"
    ratings = visit.page.locator("figure", has_text=KINDS["ratings"].title).locator(".mark-symbol path")
    shown = set()
    for i in range(ratings.count()):
        tip = visit.tip_of(ratings.nth(i))
        expect(tip).to_be_visible()
        shown.add(tip.locator("tr", has_text="agent").first.locator(".value").inner_text())
    assert HOSTILE in shown
    assert visit.page.evaluate("window.ran") is None
    assert visit.complaints == []


def test_every_visible_chart_has_tool_tips_that_name_agents(visit: Visit) -> None:
    figures = visit.page.locator("main > section > figure")
    assert figures.count() == 7
    for i in range(figures.count()):
        marks = figures.nth(i).locator(".chart:visible .role-mark [aria-label*=agent-3]")
        told = []
        for mark in marks.all()[-8:]:
            told.append(visit.tip_of(mark).inner_text())
        assert any("agent-3" in text for text in told), (figures.nth(i).locator("h3").inner_text(), told)
        assert not any("undefined" in text for text in told)


def test_folds_are_closed_and_open_on_a_click(visit: Visit) -> None:
    title = visit.page.get_by_text(TABLES["timing"].title, exact=True)
    times = visit.page.locator("details", has=title)
    table = times.locator("table")
    expect(table).to_be_hidden()
    times.locator("summary").click()
    expect(table).to_be_visible()
    assert table.locator("tbody tr").count() == 9


def test_switch_changes_the_chart(visit: Visit) -> None:
    figure = visit.page.locator("figure.switched", has_text="sorted by strength")
    unsorted, by_strength = figure.locator(".chart").all()
    expect(by_strength).to_be_visible()
    expect(unsorted).to_be_hidden()
    figure.locator("input").uncheck()
    expect(unsorted).to_be_visible()
    expect(by_strength).to_be_hidden()


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_page_fits_phones_and_dark_mode(browser: Browser, report: Path, width: int, scheme: str) -> None:
    visit = Visit(browser, report, width, scheme)
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    paper = visit.page.evaluate("getComputedStyle(document.body).backgroundColor")
    label = visit.page.locator(".chart .role-axis-label text").first.evaluate("e => getComputedStyle(e).fill")
    ground = visit.page.locator(".chart svg.marks").first.evaluate("e => getComputedStyle(e).backgroundColor")
    assert ground == "rgba(0, 0, 0, 0)"
    assert (sum(_colour(paper)) > sum(_colour(label))) == (scheme == "light")
    assert visit.complaints == []
    visit.close()


def _colour(text: str) -> list[int]:
    return [int(part) for part in text.removeprefix("rgb(").removesuffix(")").split(",")]


def test_report_of_a_tournament_played_by_commands(browser: Browser, tmp_path: Path) -> None:
    store = str(tmp_path / "ludus.db")
    played = program(
        *("run", "--game", "tic-tac-toe", "--agent", "random", "--agent", "mc:iterations=[10,40]"),
        *("--episodes", "4", "--workers", "1", "--name", "Three in a row"),
        *("--store", store),
    )
    assert played.returncode == 0, played.stderr
    file = tmp_path / "report.html"
    written = program("results", "Three in a row", "--html", str(file), "--store", store)
    assert written.returncode == 0, written.stderr
    visit = Visit(browser, file)
    assert visit.page.locator("h1").inner_text() == "Three in a row"
    assert visit.page.locator("section > .scroll table").first.locator("tbody tr").count() == 3
    assert visit.complaints == []
    visit.close()


def test_what_is_wider_than_a_phone_says_so_until_it_is_seen(browser: Browser, report: Path) -> None:
    visit = Visit(browser, report, 390)
    figure = visit.page.locator("figure", has_text=KINDS["ratings"].title).first
    chart, hint = figure.locator(".scroll"), figure.locator(".hint")
    assert chart.evaluate("place => place.scrollWidth > place.clientWidth")
    expect(hint).to_be_visible()
    expect(chart).to_have_class(re.compile("more"))
    chart.evaluate("place => place.scrollTo(place.scrollWidth, 0)")
    expect(chart).not_to_have_class(re.compile("more"))
    cut = visit.page.evaluate("""
        [...document.querySelectorAll("body *")].filter(place => place.clientWidth
        && place.scrollWidth > place.clientWidth + 1 && !place.closest("svg, .vega-embed, thead")
        && !["auto", "visible"].includes(getComputedStyle(place).overflowX))
        .map(place => place.outerHTML.slice(0, 99))""")
    assert cut == []
    visit.close()


def test_on_a_wide_screen_nothing_asks_to_scroll(visit: Visit) -> None:
    expect(visit.page.locator(".chart:visible + .hint:visible")).to_have_count(0)


def test_picture_of_a_chart_shows_its_title_in_a_wide_font_too(browser: Browser, tmp_path: Path) -> None:
    file, store = tmp_path / "sweep.svg", str(tmp_path / "ludus.db")
    line = "sweep tic-tac-toe mcts:simulations=20 --param simulations=2,3 --param c=1,2 --against random --episodes 2"
    assert program(*line.split(), "-o", str(file), "--store", store).returncode == 0
    picture = file.read_text(encoding="utf-8")
    assert "Helvetica Neue, Helvetica, Arial, Liberation Sans, sans-serif" in picture
    file.write_text(re.sub('font-family="[^"]*"', 'font-family="Verdana, DejaVu Sans"', picture), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    beyond = page.evaluate(
        """[...document.querySelectorAll("text")].filter(text => text.getBoundingClientRect().right
        > document.documentElement.width.baseVal.value).map(text => text.textContent)"""
    )
    assert beyond == []
    page.close()
