"""Storing episodes with everything recorded: microseconds and bytes an episode, beside a raw table of the same blobs;
then the memory that storing 1,000,000 of them takes, and the time to read what results are made from.

The peer is the floor: `executemany` of sqlite3, each key with its packed record, in transactions of the same size.
Ludus also keeps what tables are made from, and adds to tallies and timings; its bytes are those of the whole file.
"""

import resource
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import msgspec

from ludus.agents.agent import agent_from
from ludus.episode.driver import play_episode
from ludus.episode.finished import Episode, episode
from ludus.episode.local_player import player_for
from ludus.episode.record import Key, Record
from ludus.games.game import game_from
from ludus.store import Store, open_store
from ludus.tournaments.formats.format import Match
from ludus.tournaments.tournament import Entrant, Tournament
from side_by_side import Row, compare, main, pin

BATCH = 300
"""Episodes of a transaction: about what a worker plays in 100 ms."""

MATCH = 1000
"""Episodes of a match."""

FLOOR = "sqlite3, only blobs"
FIELDS = {"random": ["random", "random"], "MCTS": ["mcts:simulations=100", "mcts:simulations=50"]}


def played(agents: list[str]) -> list[Record]:
    """Records of Connect Four that was really played."""
    game, players = game_from("connect-four"), [player_for(agent_from(agent)) for agent in agents]
    return [play_episode(game, players, seed=seed) for seed in range(BATCH)]


class Filling:
    """A file that is filled with these episodes again and again, as those of ever more matches."""

    def __init__(self, file: Path, records: list[Record], add: Callable[[list[Episode]], object]) -> None:
        self.stored = 0
        self._file = file
        self._episodes = [episode(record, Key(0, 0, 0), 100_000) for record in records]
        self._numbers = count()
        self._add = add

    def add(self) -> float:
        """Add one batch; the seconds it took."""
        batch = [
            msgspec.structs.replace(e, key=Key(0, number // MATCH, number % MATCH), course=number)
            for e, number in zip(self._episodes, self._numbers, strict=False)
        ]
        begin = time.perf_counter()
        self._add(batch)
        self.stored += len(batch)
        return time.perf_counter() - begin

    def microseconds(self) -> float:
        """The time an episode takes."""
        return 1e6 * sum(self.add() for _ in range(40)) / (40 * BATCH)

    def bytes(self) -> float:
        """The room an episode takes."""
        with sqlite3.connect(self._file) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return self._file.stat().st_size / self.stored


def raw(file: Path, records: list[Record]) -> Filling:
    """A table of keys and blobs, and nothing else."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE records (match INTEGER, number INTEGER, packed BLOB, PRIMARY KEY (match, number))")

    def add(episodes: list[Episode]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        rows = [(e.key.match, e.key.number, e.packed) for e in episodes]
        connection.executemany("INSERT INTO records VALUES (?, ?, ?)", rows)
        connection.execute("COMMIT")

    return Filling(file, records, add)


def ludus(store: Store, file: Path, records: list[Record]) -> tuple[int, Filling]:
    """A tournament, and its filling."""
    field = (Entrant("first", "random"), Entrant("second", "random"))
    id = store.enter(Tournament(name="x", game="connect-four", agents=field, format="double-round-robin"), {}).id
    store.add_matches(id, 0, 0, [Match(0, (0, 1))] * 2000)
    return id, Filling(file, records, lambda episodes: store.add(id, episodes))


def packing(records: list[Record]) -> Callable[[], float]:
    """The time to make what a worker hands in."""

    def measure() -> float:
        begin = time.perf_counter()
        for record in records:
            episode(record, Key(0, 0, 0), 100_000)
        return 1e6 * (time.perf_counter() - begin) / len(records)

    return measure


def as_json(records: list[Record]) -> Callable[[], float]:
    """The time to write the portable form."""

    def measure() -> float:
        begin = time.perf_counter()
        for record in records:
            record.to_json().encode()
        return 1e6 * (time.perf_counter() - begin) / len(records)

    return measure


def alone(name: str, value: float, unit: str, goal: float) -> Row:
    """A figure without a peer, the less the better."""
    return Row(name, value, None, unit, None, goal, less_is_better=True)


def seconds(work: Callable[[], object]) -> float:
    """The time of one run."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def peak() -> float:
    """The most memory this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure() -> Iterator[Row]:
    pin()
    with tempfile.TemporaryDirectory() as folder:
        for name, agents in FIELDS.items():
            records = played(agents)
            yield compare(f"{name}: pack", packing(records), as_json(records), "µs", "Record.to_json", None, 5, True)
            ours, floor = Path(folder, f"{name}.db"), Path(folder, f"{name}-raw.db")
            with open_store(str(ours)) as store:
                _, filling = ludus(store, ours, records)
                peer = raw(floor, records)
                yield compare(
                    f"{name}: store",
                    filling.microseconds,
                    peer.microseconds,
                    "µs",
                    FLOOR,
                    10.0,
                    5,
                    True,
                )
                yield compare(f"{name}: size", filling.bytes, peer.bytes, "bytes", FLOOR, 2.0, 1, True)
        yield from million(Path(folder, "million.db"), played(FIELDS["random"]))


def million(file: Path, records: list[Record]) -> Iterator[Row]:
    """Time and size of 1,000,000 episodes."""
    with open_store(str(file)) as store:
        id, filling = ludus(store, file, records)
        while filling.stored < 100_000:
            filling.add()
        before = peak()
        while filling.stored < 1_000_000:
            filling.add()
        yield alone("memory that 900,000 more episodes take", peak() - before, "MB", 20.0)
        yield alone("tallies of 1,000,000 episodes", seconds(lambda: store.tallies(id)), "s", 0.5)
        yield alone("timings of 1,000,000 episodes", seconds(lambda: store.timings(id)), "s", 0.5)
        yield alone("1,000,000 episodes as a frame", seconds(lambda: store.episodes(id)), "s", 2.0)


if __name__ == "__main__":
    main("Storing", measure)
