import json
import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from cli.running import PROGRAM, ludus
from ludus.store import open_store

OPTIONS = [
    "--game",
    "tic-tac-toe",
    "--agent",
    "random",
    "--agent",
    "mcts:simulations=20",
    "--agent",
    "alphabeta:depth=1",
]


def stored(store: Path) -> int:
    with open_store(str(store)) as opened:
        return sum(summary.episodes for summary in opened.tournaments())


def test_command_line_runs_a_tournament_and_shows_its_results(tmp_path: Path) -> None:
    done = ludus("run", *OPTIONS, "-n", "4", "--opening-plies", "1", "--name", "cup", "--store", str(tmp_path / "s.db"))
    assert done.returncode == 0, done.stderr
    assert "cup" in done.stdout
    assert "mcts:simulations=20" in done.stdout
    assert "24 episodes" in done.stdout


def test_file_and_options_that_replace_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text('game = "tic-tac-toe"\nagents = ["random", "mc:iterations=2"]\nepisodes = 3\n')
    arguments = ["run", str(tmp_path / "cup.toml"), "--store", str(tmp_path / "s.db"), "--json", "--workers", "0"]
    first = ludus(*arguments)
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["name"] == "cup"
    assert stored(tmp_path / "s.db") == 6
    refused = ludus(*arguments, "--episodes", "5")
    assert refused.returncode == 2
    assert "episodes" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1
    other = ludus(*arguments, "--episodes", "5", "--name", "other", "--move-time", "1s")
    assert other.returncode == 0, other.stderr
    assert stored(tmp_path / "s.db") == 16


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "'--game hex' is missing"),
        (["--game", "hex"], "'--agent random' is missing"),
        (["nowhere.toml"], "There is no file nowhere.toml"),
        (["--game", "hex", "--agent", "random"], "double-round-robin"),
        (["--game", "2048", "--agent", "random", "--format", "swiss"], "swiss"),
        (["--game", "hex", "--agent", "random", "--agent", "mc", "--timed", "--workers", "500"], "core of its own"),
        (["--game", "hex", "--agent", "random", "--agent", "mc", "--memory", "much"], "is not a size"),
    ],
)
def test_bad_input_gets_one_sentence(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = ludus("run", *arguments, "--store", str(tmp_path / "s.db"))
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_too_few_openings_and_doubtful_times_are_told(tmp_path: Path) -> None:
    arguments = ["--agent", "random", "--agent", "mcts:time=1ms", "-n", "20", "--opening-plies", "1"]
    done = ludus("run", "--game", "tic-tac-toe", *arguments, "--store", str(tmp_path / "s.db"), columns=200)
    assert "only 9 different openings" in done.stderr
    assert "--timed" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_is_clean_and_the_same_command_goes_on(tmp_path: Path, number: signal.Signals) -> None:
    store = tmp_path / "s.db"
    command = ["run", *OPTIONS, "-n", "3000", "--name", "long", "--store", str(store)]
    process = subprocess.Popen(
        [PROGRAM, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    )
    workers: list[psutil.Process] = []
    while process.poll() is None and (not store.exists() or stored(store) < 100):
        time.sleep(0.1)
        workers = psutil.Process(process.pid).children()
    os.killpg(process.pid, number)  # as a terminal does
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on" in said
    assert "Traceback" not in said
    before = stored(store)
    assert 100 <= before < 18_000
    assert not any(worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE for worker in workers)
    (tmp_path / "rest.toml").write_text("")
    again = ludus(*command)
    assert again.returncode == 0, again.stderr
    assert stored(store) == 18_000
