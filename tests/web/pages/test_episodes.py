import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from ludus.core.registry import classes
from ludus.episode.record import Record
from ludus.games.game import Game
from support.browsing import CHROMIUM, Visit, chromium
from support.seer import record_of
from support.sites import Served, served

pytestmark = pytest.mark.slow

expect.set_options(timeout=60_000)  # milliseconds: a machine may be slow

GAMES = [name for name in classes(Game) if name != "openspiel"]
HOSTILE = "</script><script>window.ran = true</script><img src=x onerror='window.ran = true'>"
needs_browser = pytest.mark.skipif(not CHROMIUM.exists(), reason="needs a browser at /usr/bin/chromium")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("site") / "s.db") as site:
        yield site


@pytest.fixture(scope="module")
def paths(site: Served) -> dict[str, str]:
    """The address of an episode of each game."""
    found = {}
    for name in GAMES:
        record = record_of(name, *["random"] * (1 if name == "2048" else 2))
        kept = site.store.keep_game(name, record, 10**9)
        found[name] = f"/episodes/{kept.id}/1.1"
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as launched:
        yield launched


def posted(site: Served, path: str, body: Any) -> Any:
    answer = site.ask("POST", path, json.dumps(body).encode(), content_type="application/json")
    return answer.status, answer.json


# --- As JSON ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_episode_has_data_and_a_film(site: Served, paths: dict[str, str], name: str) -> None:
    data = site.get(f"/api{paths[name]}").json
    film = site.get(f"/api{paths[name]}/film").json
    assert data["game"]["spec"].startswith(name)
    assert len(data["rounds"]) == data["positions"] >= len(film["frames"]) > 1
    assert {move["place"] for move in data["moves"]} == set(range(1, data["positions"]))
    assert site.get(paths[name]).status == 200


def test_a_film_has_no_piece_after_its_last(site: Served, paths: dict[str, str]) -> None:
    assert site.get(f"/api{paths['hex']}/film?piece=1").status == 404
    assert site.get(f"/api{paths['hex']}/film?piece=-1").status == 422


@pytest.mark.parametrize("path", ["/episodes/99/1.1", "/episodes/1/9.9", "/episodes/1/x", "/api/episodes/1/1.2"])
def test_an_episode_that_is_not_there_is_missing(site: Served, paths: dict[str, str], path: str) -> None:
    assert site.get(path).status in (400, 404)


def test_files_of_an_episode(site: Served, paths: dict[str, str]) -> None:
    address = paths["chess"]
    record = Record.from_json(site.get(f"{address}/record.json").text)
    assert record.game == "chess"
    assert "[Event" in site.get(f"{address}/game.pgn").text
    assert site.get(f"{address}/game.sgf").status == 404
    assert site.get(f"{address}/picture.svg").text.startswith("<svg")
    assert site.get(f"{address}/picture.svg?move=1").text != site.get(f"{address}/picture.svg").text
    assert site.get(f"/api{address}/position?place=0").json["position"].startswith("rnbqkbnr/pppppppp/")
    assert site.get(f"/api{address}/position?place=9999").status == 400


def test_variations_are_checked_and_limited(site: Served, paths: dict[str, str]) -> None:
    address = f"/api{paths['tic-tac-toe']}"
    status, found = posted(site, f"{address}/play", {"place": 0, "steps": [["a1"], ["b2"]]})
    assert (status, found["step"], found["text"].count("o")) == (200, ["b2"], 1)
    for body, expected in [
        ({"place": 0, "steps": [["a1"], ["a1"]]}, 400),
        ({"place": 0, "steps": [["a1"] * 9]}, 422),
        ({"place": 0, "steps": [["x" * 1000]]}, 422),
        ({"place": 0, "steps": [["a1"]] * 3000}, 422),
        ({"place": -1, "steps": []}, 422),
        ({"steps": "a1"}, 422),
    ]:
        status, found = posted(site, f"{address}/play", body)
        assert status == expected
        assert found["error"]
    status, found = posted(site, f"{address}/export", {"place": 0, "steps": [["a1"]], "form": "record"})
    assert len(Record.from_json(found["text"]).steps) == 1


@pytest.mark.parametrize("agent", ["stdio:cat", "human", "/bin/sh", "mcts:simulations=9", "file.py:Agent", ""])
def test_only_agents_on_offer_think(site: Served, paths: dict[str, str], agent: str) -> None:
    address = f"/api{paths['tic-tac-toe']}"
    assert agent not in site.get(f"{address}/agents").json["agents"]
    status, found = posted(site, f"{address}/move", {"place": 0, "steps": [], "seat": 0, "agent": agent, "time": 0.1})
    assert status == 400
    assert "choose one" in found["error"]


def test_an_agent_chooses_a_legal_move(site: Served, paths: dict[str, str]) -> None:
    address = f"/api{paths['tic-tac-toe']}"
    wish = {"place": 0, "steps": [["b2"]], "seat": 1, "agent": "alphabeta", "time": 0.1}
    status, found = posted(site, f"{address}/move", wish)
    assert status == 200
    status, _ = posted(site, f"{address}/play", {"place": 0, "steps": [["b2"], [found["move"]]]})
    assert status == 200
    assert posted(site, f"{address}/move", {**wish, "seat": 0})[0] == 400
    assert posted(site, f"{address}/move", {**wish, "time": 60})[0] == 422


# --- In a browser ----------------------------------------------------------------------------------------------------


def opened(browser: Browser, site: Served, path: str, **options: Any) -> Visit:
    visit = Visit(browser, **options)
    visit.page.goto(site.address + path)
    expect(visit.page.locator("#episode[data-ready]")).to_have_count(1)
    return visit


@needs_browser
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_replayed(
    browser: Browser, site: Served, paths: dict[str, str], name: str, dark: bool
) -> None:
    visit = opened(browser, site, paths[name], width=390 if dark else 1280, dark=dark)
    page, data = visit.page, site.get(f"/api{paths[name]}").json
    board = page.locator("#board > .board").first
    start = board.inner_html()
    page.keyboard.press("End")
    expect(page.locator("#where")).to_contain_text(f"of {data['rounds'][-1]}")
    assert board.inner_html() != start
    page.keyboard.press("Home")
    assert board.inner_html() == start
    page.locator("#speed").select_option("8")
    page.keyboard.press("Escape")
    page.locator("[data-do=play]").click()
    expect(page.locator("#slider")).not_to_have_value("0")
    page.locator("[data-do=play]").click()
    page.get_by_role("checkbox", name="Text form").check()
    expect(page.locator("#text")).to_be_visible()
    assert not visit.is_wider_than_its_window()
    assert visit.complaints == []
    page.close()


@needs_browser
def test_keys_links_and_lists_lead_to_moves(browser: Browser, site: Served, paths: dict[str, str]) -> None:
    visit = opened(browser, site, f"{paths['hex']}#3")
    page = visit.page
    where = page.locator("#where")
    expect(where).to_contain_text("move 3 of")
    page.keyboard.press("ArrowRight")
    expect(where).to_contain_text("move 4 of")
    expect(page).to_have_url(re.compile("#4$"))
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(where).to_contain_text("move 2 of")
    page.locator("#moves .move").nth(5).click()
    expect(where).to_contain_text("move 6 of")
    expect(page.locator("#moves .here")).to_have_count(1)
    page.evaluate("location.hash = '#5'")
    expect(where).to_contain_text("move 5 of")
    expect(page.locator("#said")).to_contain_text("move 5 of")
    page.keyboard.press(" ")
    expect(page.locator("[data-do=play]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press(" ")
    expect(page.locator("[data-do=play]")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("checkbox", name="All moves").check()
    page.locator(".tile").nth(2).click()
    expect(where).to_contain_text("move 2 of")
    expect(page.locator(".tile[aria-current] .board")).to_have_count(1)
    assert visit.complaints == []
    page.close()


@needs_browser
def test_a_tree_grows_by_hand_and_by_agents(browser: Browser, site: Served, paths: dict[str, str]) -> None:
    visit = opened(browser, site, f"{paths['tic-tac-toe']}#0")
    page = visit.page
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator(".legal button")).to_have_count(9)
    page.get_by_role("button", name="b2", exact=True).click()
    expect(page.locator("#where")).to_contain_text("1 of a variation")
    expect(page.locator(".legal button")).to_have_count(8)
    page.locator("#board .target").first.click()
    expect(page.locator("#where")).to_contain_text("2 of a variation")
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("combobox", name="Agent").select_option("alphabeta")
    page.get_by_role("combobox", name="Time to think").select_option("0.2")
    page.get_by_role("button", name="Let it move").click()
    expect(page.locator("#where")).to_contain_text("2 of a variation")
    expect(page.locator(".lines a")).not_to_have_count(0)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save record").click()
    assert len(Record.from_json(Path(saved.value.path()).read_text()).steps) == 2
    page.get_by_role("button", name="Back to the episode").click()
    expect(page.locator("#where")).to_contain_text("start of")
    page.locator(".lines a").first.click()
    expect(page.locator("#where")).to_contain_text("1 of a variation")
    assert visit.complaints == []
    page.close()


@needs_browser
def test_two_clicks_move_a_chessman(browser: Browser, site: Served, paths: dict[str, str]) -> None:
    visit = opened(browser, site, f"{paths['chess']}#0")
    page = visit.page
    page.get_by_role("button", name="Play on from here").click()
    expect(page.locator("#board .target")).to_have_count(10)  # pawns and knights
    page.locator("#board .target").first.click()
    expect(page.locator("#board .target.chosen")).to_have_count(1)
    before = page.locator(".legal button").all_inner_texts()
    assert 1 <= len(before) <= 2
    page.locator("#board .target:not(.chosen)").first.click()
    expect(page.locator("#where")).to_contain_text("1 of a variation")
    assert visit.complaints == []
    page.close()


@needs_browser
@pytest.mark.parametrize("name", ["chess", "speed", "2048"])
def test_the_offline_page_plays_without_a_network(
    browser: Browser, site: Served, paths: dict[str, str], name: str, tmp_path: Path
) -> None:
    file = tmp_path / "episode.html"
    file.write_text(site.get(f"{paths[name]}/offline.html").text, encoding="utf-8")
    visit = Visit(browser, offline=True)
    page = visit.page
    page.goto(file.as_uri())
    expect(page.locator("#episode[data-ready]")).to_have_count(1)
    board = page.locator("#board > .board").first
    start = board.inner_html()
    page.keyboard.press("End")
    expect(page.locator("#slider")).not_to_have_value("0")
    assert board.inner_html() != start
    assert visit.asked == [file.as_uri()]
    assert visit.complaints == []
    page.close()


@needs_browser
def test_what_players_wrote_stays_text(browser: Browser, site: Served, tmp_path: Path) -> None:
    record = record_of("tic-tac-toe", "random", "random", seed=8)
    record.seats[0].name = HOSTILE
    record.seats[1].log = HOSTILE
    record.steps[0][0].metrics = {HOSTILE: HOSTILE, "line": HOSTILE, "layers": {HOSTILE: HOSTILE}}
    kept = site.store.keep_game("hostile", record, 10**9)
    visit = opened(browser, site, f"/episodes/{kept.id}/1.1#1")
    page = visit.page
    for fold in page.locator("details").all():
        fold.locator("summary").click()
    expect(page.locator("h1")).to_contain_text("<script>")
    expect(page.locator("#details")).to_contain_text("window.ran")
    file = tmp_path / "episode.html"
    file.write_text(site.get(f"/episodes/{kept.id}/1.1/offline.html").text, encoding="utf-8")
    page.goto(file.as_uri())
    expect(page.locator("#episode[data-ready]")).to_have_count(1)
    assert page.evaluate("window.ran") is None
    assert visit.complaints == []
    page.close()
