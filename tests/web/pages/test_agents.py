import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import quote

import pytest

from ludus.stats.results import Results
from ludus.tournaments.tournament import Entrant
from support.sites import Served, served
from support.stored_reports import stored
from support.stored_results import play

pytestmark = pytest.mark.slow

HOSTILE = "<img src=x onerror=alert(1)>/.."


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("site") / "s.db") as site:
        play(site.store, "tic-tac-toe", ["random", Entrant("Anna", "mcts:simulations=20")], episodes=4, seed=1)
        play(site.store, "nim", ["random", Entrant("Anna", "mcts:simulations=30")], episodes=2, seed=1)
        play(site.store, "goofspiel", ["random", Entrant(HOSTILE, "mc:iterations=5")], episodes=2, seed=1)
        stored(site.store, ["Ed", "Flo"], seats=1, game="2048", name="alone")
        yield site


def test_every_agent_leads_to_its_page(site: Served) -> None:
    links = {unescape(link) for link in re.findall(r'href="(/agents/[^"]+)"', site.get("/agents").text)}
    assert {"/agents/random", "/agents/Anna", f"/agents/{quote(HOSTILE, safe='')}"} < links
    for link in links:
        assert site.get(link).status == 200


def test_page_has_the_standings_of_each_tournament(site: Served) -> None:
    found = site.get("/api/agents/random").json
    assert [row["name"] for row in found["career"]] == [each.name for each in site.store.tournaments()[2::-1]]
    for row in found["career"]:
        standings = {own["agent"]: own for own in Results(site.store, row["tournament"]).standings().to_dicts()}
        assert (row["rank"], row["rating"]) == (standings["random"]["rank"], standings["random"]["rating"])


def test_versions_of_one_name_share_a_page(site: Served) -> None:
    found = site.get("/api/agents/Anna").json
    assert found["specs"] == ["mcts:simulations=30", "mcts:simulations=20"]
    assert {row["game"] for row in found["ladders"]} == {"tic-tac-toe", "nim"}


def test_counts_lead_to_those_episodes(site: Served) -> None:
    text = site.get("/agents/Anna").text
    links = {unescape(link) for link in re.findall(r'href="/history\?([^"]+)"', text)}
    counts = {link: len(site.get(f"/api/history?most=1000&{link}").json["episodes"]) for link in links}
    assert sorted(counts.values())[-3:] == [8, 8, 12]


def test_agent_that_played_alone_has_a_mean_and_no_opponents(site: Served) -> None:
    found = site.get("/api/agents/Ed").json
    assert found["career"][0]["mean"] is not None
    assert found["opponents"] == []


def test_names_stay_text(site: Served) -> None:
    for path in ("/agents", f"/agents/{quote(HOSTILE, safe='')}"):
        answer = site.get(path)
        assert answer.status == 200
        assert "<img src=x" not in answer.text


def test_unknown_agent_is_not_found(site: Served) -> None:
    assert site.get("/agents/Nobody").status == 404
    assert "Anna" in site.get("/api/agents/Ana").json["error"]


def test_store_without_a_tournament_has_no_agents(tmp_path_factory: pytest.TempPathFactory) -> None:
    with served(tmp_path_factory.mktemp("empty") / "s.db") as empty:
        assert empty.get("/agents").status == 200
        assert empty.get("/api/agents").json == {"agents": [], "ladders": []}
