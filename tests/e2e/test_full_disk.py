"""Commands on a disk that is full: one sentence, the old file kept, and nothing left beside it."""

import os
import resource
import subprocess
from pathlib import Path

import pytest

from support.running import PATIENCE, PROGRAM, ludus

pytestmark = pytest.mark.slow

_ROOM = 300  # bytes; a file that grows beyond is refused, as on a full disk
_ROOM_BESIDE_A_STORE = 40_000  # SQLite needs as much to read


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a store, a record and what earlier commands wrote."""
    folder = tmp_path_factory.mktemp("full")
    agents = ["--agent", "random", "--agent", "mc:iterations=2", "--episodes", "600", "--workers", "0"]
    assert ludus("run", "--game", "tic-tac-toe", *agents, LUDUS_STORE=str(folder / "ludus.db")).returncode == 0
    record = ludus("play", "tic-tac-toe", "random", "random", "--seed", "1", "--json").stdout
    (folder / "game.jsonl").write_text(record)
    for name in ("page.html", "chart.png", "board.png", "board.svg", "game.gif"):
        (folder / name).write_text("old")
    for name in ("csv", "json", "parquet"):
        (folder / name).mkdir()
        (folder / name / "mine.txt").write_text("old")
    return folder


@pytest.mark.parametrize(
    "line",
    [
        "results 1 --html page.html",
        "results 1 --chart ratings -o chart.png",
        "replay game.jsonl -o board.png",
        "replay game.jsonl -o board.svg",
        "replay game.jsonl -o game.gif",
        "store export 1 --csv csv",
        "store export 1 --json json",
        "store export 1 --parquet parquet",
    ],
)
def test_full_disk_is_one_sentence_and_keeps_the_old_file(home: Path, line: str) -> None:
    target = line.split()[-1]
    room = _ROOM if line.startswith("replay") else _ROOM_BESIDE_A_STORE
    before = sorted(path for path in home.rglob("*") if not path.name.startswith("ludus.db"))
    done = subprocess.run(
        [PROGRAM, *line.split()],
        cwd=home,
        env=os.environ | {"LUDUS_STORE": str(home / "ludus.db")},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    complaint = done.stderr.splitlines()[-1]
    assert complaint.startswith("ludus: ")
    assert target in complaint
    assert "File too large" in complaint
    assert sorted(path for path in home.rglob("*") if not path.name.startswith("ludus.db")) == before
    kept = home / target
    assert (kept / "mine.txt" if kept.is_dir() else kept).read_text() == "old"
