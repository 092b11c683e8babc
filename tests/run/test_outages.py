"""Stores that go away or are locked in the middle of a run."""

import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from ludus.core.errors import BusyError, FileError
from ludus.run import runner
from ludus.run.runner import Progress, run
from ludus.store import connect, open_store
from ludus.store.store import Store
from ludus.tournaments.run_options import RunOptions
from support.postgresql import binaries, server, start, stop, temporary_folder
from support.tournaments import small

pytestmark = pytest.mark.slow

AWAY = 2.0
"""Seconds: longer than an attempt to reach the store."""


def played(store: Store, hindrance: Callable[[], threading.Thread], workers: int) -> tuple[int, int]:
    """Run a tournament, hindered once it has begun: the number of its episodes, and of those that are stored."""
    planned = small(episodes=60, agents=["random", "mcts:simulations=30"])
    helpers: list[threading.Thread] = []
    totals: set[int] = set()

    def watch(progress: Progress) -> None:
        totals.add(progress.total)
        if progress.done and not helpers:
            helpers.append(hindrance())

    ran = run(planned, store, RunOptions(workers=workers), watch=watch)
    assert helpers, "the run was over before anything could happen"
    helpers[0].join()
    return max(totals), len(store.episodes(ran.id))


@pytest.fixture
def slow_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small batches, so that much is still to be stored when the first has been."""
    monkeypatch.setattr(runner, "_WRITE_AFTER", 0.001)
    monkeypatch.setattr(runner, "_MOST_IN_TASK", 1)


@pytest.mark.usefixtures("slow_writes")
@pytest.mark.parametrize("workers", [0, 1])
def test_run_outlasts_a_restart_of_its_server(workers: int) -> None:
    if binaries() is None:
        pytest.skip("the PostgreSQL server is not installed")
    with temporary_folder() as folder, server(folder) as url, open_store(url) as store:

        def restart() -> threading.Thread:
            stop(folder)

            def come_back() -> None:
                time.sleep(AWAY)
                start(folder)

            thread = threading.Thread(target=come_back)
            thread.start()
            return thread

        wanted, stored = played(store, restart, workers=workers)
        assert stored == wanted


@pytest.mark.usefixtures("slow_writes")
def test_lock_is_held_again_after_a_restart() -> None:
    if binaries() is None:
        pytest.skip("the PostgreSQL server is not installed")
    with temporary_folder() as folder, server(folder) as url, open_store(url) as store, open_store(url) as other:
        id = store.enter(small(), {}).id
        with store.lock(id) as lock:
            stop(folder)
            with pytest.raises(BusyError):
                lock.renew()
            start(folder)
            lock.renew()
            with pytest.raises(BusyError, match="in use by another process"), other.lock(id):
                pass
        with other.lock(id):
            pass


@pytest.mark.usefixtures("slow_writes")
def test_run_outlasts_a_locked_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_PATIENCE", 0.1)
    file = tmp_path / "ludus.db"
    with open_store(str(file)) as store:

        def lock() -> threading.Thread:
            locked = threading.Event()

            def hold() -> None:
                with closing(sqlite3.connect(file, isolation_level=None)) as connection:
                    connection.execute("BEGIN IMMEDIATE")
                    locked.set()
                    time.sleep(AWAY)

            thread = threading.Thread(target=hold)
            thread.start()
            locked.wait()
            return thread

        wanted, stored = played(store, lock, workers=0)
        assert stored == wanted


@pytest.mark.usefixtures("slow_writes")
def test_run_gives_up_on_a_store_that_stays_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connect, "_PATIENCE", 0.1)
    monkeypatch.setattr(runner, "_OUTAGE", 0.5)
    file = tmp_path / "ludus.db"
    with open_store(str(file)) as store, closing(sqlite3.connect(file, isolation_level=None)) as connection:

        def lock() -> threading.Thread:
            connection.execute("BEGIN IMMEDIATE")
            thread = threading.Thread(target=lambda: None)
            thread.start()
            return thread

        with pytest.raises(BusyError, match="locked"):
            played(store, lock, workers=0)


@pytest.mark.usefixtures("slow_writes")
def test_run_does_not_go_on_without_its_store(tmp_path: Path) -> None:
    file = tmp_path / "ludus.db"
    with open_store(str(file)) as store:

        def delete() -> threading.Thread:
            file.unlink()
            thread = threading.Thread(target=lambda: None)
            thread.start()
            return thread

        with pytest.raises(FileError, match=f"{file} was deleted"):
            played(store, delete, workers=0)
