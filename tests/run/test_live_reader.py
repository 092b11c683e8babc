"""Episodes of another process, as the site sees them."""

import time
from functools import partial
from pathlib import Path

import pytest

from ludus.core.errors import LudusError, NotFoundError
from ludus.episode.record import Key, Move, Record
from ludus.episode.replay import Scene, replay
from ludus.run.live_feed import LiveFeed
from ludus.run.live_reader import LiveReader
from ludus.store import Store
from support.live_runs import SLEEPER, awaited, running, the_run

pytestmark = pytest.mark.slow


def feed_of(store: Store, name: str) -> LiveFeed:
    """A feed of the run."""
    return LiveReader(store).feed(the_run(store).id, name)


def newer(feed: LiveFeed) -> LiveFeed:
    """The feed after another look."""
    feed.look()
    return feed


def watched(feed: LiveFeed, complete: int) -> list[tuple[Key, list[Scene], str]]:
    """This many episodes from their beginning to their end: key, scenes, result."""
    found: list[tuple[Key, list[Scene], str]] = []
    while len(found) < complete:
        feed.look()
        if feed.episode is not None and feed.episode.complete:
            assert feed.episode.key is not None
            found.append((feed.episode.key, list(feed.episode.scenes), feed.episode.result))
            awaited(lambda: newer(feed).has_next)
            feed.advance()
        time.sleep(0.01)
    return found


@pytest.mark.parametrize("workers", ["1", "0"])
def test_run_of_another_process_is_seen_with_progress_and_positions(store: Store, workers: str) -> None:
    field = ["--agent", f"{SLEEPER}:ms=30", "--agent", "random", "--workers", workers, "--name", "cup"]
    with running(store, "run", "--game", "tic-tac-toe", *field, "--episodes", "300", "--opening-plies", "1"):
        reader = LiveReader(store)
        run = the_run(store)
        assert (run.alive, run.card.kind, run.card.name, run.card.game) == (True, "run", "cup", "tic-tac-toe")
        assert [feed.name for feed in run.feeds] == ["worker-1"]
        feed = feed_of(store, "worker-1")
        awaited(lambda: newer(feed).episode)
        assert feed.episode is not None
        first = feed.episode.scenes
        awaited(lambda: newer(feed).episode and len(first) > 3)  # grows while it is played
        episodes = watched(feed, 3)
        tournament = run.card.tournament
        assert tournament is not None
        progress = awaited(lambda: next((run for run in reader.runs() if run.progress.done > 2), None))
        assert progress.progress.total == 600
        assert progress.left is not None
        assert progress.left > 0
        assert sorted(reader.runs()[0].feeds[0].players) == [f"{SLEEPER}:ms=30", "random"]
        for key, scenes, result in episodes:
            record = awaited(partial(stored, store, tournament, key))
            assert list(map(without_metrics, scenes)) == list(map(without_metrics, replay(record)))
            assert result.startswith(("random", SLEEPER, "A tie"))
    assert awaited(lambda: not reader.runs())
    feed.look()
    assert feed.gone


def stored(store: Store, tournament: int, key: Key) -> Record | None:
    try:
        return store.record(tournament, key)
    except NotFoundError:
        return None


def without_metrics(scene: Scene) -> list[Move]:
    for made in scene.step:
        made.metrics = {}
    return scene.step


def test_episode_that_its_worker_has_left_is_completed_from_the_store(store: Store) -> None:
    field = ["--agent", "random", "--agent", "mcts:simulations=1", "--workers", "1"]
    with running(store, "run", "--game", "connect-four", *field, "--episodes", "100000"):
        feed = feed_of(store, "worker-1")
        for _, scenes, result in watched(feed, 5):  # thousands are played meanwhile
            assert len(scenes) > 7
            assert result


def test_killed_run_counts_as_dead_and_the_next_start_removes_it(store: Store) -> None:
    field = ["--agent", f"{SLEEPER}:ms=50", "--agent", "random", "--workers", "1", "--episodes", "500"]
    reader = LiveReader(store)
    with running(store, "run", "--game", "tic-tac-toe", *field, "--name", "killed") as process:
        first = the_run(store)
        process.kill()
        process.wait()
        awaited(lambda: not reader.run(first.id).alive)
        with running(store, "run", "--game", "tic-tac-toe", *field, "--name", "next"):
            awaited(lambda: [run.card.name for run in reader.runs()] == ["next"])


def test_comparison_is_seen_as_one(store: Store) -> None:
    with running(store, "compare", f"{SLEEPER}:ms=20", "random", "--game", "tic-tac-toe", "--workers", "1"):
        assert the_run(store).card.kind == "compare"


@pytest.mark.parametrize("name", ["worker-9", "../run", "worker-1/x", "game-1", ""])
def test_feeds_that_are_not_there_are_refused(store: Store, name: str) -> None:
    field = ["--agent", f"{SLEEPER}:ms=50", "--agent", "random", "--workers", "1", "--episodes", "500"]
    with running(store, "run", "--game", "tic-tac-toe", *field):
        reader = LiveReader(store)
        run = the_run(store).id
        with pytest.raises(NotFoundError):
            reader.feed(run, name)
        with pytest.raises(NotFoundError):
            reader.feed("../../x", "worker-1")


def test_game_whose_file_is_gone_is_told_in_a_sentence(store: Store, tmp_path: Path) -> None:
    game = tmp_path / "mine.py"
    game.write_text("from ludus.games.tic_tac_toe import TicTacToe\n\n\nclass Mine(TicTacToe):\n    name = 'mine'\n")
    field = ["--agent", f"{SLEEPER}:ms=50", "--agent", f"{SLEEPER}:ms=40", "--workers", "1", "--episodes", "500"]
    with running(store, "run", "--game", f"{game}:Mine", *field):
        awaited(lambda: the_run(store).feeds[0].answers)  # its worker has read the file
        game.unlink()
        with pytest.raises(LudusError, match=r"mine\.py"):
            awaited(lambda: feed_of(store, "worker-1").episode)
