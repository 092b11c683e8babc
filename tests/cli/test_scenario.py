import json
import os
import re
import signal
import subprocess
import time
import tomllib
from pathlib import Path

import pytest

from ludus.cli import scenario
from ludus.run.scenarios.scenario_run import Bench, Trial
from ludus.run.scenarios.success_rates import Tally
from ludus.run.scenarios.suites import find_suite
from ludus.store import open_store
from ludus.tournaments.tournament import Entrant
from support import simple_agents
from support.running import PROGRAM, Terminal, hear_interrupts, ludus
from support.samples import sample, stored
from support.sentences import missing

SUITE = """
note = "Win at once."
game = "tic-tac-toe"

[[scenario]]
name = "a row"
note = "Two in a row want a third."
position = "xx./oo./..."
success = { best = ["c1"] }

[[scenario]]
name = "a tie"
position = "xox/oox/.xo"
success = { result = "tie" }
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(SUITE)
    return path


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two episodes of Goofspiel."""
    done = ludus("play", "goofspiel:cards=5", "random", "random", "-n", "2", "--seed", "3", "--json")
    path = tmp_path_factory.mktemp("records") / "games.jsonl"
    path.write_text(done.stdout)
    return path


def test_suites_are_listed() -> None:
    done = ludus("scenario", "list")
    assert done.returncode == 0
    for name in ("connect-four-tactics", "gomoku-tactics"):
        assert name in done.stdout
    told = json.loads(ludus("scenario", "list", "--json").stdout)
    assert {row["name"]: row["games"] for row in told}["gomoku-tactics"] == ["gomoku"]
    assert all(row["scenarios"] > 5 and row["note"] for row in told)


def test_positions_are_drawn_with_what_counts_as_success(suite: Path) -> None:
    done = ludus("scenario", "show", str(suite))
    assert done.returncode == 0
    assert done.stdout.startswith("Win at once.\n\na row, tic-tac-toe\nTwo in a row want a third.\n\n      a b c\n")
    assert "\n\nPlayer 1 must play c1.\n" in done.stdout
    assert "\n\nPlayer 1 must win or tie against random.\n" in done.stdout
    told = json.loads(ludus("scenario", "show", str(suite), "--json").stdout)
    assert [scenario["success"] for scenario in told["scenarios"]] == [{"best": ["c1"]}, {"result": "tie"}]
    assert [scenario["seat"] for scenario in told["scenarios"]] == [1, 1]


def test_a_run_tells_how_often_each_agent_succeeds(suite: Path) -> None:
    done = ludus("scenario", "run", str(suite), "--agent", "alphabeta:depth=1", "--agent", "random", "-n", "8")
    assert done.returncode == 0
    assert re.search(r"\nA +alphabeta:depth=1 +100 % +81–100 +\S+ \S+\n", done.stdout)
    assert re.search(r"\na row +100 % 68–100 +\d+ % +\d+–\d+\n", done.stdout)
    assert re.search(r"\na tie +100 % 68–100 +100 % 68–100\n", done.stdout)
    assert "mine: 2 scenarios, 8 episodes of each with each agent, seed 0;" in " ".join(done.stdout.split())


def test_tables_fit_the_terminal_whatever_the_number_of_agents(suite: Path) -> None:
    simple_agents = [word for depth in range(1, 8) for word in ("--agent", f"alphabeta:depth={depth}")]
    done = ludus("scenario", "run", str(suite), *simple_agents, "-n", "1", columns=60)
    assert max(map(len, done.stdout.splitlines())) <= 60
    assert done.stdout.count("a tie") == 3
    assert done.stdout.count("100 %") == 3 * 7


def test_results_and_records_are_kept_in_files(suite: Path, tmp_path: Path) -> None:
    results, records = tmp_path / "results.json", tmp_path / "records.jsonl"
    options = ["-n", "3", "--move-time", "1m", "--json", "-o", str(results), "--records", str(records)]
    done = ludus("scenario", "run", str(suite), "--agent", "alphabeta:depth=1", *options)
    told = json.loads(done.stdout)
    assert json.loads(results.read_text()) == told
    assert (told["suite"], told["seed"], told["limits"]) == ("mine", 0, {"move": 60 * 10**9})
    assert [(row["scenario"], row["successes"], row["episodes"]) for row in told["scenarios"]] == [
        ("a row", 3, 3),
        ("a tie", 3, 3),
    ]
    assert told["agents"][0]["rate"] == 1
    assert len(records.read_text().splitlines()) == 6
    assert ludus("replay", str(records), "--number", "6").returncode == 0


def test_faults_are_reported(suite: Path) -> None:
    done = ludus("scenario", "run", str(suite), "--agent", "random", "-n", "2", "--move-time", "1ns", "--grace", "0ms")
    (reported,) = [line for line in done.stdout.splitlines() if "late" in line]
    assert not missing(reported, "random 4 episodes")


def test_faults_of_opponents_are_reported(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        SUITE.replace("xox/oox/.xo", "xx./oo./...") + f'opponents = "{simple_agents.__file__}:Failing"\n'
    )
    done = ludus("scenario", "run", str(tmp_path / "mine.toml"), "--agent", "random", "-n", "2")
    assert "Opponents of random: failed in 2 episodes" in " ".join(done.stdout.split())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device here that is full")
def test_played_episodes_are_shown_when_records_cannot_be_written(suite: Path) -> None:
    done = ludus("scenario", "run", str(suite), "--agent", "random", "-n", "2", "--records", "/dev/full")
    assert done.returncode == 2
    assert re.search(r"\na row +\d+ %", done.stdout)
    stopped, refused = done.stderr.splitlines()
    assert "1 of 4 episodes" in stopped
    assert "/dev/full" in refused


def test_results_are_shown_though_their_file_cannot_be_written(suite: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    (tmp_path / "results.part.json").mkdir()  # in the way
    done = ludus("scenario", "run", str(suite), "--agent", "random", "-n", "2", "-o", str(results))
    assert done.returncode == 2
    assert re.search(r"\na row +\d+ %", done.stdout)
    assert str(results) in done.stderr


def test_file_of_results_may_be_a_link_but_not_a_device(suite: Path, tmp_path: Path) -> None:
    link, target = tmp_path / "latest.json", tmp_path / "results.json"
    link.symlink_to(target)
    target.write_text("of last week")
    run = ["scenario", "run", str(suite), "--agent", "random", "-n", "1", "-o"]
    assert ludus(*run, str(link)).returncode == 0
    assert link.is_symlink()
    assert json.loads(target.read_text())["suite"] == "mine"
    done = ludus(*run, os.devnull)
    assert done.returncode == 2
    assert os.devnull in done.stderr


@pytest.mark.slow
def test_run_shows_its_progress(suite: Path) -> None:
    terminal = Terminal("scenario", "run", str(suite), "--agent", "mcts:time=50ms", "-n", "20")
    terminal.wait_for("/40 episodes,")
    terminal.wait_for("mine: 2 scenarios")
    assert terminal.end() == 0


@pytest.mark.slow
def test_stopped_run_shows_its_results_so_far_and_keeps_the_old_file(suite: Path, tmp_path: Path) -> None:
    results, records = tmp_path / "results.json", tmp_path / "records.jsonl"
    results.write_text("of last week")
    command = ["scenario", "run", str(suite), "--agent", "mcts:time=20ms", "-n", "100000", "-o", str(results)]
    process = subprocess.Popen(
        [PROGRAM, *command, "--records", str(records)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=hear_interrupts,
    )
    while process.poll() is None and not (records.exists() and records.stat().st_size):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    shown, said = process.communicate(timeout=60)
    assert process.returncode == 130
    done = len(records.read_text().splitlines())
    assert not missing(said, f"{done:,} of 200,000 {results}")
    assert re.search(r"\na row +\d+ %", shown)
    assert re.search(r"\na tie +– –\n", shown)
    assert "up to 100,000 episodes of each" in " ".join(shown.split())
    assert results.read_text() == "of last week"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.toml", "records.jsonl", "results.json"]


def test_counted_episodes_are_kept_when_a_run_is_stopped(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, field, records = find_suite(str(suite)), [Entrant("random", "random")], suite.with_suffix(".jsonl")
    tally = Tally(found, field)

    def add_and_stop(trial: Trial) -> None:
        Tally.add(tally, trial)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(tally, "add", add_and_stop)
    with records.open("w") as kept, pytest.raises(KeyboardInterrupt):
        scenario._play(Bench(found, field), 3, tally, kept)
    assert len(records.read_text().splitlines()) == tally.total(0).episodes == 1


@pytest.mark.slow
def test_no_bar_disturbs_a_person_who_is_the_opponent(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    scenario = 'name = "open"\nposition = "x../.o./..."\nopponents = "human"\nsuccess = { result = "win" }\n'
    path.write_text(f'game = "tic-tac-toe"\n\n[[scenario]]\n{scenario}')
    terminal = Terminal("scenario", "run", str(path), "--agent", "random", "-n", "2")
    for _ in range(2):
        terminal.wait_for("Player 2, your move")
        terminal.type("quit\n")
    assert terminal.end() == 0
    assert "/2 episodes," not in terminal.text


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["show", "conect-four-tactics"], "'conect-four-tactics' 'connect-four-tactics'"),
        (["run", "none.toml", "--agent", "random"], "none.toml"),
        (["run", "gomoku-tactics", "--agent", "random", "--agent", "random"], "random twice"),
        (["run", "gomoku-tactics", "--agent", "random", "--plies", "9"], "--plies"),
        (["run", "gomoku-tactics", "--agent", "random", "--memory", "1GiB"], "memory bots"),
        (["run", "gomoku-tactics", "--agent", "random", "-o", "/no/such/folder/x.json"], "/no/such/folder/x.json"),
        (
            ["run", "gomoku-tactics", "--agent", "random", "-o", "x.json", "--records", "./x.json"],
            "x.json results records two files",
        ),
        (["run", "gomoku-tactics"], "--agent"),
    ],
)
def test_impossible_run_gets_one_sentence(arguments: list[str], named: str) -> None:
    done = ludus("scenario", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert not missing(done.stderr, named)
    assert done.stderr.count("\n") == 1


def test_a_position_is_cut_out_of_a_record(records: Path) -> None:
    done = ludus("scenario", "cut", str(records), "--number", "2", "--move", "2", "--seat", "2", "--result", "tie")
    assert done.returncode == 0
    (scenario,) = tomllib.loads(done.stdout)["scenario"]
    assert scenario["name"] == f"{records}, round 2"
    assert (scenario["game"], scenario["seat"]) == ("goofspiel:cards=5", 2)
    assert scenario["success"] == {"result": "tie"}
    assert scenario["opponents"] == ["random"]


def test_cuts_make_a_suite_that_can_be_run(records: Path, tmp_path: Path) -> None:
    suite = tmp_path / "cuts.toml"
    cut = ["scenario", "cut", str(records), "--seat", "1", "-o", str(suite)]
    done = ludus(*cut, "--move", "1", "--avoid", "1", "--avoid", "2")
    assert not missing(done.stdout, f"{suite} 1 scenario")
    done = ludus(*cut, "--move", "3", "--points", "0.5")
    assert not missing(done.stdout, f"{suite} 2 scenarios")
    done = ludus(*cut, "--move", "3")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--name" in done.stderr
    done = ludus(*cut, "--move", "3", "--name", "again")
    assert not missing(done.stdout, f"{suite} 3 scenarios")
    played = json.loads(ludus("scenario", "run", str(suite), "--agent", "random", "-n", "2", "--json").stdout)
    assert [row["episodes"] for row in played["scenarios"]] == [2, 2, 2]


def test_a_suite_is_never_lost(records: Path, tmp_path: Path) -> None:
    suite = tmp_path / "mine.toml"
    suite.write_text(
        'scenario = [{name = "first", game = "nim", position = "1-3-5-7/1", success = {result = "win"}}]\n'
    )
    before = suite.read_text()
    for option in ("-o", "--records"):
        done = ludus("scenario", "run", str(suite), "--agent", "random", option, str(suite))
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert f"{suite}" in done.stderr
    done = ludus("scenario", "cut", str(records), "--seat", "1", "--move", "1", "-o", str(suite))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert not missing(done.stderr, f"{suite} [[scenario]]")
    assert suite.read_text() == before
    assert list(tmp_path.iterdir()) == [suite]


@pytest.mark.parametrize("begun", ["", 'note = "Mine."', 'game = "nim"\n'])
def test_a_suite_without_scenarios_is_added_to(records: Path, tmp_path: Path, begun: str) -> None:
    suite = tmp_path / "cuts.toml"
    suite.write_text(begun)
    done = ludus("scenario", "cut", str(records), "--seat", "1", "--move", "1", "-o", str(suite))
    assert not missing(done.stdout, f"{suite} 1 scenario"), done.stderr
    assert suite.read_text().startswith(begun)
    assert ludus("scenario", "run", str(suite), "--agent", "random", "-n", "1").returncode == 0


def test_a_position_is_cut_out_of_a_stored_episode(tmp_path: Path) -> None:
    url = str(tmp_path / "ludus.db")
    with open_store(url) as store:
        stored(store)
    done = ludus("scenario", "cut", "one mover at a time/1.2", "--move", "4", "--store", url)
    (scenario,) = tomllib.loads(done.stdout)["scenario"]
    record = sample("one mover at a time").records[1]
    assert (scenario["game"], scenario["seat"]) == (record.game, 2)
    assert f"played {record.steps[3 - len(record.opening.moves)][0].move} here." in scenario["note"]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--move", "2"], "1 and 2 round 2 --seat"),
        (["--move", "99", "--seat", "1"], "99 1 to 5"),
        (["--move", "2", "--seat", "1", "--alive", "3", "--best", "1"], "one success"),
        (["--move", "2", "--seat", "1", "--best", "queen"], "'queen'"),
        (["--seat", "1"], "--move"),
    ],
)
def test_impossible_cut_gets_one_sentence(records: Path, options: list[str], named: str) -> None:
    done = ludus("scenario", "cut", str(records), *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert not missing(done.stderr, named)
    assert done.stderr.count("\n") == 1


def test_file_that_is_not_a_suite_is_not_added_to(records: Path) -> None:
    before = records.read_text()
    done = ludus("scenario", "cut", str(records), "--move", "1", "--seat", "1", "-o", str(records))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert not missing(done.stderr, f"{records} TOML")
    assert records.read_text() == before


def test_every_command_has_help_with_an_example() -> None:
    for command in ("list", "show", "run", "cut"):
        done = ludus("scenario", command, "--help")
        assert (done.returncode, f"Example: ludus scenario {command}" in done.stdout) == (0, True)
