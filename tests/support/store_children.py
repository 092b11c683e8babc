"""Other processes that use a store while a test watches."""

import multiprocessing
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection

import msgspec

from ludus.episode.finished import Episode
from ludus.episode.record import Key
from ludus.store import open_store
from ludus.tournaments.tournament import Entrant, Tournament

PROCESSES = multiprocessing.get_context("forkserver")
"""Starts a child in a moment, since it has imported everything already."""

PROCESSES.set_forkserver_preload(["ludus.store.store", "support.store_children"])


def open_once(url: str) -> None:
    """Open a store and close it."""
    open_store(url).close()


def hold(url: str, id: int, ready: "Connection[bool, bool]") -> None:
    """Hold the lock of a tournament until killed."""
    with open_store(url) as store, store.lock(id):
        ready.send(True)
        time.sleep(600)


def add_batches(url: str, id: int, batches: int, given: bytes) -> None:
    """Add the given episodes repeatedly, as further episodes of a match."""
    episodes: Sequence[Episode] = msgspec.msgpack.decode(given, type=list[Episode])
    with open_store(url) as store:
        for first in range(0, batches * len(episodes), len(episodes)):
            store.add(id, [msgspec.structs.replace(e, key=Key(0, 0, first + i)) for i, e in enumerate(episodes)])


def keep_all(url: str, kind: Tournament, names: Sequence[str], given: bytes) -> None:
    """Keep the given episodes, which players of these names played on a server."""
    episodes: Sequence[Episode] = msgspec.msgpack.decode(given, type=list[Episode])
    with open_store(url) as store:
        for episode in episodes:
            store.keep(kind, [Entrant(name, "remote") for name in names], episode)


def add_until_killed(url: str, id: int, first: int, given: bytes) -> None:
    """Add the given episodes again and again, as ever more episodes of two matches."""
    episodes: Sequence[Episode] = msgspec.msgpack.decode(given, type=list[Episode])
    with open_store(url) as store:
        while True:
            batch = [
                msgspec.structs.replace(e, key=Key(0, match, first + i), course=first + i)
                for i, e in enumerate(episodes)
                for match in (0, 1)
            ]
            first += len(episodes)
            store.add(id, batch)
