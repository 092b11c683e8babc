"""The page of a live game in a real browser, while another process plays."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from ludus.store import open_store
from support.live_runs import SLEEPER, awaited, running, the_run
from support.sites import Served, served

CHROMIUM = Path("/usr/bin/chromium")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs a browser at /usr/bin/chromium"),
]
FIELD = ["--agent", f"{SLEEPER}:ms=150", "--agent", f"{SLEEPER}:ms=151", "--workers", "1", "--episodes", "5000"]
PATIENCE = 120_000  # milliseconds


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A store that a run of another process fills, slowly."""
    file = tmp_path_factory.mktemp("live") / "s.db"
    with open_store(str(file)) as opened, running(opened, "run", "--game", "othello", *FIELD):
        the_run(opened)
        yield file


@pytest.fixture
def site(store: Path) -> Iterator[Served]:
    with served(store) as site:
        yield site


class Live:
    """The page of the game that is being played."""

    def __init__(self, site: Served, page: Page) -> None:
        run = the_run(site.store)
        self.page = page
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.set_default_timeout(PATIENCE)
        page.goto(f"{site.address}/live/{run.id}/{run.feeds[0].name}")

    @property
    def moves(self) -> int:
        """The number of moves that are listed."""
        return self.page.locator(".live-move").count()

    def wait_for_moves(self) -> None:
        """Wait until two more moves are shown, or the next game has begun."""
        before = self.page.locator("#moves").inner_text()
        for _ in range(2):
            self.page.wait_for_function(
                "text => document.getElementById('moves').innerText !== text", arg=before, timeout=PATIENCE
            )
            before = self.page.locator("#moves").inner_text()

    def hide(self, hidden: bool) -> None:
        """Do what the browser does when another tab covers this one."""
        self.page.evaluate(
            "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
            " document.dispatchEvent(new Event('visibilitychange')); }",
            hidden,
        )


def test_board_players_and_moves_follow_the_game(site: Served, browser: Browser) -> None:
    live = Live(site, browser.new_page())
    expect(live.page.locator("#board svg > *")).not_to_have_count(0, timeout=PATIENCE)
    assert live.page.locator(".player").count() == 2
    assert f"{SLEEPER}:ms=150" in live.page.locator("#names").inner_text()
    live.wait_for_moves()
    expect(live.page.locator("#said")).not_to_have_text("")
    assert live.page.locator(".to-move").count() == 1
    live.page.get_by_label("Text form").check()
    assert live.page.locator("#text").inner_text().count("\n") > 7
    assert not live.complaints
    live.page.close()


def test_viewer_can_stop_and_go_on(site: Served, browser: Browser) -> None:
    live = Live(site, browser.new_page())
    live.wait_for_moves()
    live.page.keyboard.press("Space")
    board = live.page.locator("#board").inner_html()
    expect(live.page.locator("#behind")).not_to_have_text("", timeout=PATIENCE)
    assert live.page.locator("#board").inner_html() == board
    live.page.get_by_role("button", name="Resume").click()
    expect(live.page.locator("#behind")).to_have_text("")
    live.page.close()


def test_hidden_tab_costs_nothing_and_misses_nothing(site: Served, browser: Browser) -> None:
    live = Live(site, browser.new_page())
    live.wait_for_moves()
    live.hide(True)
    awaited(lambda: site.hub.idle)
    live.hide(False)
    live.wait_for_moves()
    assert not site.hub.idle
    numbers = live.page.locator(".live-move .number").all_inner_texts()
    counted = [int(number) for number in numbers if number]
    assert counted == list(range(counted[0], counted[0] + len(counted)))
    assert not live.complaints
    live.page.close()


def test_ten_tabs_of_one_browser_are_all_live(site: Served, browser: Browser) -> None:
    context = browser.new_context()
    tabs = [Live(site, context.new_page()) for _ in range(10)]
    for live in tabs:
        live.wait_for_moves()
        assert not live.complaints
    context.close()


def test_page_finds_its_way_back_to_a_site_that_was_started_again(store: Path, browser: Browser) -> None:
    with served(store) as first:
        live = Live(first, browser.new_page())
        live.wait_for_moves()
        port = urlsplit(first.address).port
    expect(live.page.locator("#lost")).to_be_visible(timeout=PATIENCE)
    assert port is not None
    with served(store, port=port):
        expect(live.page.locator("#lost")).to_be_hidden(timeout=PATIENCE)
        live.wait_for_moves()
        live.page.close()
