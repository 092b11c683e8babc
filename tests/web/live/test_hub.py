"""Messages to viewers over the WebSocket of a real site, while another process plays."""

import asyncio
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ludus.episode.replay import replay
from ludus.store import open_store
from ludus.web.live.hub import MOST_TOPICS
from ludus.web.live.topic import GROWING
from support.live_runs import SLEEPER, awaited, running, the_run
from support.sites import Served, served

pytestmark = pytest.mark.slow

PATIENCE = 300.0
FIELD = ["--agent", f"{SLEEPER}:ms=100", "--agent", f"{SLEEPER}:ms=101", "--workers", "1", "--episodes", "5000"]


class Tab:
    """A viewer, and the sum of all messages of its topics, as a page keeps it."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.state: dict[str, dict[str, Any]] = {}
        self.seq: dict[str, int] = {}
        self.errors: list[dict[str, Any]] = []
        self.fulls = 0

    async def ask(self, **wish: Any) -> None:
        """Send a request."""
        await self.connection.send(json.dumps(wish))

    async def watch(self, topic: str, after: int | None = None) -> None:
        """Watch a topic."""
        await self.ask(watch=topic, after=after)

    async def take(self) -> dict[str, Any]:
        """Take the next message; within a topic none may be missing."""
        async with asyncio.timeout(PATIENCE):
            message: dict[str, Any] = json.loads(await self.connection.recv())
        if "error" in message:
            self.errors.append(message)
            return message
        topic, seq = message.pop("topic"), message.pop("seq")
        if message.get("full"):
            self.fulls += 1
            self.state[topic] = {}
        else:
            assert seq == self.seq[topic] + 1
        self.seq[topic] = seq
        for field, value in message.items():
            if field in GROWING:
                self.state[topic].setdefault(field, []).extend(value)
            else:
                self.state[topic][field] = value
        return {"topic": topic, **message}

    async def until(self, holds: Callable[[], Any]) -> None:
        """Take messages until something holds."""
        until = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < until
            await self.take()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A site whose store a run of another process fills, slowly."""
    file = tmp_path_factory.mktemp("live") / "s.db"
    with served(file) as site, running(site.store, "run", "--game", "tic-tac-toe", *FIELD):
        the_run(site.store)
        yield site


def visit(site: Served, test: Callable[[Tab], Any], **headers: str) -> None:
    """Carry out a test with one viewer."""

    async def visiting() -> None:
        async with await tab(site, **headers) as connection:
            await test(Tab(connection))

    asyncio.run(visiting())


async def tab(site: Served, **headers: str) -> ClientConnection:
    """A connection to the site."""
    address = site.address.replace("http", "ws") + "/socket"
    return await connect(address, compression=None, additional_headers=headers, max_size=None)


def game_of(site: Served) -> str:
    """The topic of the game being played."""
    run = the_run(site.store)
    return f"game/{run.id}/{run.feeds[0].name}"


def test_runs_are_told_with_progress_and_feeds(site: Served) -> None:
    async def test(tab: Tab) -> None:
        await tab.watch("runs")
        await tab.until(lambda: tab.state.get("runs", {}).get("runs") and tab.state["runs"]["runs"][0]["done"] > 0)
        (run,) = tab.state["runs"]["runs"]
        assert (run["kind"], run["game"], run["alive"], run["total"]) == ("run", "tic-tac-toe", True, 10000)
        assert len(run["feeds"][0]["players"]) == 2

    visit(site, test)


def test_version_of_a_tournament_changes_when_episodes_come_in(site: Served) -> None:
    async def test(tab: Tab) -> None:
        await tab.watch("tournament/1")
        await tab.until(lambda: tab.state)
        version = tab.state["tournament/1"]["version"]
        await tab.until(lambda: tab.state["tournament/1"]["version"] > version)
        assert tab.state["tournament/1"]["run"] == the_run(site.store).id

    visit(site, test)


def test_game_is_told_move_by_move_as_the_store_has_it_later(site: Served) -> None:
    topic = game_of(site)
    seen: dict[str, Any] = {}

    async def test(tab: Tab) -> None:
        await tab.watch(topic)
        await tab.until(lambda: tab.state.get(topic, {}).get("result"))
        await tab.until(lambda: not tab.state[topic]["result"])  # the next episode, from its start
        assert len(tab.state[topic]["frames"]) <= 3
        await tab.until(lambda: tab.state[topic]["result"])
        seen.update(tab.state[topic])

    visit(site, test)
    id, key = site.store.find_episode(seen["episode"])
    record = awaited(lambda: site.store.record(id, key))
    assert [move["text"] for move in seen["moves"]] == [move.move for step in record.steps for move in step]
    assert len(seen["frames"]) == len(list(replay(record)))
    assert seen["positions"] == len(seen["frames"])
    assert [player["name"] for player in seen["players"]] == [seat.name for seat in record.seats]


def test_viewer_who_was_away_resumes_without_a_gap(site: Served) -> None:
    topic = game_of(site)

    async def test(tab: Tab) -> None:
        await tab.watch(topic)
        await tab.until(lambda: tab.state)
        for _ in range(3):
            await tab.take()
        await tab.ask(leave=topic)
        await asyncio.sleep(0.5)
        fulls = tab.fulls
        await tab.watch(topic, tab.seq[topic])  # `take` checks that no number is missing
        await tab.take()
        for _ in range(5):
            await tab.take()
        assert tab.fulls <= fulls + 1  # one if an episode ended meanwhile

    visit(site, test)


def test_new_connection_resumes_where_the_old_one_broke(site: Served) -> None:
    topic = game_of(site)

    async def test(old: Tab) -> None:
        await old.watch(topic)
        await old.until(lambda: old.state)
        await old.connection.close()
        async with await tab(site) as connection:
            new = Tab(connection)
            new.state, new.seq = old.state, old.seq
            await new.watch(topic, old.seq[topic])
            for _ in range(3):
                await new.take()

    visit(site, test)


def test_viewers_of_one_game_see_the_same(site: Served) -> None:
    topic = game_of(site)

    async def test(one: Tab) -> None:
        async with await tab(site) as connection:
            other = Tab(connection)
            await asyncio.gather(one.watch(topic), other.watch(topic))
            await asyncio.gather(one.until(lambda: one.state), other.until(lambda: other.state))
            until = one.seq[topic] + 5
            await asyncio.gather(
                one.until(lambda: one.seq[topic] >= until), other.until(lambda: other.seq[topic] >= until)
            )
            assert one.seq == other.seq
            assert one.state == other.state

    visit(site, test)


@pytest.mark.parametrize(
    "message",
    [
        "",
        "nonsense",
        "[]",
        "{}",
        '{"watch": 3}',
        '{"watch": "runs", "leave": "runs"}',
        '{"watch": "runs", "other": 1}',
        '{"watch": "' + "x" * 2000 + '"}',
        '{"watch": "games"}',
        '{"watch": "game/x"}',
        '{"watch": "tournament/x"}',
        '{"watch": "tournament/²"}',
        '{"watch": "tournament/-1"}',
        '{"watch": "runs", "after": "x"}',
        b"\x00\xff",
    ],
)
def test_bad_request_gets_a_sentence_and_harms_nobody(site: Served, message: str | bytes) -> None:
    async def test(tab: Tab) -> None:
        await tab.connection.send(message)
        answer = await tab.take()
        assert answer["error"].endswith(".")
        await tab.watch("runs")
        await tab.until(lambda: "runs" in tab.state)

    visit(site, test)


@pytest.mark.parametrize(
    "topic", ["game/00000000/worker-1", "game/x/y", "game/../x", "tournament/999", "tournament/9" + "9" * 15]
)
def test_topic_that_is_not_there_is_told_as_one(site: Served, topic: str) -> None:
    async def test(tab: Tab) -> None:
        await tab.watch(topic)
        await tab.until(lambda: topic in tab.state)
        assert "There is no" in tab.state[topic]["trouble"]

    visit(site, test)


def test_one_viewer_cannot_watch_without_end(site: Served) -> None:
    async def test(tab: Tab) -> None:
        for number in range(MOST_TOPICS + 1):
            await tab.watch(f"tournament/{1000 + number}")
        await tab.until(lambda: tab.errors)
        assert str(MOST_TOPICS) in tab.errors[0]["error"]

    visit(site, test)


def test_flood_of_requests_ends_the_connection(site: Served) -> None:
    async def test(tab: Tab) -> None:
        with suppress(ConnectionClosed):
            for _ in range(1000):
                await tab.ask(leave="runs")
        await asyncio.wait_for(tab.connection.wait_closed(), PATIENCE)
        assert tab.connection.close_code == 1008

    visit(site, test)


def test_page_of_another_site_cannot_watch(site: Served) -> None:
    async def test() -> None:
        with pytest.raises(InvalidStatus):
            await tab(site, Origin="http://evil.example")

    asyncio.run(test())


def test_hundred_viewers_who_do_not_read_harm_nobody(site: Served) -> None:
    topic = game_of(site)

    async def test(reader: Tab) -> None:
        slow = await asyncio.gather(*(tab(site) for _ in range(100)))
        for connection in slow:
            connection.transport.pause_reading()
            await connection.send(json.dumps({"watch": topic}))
        before = memory()
        await reader.watch(topic)
        await reader.until(lambda: reader.state)
        until = reader.seq[topic] + 30
        await reader.until(lambda: reader.seq[topic] >= until)
        assert memory() - before < 50 << 20
        for connection in slow:
            connection.transport.abort()

    visit(site, test)


def memory() -> int:
    """Bytes of this process, in which the site runs."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_nothing_is_looked_at_while_nobody_watches(site: Served) -> None:
    topic = game_of(site)

    async def test(tab: Tab) -> None:
        await tab.watch(topic)
        await tab.until(lambda: tab.state)
        await tab.ask(leave=topic)

    visit(site, test)
    assert awaited(lambda: site.hub.idle)


def test_game_of_a_run_that_ends_is_shown_to_its_end(tmp_path: Path) -> None:
    with served(tmp_path / "s.db") as site, open_store(str(tmp_path / "s.db")) as store:
        field = ["--agent", f"{SLEEPER}:ms=20", "--agent", "random", "--workers", "1", "--episodes", "2"]
        with running(store, "run", "--game", "tic-tac-toe", *field, "--format", "single-round-robin"):
            topic = game_of(site)

            async def test(tab: Tab) -> None:
                await tab.watch(topic)
                await tab.watch("runs")
                await tab.until(lambda: tab.state.get(topic, {}).get("result"))
                await tab.until(lambda: tab.state["runs"]["runs"] == [])

            visit(site, test)
