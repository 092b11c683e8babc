"""A game over a network, as others on this machine watch it."""

import asyncio
import threading
import time

from ludus.agents.agent import agent_from
from ludus.episode.local_player import player_for
from ludus.episode.record import Record
from ludus.episode.replay import Scene, replay
from ludus.net.client import Guest, Listener, door
from ludus.net.contest import Contest
from ludus.net.listener import Keys
from ludus.net.server import Host
from ludus.run.live_feed import LiveEpisode
from ludus.run.live_reader import LiveReader
from ludus.run.live_run import live_run
from ludus.store import Store


def keep_in(records: list[Record], record: Record) -> str:
    records.append(record)
    return "kept"


class Watcher(threading.Thread):
    """Follows every game of every run of a store, as the site does."""

    def __init__(self, store: Store) -> None:
        super().__init__(daemon=True)
        self._reader = LiveReader(store)
        self.found: dict[str, LiveEpisode] = {}
        self.names: set[tuple[str, ...]] = set()
        self.done = threading.Event()

    def run(self) -> None:
        feeds = {}
        while not self.done.is_set():
            for run in self._reader.runs():
                for feed in run.feeds:
                    self.names.add(tuple(feed.players))
                    key = f"{run.card.kind} {feed.number}"
                    if key not in feeds:
                        feeds[key] = self._reader.feed(run.id, feed.name)
            for key, watched in feeds.items():
                watched.look()
                if watched.episode is not None:
                    self.found[key] = watched.episode
            time.sleep(0.005)


def moves_of(scenes: list[Scene]) -> list[list[tuple[int, str]]]:
    return [[(made.seat, made.move) for made in scene.step] for scene in scenes]


def check_that_a_game_is_seen(store: Store, contest: Contest) -> None:
    """Play a game with a server and a client, and compare both as they are seen with what they store."""
    hosted: list[Record] = []
    joined: list[Record] = []
    watcher = Watcher(store)

    async def test() -> None:
        ready = asyncio.Event()
        hosts, joins = (live_run(store.live, kind, kind, contest.name) for kind in ("host", "join"))
        with hosts as hosting, joins as joining:
            host = Host(
                contest,
                Keys(),
                lambda record, wall: keep_in(hosted, record),
                fill=["random"],
                patience=10**7,
                games=1,
                ledger=hosting,
            )
            running = asyncio.create_task(host.run("127.0.0.1", 0, None, ready.set))
            async with asyncio.timeout(600):
                await ready.wait()
                guest = Guest(
                    contest,
                    door(contest, f"ws://127.0.0.1:{host.port}", "anna"),
                    lambda: player_for(agent_from("random"), "me"),
                    lambda record, wall: keep_in(joined, record),
                    Listener(),
                    lambda: time.sleep(0.01),
                    joining,
                )
                watcher.start()
                await asyncio.to_thread(guest.play, 1)
                await running
                await asyncio.sleep(0.1)
        watcher.done.set()
        watcher.join()

    asyncio.run(test())
    for key, record in (("host 1", hosted[0]), ("join 1", joined[0])):
        episode = watcher.found[key]
        assert episode.complete
        assert episode.result
        assert moves_of(episode.scenes) == moves_of(list(replay(record)))
    assert watcher.found["host 1"].record is not None
    assert watcher.found["host 1"].record.scores == hosted[0].scores
    assert ("anna", "random") in watcher.names
    assert any("me" in names for names in watcher.names)
    assert not store.live.exists()
