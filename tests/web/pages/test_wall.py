from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from support.browsing import CHROMIUM, Visit, chromium
from support.sites import Served, served
from support.stored_reports import stored

MEASURED = """() => {
    const row = [...document.querySelectorAll(".slide.shown tbody tr")].at(-1);
    const { bottom, right } = row.getBoundingClientRect();
    const footer = document.querySelector("footer").getBoundingClientRect().top;
    return { bottom, right, footer, letters: parseFloat(getComputedStyle(row).fontSize) };
}"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CHROMIUM.exists(), reason="needs a browser at /usr/bin/chromium"),
]

expect.set_options(timeout=60_000)  # milliseconds: a machine may be slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("site") / "s.db") as site:
        names = [f"an agent with quite a long name {number}" for number in range(1, 11)]
        stored(site.store, names, name="A cup with a long name in a large hall", episodes=2)
        yield site


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720), (1024, 768)])
def test_all_of_a_wall_is_seen_without_scrolling(site: Served, browser: Browser, width: int, height: int) -> None:
    visit = Visit(browser, width)
    visit.page.set_viewport_size({"width": width, "height": height})
    visit.page.goto(f"{site.address}/tournaments/1/wall")
    expect(visit.page.locator(".slide.shown tbody tr")).to_have_count(8)
    found = visit.page.evaluate(MEASURED)
    assert found["bottom"] <= found["footer"] + 1
    assert found["right"] <= width
    assert found["letters"] >= height / 36  # readable from the back of a room
    visit.page.close()


def test_slides_take_turns_and_obey_the_keyboard(site: Served, browser: Browser) -> None:
    visit = Visit(browser)
    visit.page.clock.install()
    visit.page.goto(f"{site.address}/tournaments/1/wall")
    shown = visit.page.locator(".slide.shown h2")
    expect(shown).to_have_text("Standings, 1 to 8")
    visit.page.keyboard.press("ArrowRight")
    expect(shown).to_have_text("Standings, 9 to 10")
    visit.page.keyboard.press("ArrowLeft")
    expect(shown).to_have_text("Standings, 1 to 8")
    visit.page.clock.run_for(15_000)
    expect(shown).to_have_text("Standings, 9 to 10")
    visit.page.get_by_role("button", name="Pause").click()
    visit.page.clock.run_for(60_000)
    expect(shown).to_have_text("Standings, 9 to 10")
    visit.page.close()
