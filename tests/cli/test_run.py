import json
import os
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from ludus.episode.cores import usable_cores
from ludus.store import open_store
from ludus.tournaments.plan import make_tournament
from support.running import PROGRAM, ludus
from support.sentences import missing
from support.tournaments import dawdler

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


@pytest.mark.slow
def test_command_line_runs_a_tournament_and_shows_its_results(tmp_path: Path) -> None:
    done = ludus(
        "run", *OPTIONS, "--episodes", "4", "--opening-plies", "1", "--name", "cup", "--store", str(tmp_path / "s.db")
    )
    assert done.returncode == 0, done.stderr
    assert "cup" in done.stdout
    assert "mcts:simulations=20" in done.stdout
    assert stored(tmp_path / "s.db") == 24


def test_file_and_options_that_replace_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text('game = "tic-tac-toe"\nagents = ["random", "mc:iterations=2"]\nepisodes = 3\n')
    arguments = ["run", str(tmp_path / "cup.toml"), "--store", str(tmp_path / "s.db"), "--json", "--workers", "0"]
    first = ludus(*arguments)
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["name"] == "cup"
    assert stored(tmp_path / "s.db") == 6
    longer = ludus(*arguments, "--episodes", "5")
    assert longer.returncode == 0, longer.stderr
    assert stored(tmp_path / "s.db") == 10
    refused = ludus(*arguments, "--episodes", "4")
    assert refused.returncode == 2
    assert "episodes" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1
    other = ludus(*arguments, "--episodes", "5", "--name", "other", "--move-time", "1s")
    assert other.returncode == 0, other.stderr
    assert stored(tmp_path / "s.db") == 20


def test_one_game_of_each_meeting_is_one_whatever_the_file_says(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text('game = "tic-tac-toe"\nagents = ["random", "mc:iterations=2"]\nepisodes = 3\n')
    done = ludus("run", str(tmp_path / "cup.toml"), "--games", "1", "--store", str(tmp_path / "s.db"), "--workers", "0")
    assert done.returncode == 0, done.stderr
    assert stored(tmp_path / "s.db") == 1


def test_options_replace_what_the_file_says_by_defaults_too(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(
        """
        game = "tic-tac-toe"
        agents = ["random", "mc:iterations=2"]
        timed = true
        limits = { policy = "random", move_time = "9s", grace = "2s", total = "99s", increment = "1s" }
        """
    )
    options = ["--policy", "lose", "--grace", "10ms", "--increment", "0s", "--no-timed", "--workers", "0"]
    done = ludus("run", str(tmp_path / "cup.toml"), *options, "--json", "--store", str(tmp_path / "s.db"))
    assert done.returncode == 0, done.stderr
    content = json.loads(done.stdout)
    assert content["tournament"]["limits"] == {"move": 9 * 10**9, "total": 99 * 10**9}
    assert [sitting["timed"] for sitting in content["sittings"]] == [False]


AGENT = """
import sys

from ludus import Agent, Choice


class Mine(Agent):
    "Takes the first move."

    name = "mine"

    def begin(self, game, seat, seed):
        self.game = game

    def choose(self, view, clock):
        print("thinking", file=sys.stderr)
        return Choice(self.game.moves(view.state, view.seat)[0])
"""


def test_changed_agent_is_reported_before_play_begins(tmp_path: Path) -> None:
    file, store = tmp_path / "mine.py", tmp_path / "s.db"
    file.write_text(AGENT)
    command = ["run", "--game", "tic-tac-toe", "--agent", "random", "--agent", str(file), "--store", str(store)]
    with open_store(str(store)) as opened:
        opened.enter(make_tournament("tic-tac-toe", ["random", str(file)], name="one"), {str(file): "another"})
    done = ludus(*command, "--name", "one", "--workers", "0", columns=300)
    assert done.returncode == 0
    before, _, after = done.stderr.partition("thinking")
    assert not missing(before, f"Warning: {file} changed")
    assert "Warning: " not in after


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ([], "--game"),
        (["--game", "hex"], "--agent"),
        (["--game", "hex", "--folder", "bots", "-n", "4"], "'4' --episodes"),
        (["nowhere.toml"], "nowhere.toml"),
        (["--game", "hex", "--agent", "random"], "double-round-robin"),
        (["--game", "2048", "--agent", "random", "--format", "swiss"], "swiss"),
        (["--game", "hex", "--agent", "random", "--agent", "mc", "--timed", "--workers", "500"], "500 workers core"),
        (["--game", "hex", "--agent", "random", "--agent", "mc", "--memory", "much"], "'much' size"),
    ],
)
def test_bad_input_gets_one_sentence(tmp_path: Path, arguments: list[str], named: str) -> None:
    done = ludus("run", *arguments, "--store", str(tmp_path / "s.db"))
    assert done.returncode == 2
    assert not missing(done.stderr, named)
    assert len(done.stderr.strip().splitlines()) == 1


def test_help_says_when_patience_applies() -> None:
    shown = " ".join(ludus("run", "--help").stdout.split("--patience ")[1].split())
    assert not missing(shown.split(" -")[0], "limit 10m")


@pytest.mark.slow
@pytest.mark.skipif(len(usable_cores()) == 1, reason="there is one core only")
def test_too_few_openings_and_doubtful_times_are_reported(tmp_path: Path) -> None:
    arguments = ["--agent", "random", "--agent", "mcts:time=1ms", "--episodes", "20", "--opening-plies", "1"]
    done = ludus("run", "--game", "tic-tac-toe", *arguments, "--store", str(tmp_path / "s.db"), columns=200)
    assert "9 different openings" in done.stderr
    assert "--timed" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_is_clean_and_the_same_command_continues(tmp_path: Path, number: signal.Signals) -> None:
    store = tmp_path / "s.db"
    agents = ["--agent", "random", "--agent", "alphabeta:depth=1", "--agent", dawdler(tmp_path)]
    command = ["run", "--game", "tic-tac-toe", *agents, "--episodes", "100", "--name", "long", "--store", str(store)]
    process = subprocess.Popen(
        [PROGRAM, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0
    )
    workers: list[psutil.Process] = []
    while process.poll() is None and (not store.exists() or stored(store) < 10):
        time.sleep(0.1)
        workers = psutil.Process(process.pid).children()
    os.killpg(process.pid, number)  # as a terminal does
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    before = stored(store)
    assert not missing(said, f"{before} of 600 episodes same command")
    assert 10 <= before < 600
    assert workers
    assert not any(worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE for worker in workers)
    (tmp_path / "go").touch()
    again = ludus(*command)
    assert again.returncode == 0, again.stderr
    assert stored(store) == 600


@pytest.mark.parametrize(("format", "played"), [("swiss:rounds=2", 16), ("gauntlet", 12), ("knockout", 12)])
def test_number_of_games_of_a_pairing_goes_with_every_format(tmp_path: Path, format: str, played: int) -> None:
    agents = ["random", "mc:iterations=2", "alphabeta:depth=1", "alphabeta:depth=2"]
    content = f'game = "tic-tac-toe"\nagents = {agents}\nformat = "{format}"\nepisodes = 3\n'
    (tmp_path / "cup.toml").write_text(content)
    arguments = ["run", str(tmp_path / "cup.toml"), "--store", str(tmp_path / "s.db"), "--workers", "0"]
    done = ludus(*arguments, "-m", "4")
    assert done.returncode == 0, done.stderr
    assert stored(tmp_path / "s.db") == played
    refused = ludus(*arguments, "-m", "3")
    assert refused.returncode == 2
    assert len(refused.stderr.strip().splitlines()) == 1
