import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from ludus.store import open_store
from support.running import PROGRAM, ludus
from support.sentences import missing
from support.tournaments import dawdler

SWEEP = (
    "sweep",
    "tic-tac-toe",
    "mcts:simulations=10",
    "--param",
    "simulations=1,10,40",
    "--param",
    "c=0.5..1.5/2",
    "--against",
    "random",
    "--against",
    "mcts:simulations=10",
)
VARIANTS = 7  # six of the grid, and the one as given


def stored(store: Path) -> int:
    with open_store(str(store)) as opened:
        return sum(summary.episodes for summary in opened.tournaments())


def test_grid_is_played_listed_and_drawn(tmp_path: Path) -> None:
    store, file = tmp_path / "s.db", tmp_path / "map.svg"
    done = ludus(*SWEEP, "--episodes", "3", "--workers", "0", "-o", str(file), "--store", str(store))
    assert done.returncode == 0, done.stderr
    assert stored(store) == VARIANTS * 2 * 2 * 3
    shown = " ".join(done.stdout.split())
    assert "simulations c episodes won tied score 95 % better vs A vs B" in shown
    assert "A random B mcts:simulations=10 (opponent)" in shown
    assert "Best: " in shown
    assert "10 * 1.4" in shown
    drawn = file.read_text()
    assert re.search(r">0\.\d\d–[01]\.\d\d</text>", drawn)
    assert re.search(r"as given: 0\.\d+ \(0\.\d\d–[01]\.\d\d\)\.", drawn)
    assert "framed" not in drawn


def test_same_command_again_plays_nothing_and_results_know_the_sweep(tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    arguments = (*SWEEP, "--episodes", "2", "--workers", "0", "--seed", "5", "--name", "tuning", "--store", str(store))
    first, second = (json.loads(ludus(*arguments, "--json").stdout) for _ in range(2))
    assert first == second
    assert stored(store) == VARIANTS * 2 * 2 * 2
    assert len(first["variants"]) == VARIANTS
    assert first["parameters"] == {"simulations": [1, 10, 40], "c": [0.5, 1.5]}
    assert first["best"]["score"] == max(row["score"] for row in first["variants"])
    assert {row["opponent"] for row in first["by_opponent"]} == {"random", "mcts:simulations=10 (opponent)"}
    told = json.loads(ludus("results", "tuning", "--json", "--store", str(store)).stdout)
    assert told["format"] == f"gauntlet:runners={VARIANTS}"
    assert told["tournament"]["seed"] == 5


def test_one_by_one_is_drawn_as_lines(tmp_path: Path) -> None:
    file = tmp_path / "lines.html"
    done = ludus(
        *SWEEP, "--one-by-one", "--episodes", "1", "--workers", "0", "-o", str(file), "--store", str(tmp_path / "s.db")
    )
    assert done.returncode == 0, done.stderr
    assert "as given" in file.read_text()
    assert stored(tmp_path / "s.db") == 5 * 2 * 2


@pytest.mark.slow
def test_more_seats_are_filled_in_turn_and_limits_are_kept(tmp_path: Path) -> None:
    arguments = ["nim:players=3", "mc:iterations=2", "--param", "iterations=2,4", "--against", "random"]
    done = ludus(
        "sweep", *arguments, "--move-time", "5s", "--episodes", "2", "--json", "--store", str(tmp_path / "s.db")
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [opponent["agent"] for opponent in found["against"]] == ["random", "random (2)"]
    told = json.loads(ludus("results", str(found["id"]), "--json", "--store", str(tmp_path / "s.db")).stdout)
    assert told["tournament"]["limits"] == {"move": 5 * 10**9}
    assert stored(tmp_path / "s.db") == 2 * 3 * 2


def test_one_player_has_points_and_a_line(tmp_path: Path) -> None:
    file = tmp_path / "line.svg"
    arguments = ["2048", "mc:iterations=1", "--param", "rollout_depth=1,3", "--episodes", "2", "--workers", "0"]
    done = ludus("sweep", *arguments, "-o", str(file), "--store", str(tmp_path / "s.db"))
    assert done.returncode == 0, done.stderr
    assert "mean points" in done.stdout
    assert "mean points" in file.read_text()


@pytest.mark.slow
def test_killed_sweep_continues_where_it_stopped(tmp_path: Path) -> None:
    store = tmp_path / "s.db"
    command = [*SWEEP, "--against", dawdler(tmp_path), "--episodes", "20", "--store", str(store)]
    episodes = VARIANTS * 3 * 2 * 20
    process = subprocess.Popen([PROGRAM, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, process_group=0)
    while process.poll() is None and (not store.exists() or stored(store) < 10):
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate(timeout=60)
    assert 10 <= stored(store) < episodes
    (tmp_path / "go").touch()
    again = ludus(*command, "--json")
    assert again.returncode == 0, again.stderr
    assert stored(store) == episodes


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--param", "cc=1", "--against", "random"], "mcts 'cc' 'c'"),
        (["--param", "c=200", "--against", "random"], "mcts c=200 0 100"),
        (["--param", "c=2..1/3", "--against", "random"], "c=2..1/3"),
        (["--param", "c=1"], "--against"),
        (["--against", "random"], "--param"),
        (["--param", "c=0..1/3000000", "--against", "random"], "c=0..1/3000000"),
        (["--param", "c=1", "--against", "random", "-o", "no/x.png"], "no/x.png"),
        (["--param", "c=1", "--against", "random", "-o", "x.doc"], "x.doc .png .svg .pdf .html"),
        (["--param", "weight.no=1", "--against", "random"], "weight.no tic-tac-toe"),
    ],
)
def test_bad_input_gets_one_sentence_before_play_begins(tmp_path: Path, arguments: list[str], named: str) -> None:
    done = ludus("sweep", "tic-tac-toe", "mcts:simulations=5", *arguments, "--store", str(tmp_path / "s.db"))
    assert done.returncode == 2
    assert not missing(done.stderr, named)
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "s.db").exists()


def test_agent_as_given_is_framed_where_it_is_a_cell(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    varied = ["--param", "iterations=1,2", "--param", "rollout_depth=1,none", "--against", "random"]
    arguments = ["connect-four:rows=5,columns=5", "mc:iterations=1", *varied, "--episodes", "1", "--workers", "0"]
    done = ludus("sweep", *arguments, "-o", str(file), "--store", str(tmp_path / "s.db"))
    assert done.returncode == 0, done.stderr
    assert "framed: as given." in file.read_text()
    assert "mc:iterations=1 in connect-four:rows=5,columns=5" in file.read_text()


def test_chance_in_the_verdict_is_written_as_in_the_table(tmp_path: Path) -> None:
    arguments = ["tic-tac-toe", "mcts:simulations=1", "--param", "simulations=200", "--against", "mcts:simulations=100"]
    done = ludus(
        "sweep", *arguments, "--episodes", "30", "--workers", "0", "--store", str(tmp_path / "s.db"), columns=200
    )
    assert "Best: simulations=200, better than the baseline with a probability of > 99 %." in done.stdout
