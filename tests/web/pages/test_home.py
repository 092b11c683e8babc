from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from support.browsing import CHROMIUM, Visit, chromium
from support.live_runs import SLEEPER, running, the_run
from support.sites import Served, served
from support.stored_results import play

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs a browser at /usr/bin/chromium"),
]

expect.set_options(timeout=60_000)  # milliseconds: a machine may be slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("site") / "s.db") as site:
        play(site.store, name="Small cup", episodes=1)
        yield site


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched


def test_visitor_is_two_clicks_from_watching_a_game(site: Served, browser: Browser) -> None:
    visit = Visit(browser)
    visit.page.goto(site.address)
    visit.page.get_by_role("link", name="Watch the game").click()
    visit.page.wait_for_url("**/episodes/1/*")
    expect(visit.page.locator("svg.board").first).to_be_visible()
    visit.page.close()


def test_first_page_names_the_leaders(site: Served, browser: Browser) -> None:
    visit = Visit(browser)
    visit.page.goto(site.address)
    row = visit.page.locator(".list tbody tr", has_text="Small cup")
    expect(row).to_contain_text("minimax:depth=2")
    expect(row).to_contain_text("finished")
    assert visit.complaints == []
    visit.page.close()


def test_empty_store_says_how_to_begin(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path / "s.db") as site:
        visit = Visit(browser, 390)
        visit.page.goto(site.address)
        expect(visit.page.locator("main")).to_contain_text("ludus run demo")
        expect(visit.page.locator("#boards")).to_be_hidden()
        assert not visit.is_wider_than_its_window()
        assert visit.complaints == []
        visit.page.close()


def test_what_another_process_plays_is_there_with_its_boards(tmp_path: Path, browser: Browser) -> None:
    field = ["--agent", f"{SLEEPER}:ms=20", "--agent", f"{SLEEPER}:ms=21", "--workers", "1"]
    game = ["run", "--game", "tic-tac-toe", "--name", "Slow cup", "--episodes", "5000"]
    with served(tmp_path / "s.db") as site:
        visit = Visit(browser)
        visit.page.goto(site.address)
        expect(visit.page.locator("main")).to_contain_text("Nothing is stored yet")
        with running(site.store, *game, *field):
            the_run(site.store)
            card = visit.page.locator("#boards .card")
            expect(card.locator("svg.board *").first).to_be_attached()
            expect(card).to_contain_text("Sleeper")
            expect(visit.page.locator("article.card")).to_contain_text("of 10,000 episodes")
            visit.page.get_by_role("link", name="Slow cup").first.click()
            progress = visit.page.locator("#progress")
            expect(progress).to_contain_text("Running")
            expect(visit.page.locator("#standings > .scroll tbody tr")).to_have_count(2)
            before = progress.inner_text()
            expect(progress).not_to_have_text(before)
            visit.page.goto(f"{visit.page.url}/wall")
            visit.page.keyboard.press("ArrowLeft")
            expect(visit.page.locator("#boards.shown svg.board *").first).to_be_attached()
        assert visit.complaints == []
        visit.page.close()
