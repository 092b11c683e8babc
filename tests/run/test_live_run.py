import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from ludus.episode.cost import Cost
from ludus.episode.journal import Journal, Phase
from ludus.episode.rebuilt import GameCard
from ludus.episode.record import Key, Seat
from ludus.run.live_run import CARD, PROGRESS, LiveRun, ProgressCard, live_run, read_card, read_json


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def progress_of(run: LiveRun) -> ProgressCard:
    found = read_json(run.folder / PROGRESS, ProgressCard)
    assert found is not None
    return found


def test_folder_tells_what_runs_and_ends_with_it(tmp_path: Path) -> None:
    live = tmp_path / "s.db.live"
    with live_run(live, "run", "Hex cup", "hex", 3) as run:
        assert run is not None
        card = read_card(run.folder)
        assert card is not None
        assert (card.kind, card.name, card.game, card.tournament, card.pid) == ("run", "Hex cup", "hex", 3, os.getpid())
        assert card.alive
    assert not live.exists()


def test_everything_belongs_to_the_owner_alone(tmp_path: Path) -> None:
    live = tmp_path / "live"
    with live_run(live, "host", "hosted", "nim") as run:
        assert run is not None
        run.progress(1, 2)
        assert run.journal() is not None
        assert run.open(GameCard(game="nim", seats=[Seat("random", "a")], number=4)) is not None
        assert [mode(live), mode(run.folder)] == [0o700, 0o700]
        files = "run.json", "progress.json", "worker-1.journal", "game-4.journal", "game-4.json"
        assert {file.name: mode(file) for file in run.folder.iterdir()} == dict.fromkeys(files, 0o600)
        run.close(4)
        assert not list(run.folder.glob("game-4*"))
        assert progress_of(run).done == 1


def test_two_runs_have_folders_of_their_own(tmp_path: Path) -> None:
    with live_run(tmp_path / "live", "run", "a", "nim", 1) as one:
        with live_run(tmp_path / "live", "run", "b", "nim", 2) as other:
            assert one is not None
            assert other is not None
            assert len(list((tmp_path / "live").iterdir())) == 2
        assert one.folder.is_dir()


def left_by(live: Path, name: str, **changes: object) -> Path:
    """A folder as another process left it."""
    with live_run(live, "run", "left", "nim") as run:
        assert run is not None
        card = read_card(run.folder)
        assert card is not None
        folder = live / name
        folder.mkdir(parents=True)
        (folder / CARD).write_bytes(msgspec.json.encode(msgspec.structs.replace(card, **changes)))
    return folder


@pytest.mark.slow
def test_next_start_removes_folders_of_dead_processes_and_no_others(tmp_path: Path) -> None:
    live = tmp_path / "live"
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    dead = left_by(live, "00000001", pid=ended.pid)
    reused = left_by(live, "00000002", started=time.time() - 10_000)
    elsewhere = left_by(live, "00000003", machine="another")
    old = left_by(live, "00000004", machine="another")
    for file in (old / CARD, old):
        os.utime(file, (0, 0))
    mine = left_by(live, "00000005")
    with live_run(live, "run", "next", "nim"):
        assert [folder.exists() for folder in (dead, reused, elsewhere, old, mine)] == [False, False, True, False, True]


def test_run_goes_on_where_no_folder_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "live").write_text("a file")
    with live_run(tmp_path / "live", "run", "x", "nim") as run:
        assert run is None


def test_full_disk_leaves_games_without_a_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with live_run(tmp_path / "live", "host", "x", "nim") as run:
        assert run is not None
        assert run.journal_file(1) is None
        assert run.open(GameCard(game="nim", seats=[])) is None
        assert not list(run.folder.glob("*.journal"))


def test_rate_is_that_of_the_latest_episodes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with live_run(tmp_path / "live", "run", "x", "nim") as run:
        assert run is not None
        run.progress(100, 1000, ["a"])
        assert progress_of(run) == ProgressCard(100, 1000, None, ["a"])
        for done in range(101, 200):  # one a second
            now[0] += 1
            run.progress(done, 1000)
        assert progress_of(run) == ProgressCard(199, 1000, 1.0)
        for done in range(200, 2200, 10):  # ten a second
            now[0] += 1
            run.progress(done, 5000)
        assert progress_of(run).rate == pytest.approx(10.0, rel=0.01)


def test_progress_is_not_written_more_often_than_anyone_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with live_run(tmp_path / "live", "run", "x", "nim") as run:
        assert run is not None
        run.progress(1, 9)
        now[0] = 0.1
        run.progress(2, 9)
        assert progress_of(run).done == 1
        run.progress(2, 9, ["mcts"])  # this is told at once
        assert progress_of(run) == ProgressCard(2, 9, 10.0, ["mcts"])


def test_journal_of_a_new_worker_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    with live_run(tmp_path / "live", "run", "x", "nim") as run:
        assert run is not None
        for number in range(2):
            file = run.journal_file(1)
            assert file is not None
            with file:
                written = Journal(file)
            written.phase(Phase.PLAYING, Key(0, 0, number))
            written.answered(0, number, None, Cost())
            seen = Journal.read(run.folder / "worker-1.journal")
            assert seen is not None
            head = seen.head()
            assert head is not None
            assert head.key.number == number
