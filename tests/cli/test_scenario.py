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


def test_faults_are_told(suite: Path) -> None:
    done = ludus("scenario", "run", str(suite), "--agent", "random", "-n", "2", "--move-time", "1ns", "--grace", "0ms")
    assert "random: too late in 4 episodes." in done.stdout


def test_faults_of_opponents_are_told(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        SUITE.replace("xox/oox/.xo", "xx./oo./...") + f'opponents = "{simple_agents.__file__}:Failing"\n'
    )
    done = ludus("scenario", "run", str(tmp_path / "mine.toml"), "--agent", "random", "-n", "2")
    assert "Opponents of random: failed in 2 episodes, which may be why it succeeded." in " ".join(done.stdout.split())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device here that is full")
def test_what_was_played_is_shown_when_records_cannot_be_written(suite: Path) -> None:
    done = ludus("scenario", "run", str(suite), "--agent", "random", "-n", "2", "--records", "/dev/full")
    assert done.returncode == 2
    assert re.search(r"\na row +\d+ %", done.stdout)
    assert done.stderr.startswith("Stopped. 1 of 4 episodes were played.\n")
    assert done.stderr.endswith("ludus: /dev/full cannot be written: No space left on device.\n")


def test_results_are_shown_though_their_file_cannot_be_written(suite: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    (tmp_path / "results.json.part").mkdir()  # in the way
    done = ludus("scenario", "run", str(suite), "--agent", "random", "-n", "2", "-o", str(results))
    assert done.returncode == 2
    assert re.search(r"\na row +\d+ %", done.stdout)
    assert " ".join(done.stderr.split()) == f"ludus: {results} cannot be written: Is a directory."


def test_a_file_of_results_may_be_a_link_but_no_device(suite: Path, tmp_path: Path) -> None:
    link, target = tmp_path / "latest.json", tmp_path / "results.json"
    link.symlink_to(target)
    target.write_text("of last week")
    run = ["scenario", "run", str(suite), "--agent", "random", "-n", "1", "-o"]
    assert ludus(*run, str(link)).returncode == 0
    assert link.is_symlink()
    assert json.loads(target.read_text())["suite"] == "mine"
    done = ludus(*run, os.devnull)
    assert done.returncode == 2
    assert f"{os.devnull} cannot be written: it is no ordinary file." in " ".join(done.stderr.split())


@pytest.mark.slow
def test_a_run_shows_how_far_it_is(suite: Path) -> None:
    terminal = Terminal("scenario", "run", str(suite), "--agent", "mcts:time=50ms", "-n", "20")
    terminal.wait_for("/40 episodes,")
    terminal.wait_for("mine: 2 scenarios")
    assert terminal.end() == 0


@pytest.mark.slow
def test_a_run_that_is_stopped_shows_what_is_done_and_keeps_the_old_results(suite: Path, tmp_path: Path) -> None:
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
    shown, told = process.communicate(timeout=60)
    assert process.returncode == 130
    done = len(records.read_text().splitlines())
    assert f"Stopped. {done:,} of 200,000 episodes were played, so {results} was not written.\n" in told
    assert re.search(r"\na row +\d+ %", shown)
    assert re.search(r"\na tie +– –\n", shown)
    assert "up to 100,000 episodes of each" in " ".join(shown.split())
    assert results.read_text() == "of last week"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.toml", "records.jsonl", "results.json"]


def test_what_is_counted_is_kept_when_it_is_stopped_in_between(suite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    ("arguments", "said"),
    [
        (["show", "conect-four-tactics"], "There is no suite 'conect-four-tactics', perhaps you mean"),
        (["run", "none.toml", "--agent", "random"], "There is no file none.toml."),
        (["run", "gomoku-tactics", "--agent", "random", "--agent", "random"], "random is named twice"),
        (["run", "gomoku-tactics", "--agent", "random", "--plies", "9"], "No such option: --plies"),
        (["run", "gomoku-tactics", "--agent", "random", "--memory", "1GiB"], "the memory of bots alone"),
        (
            ["run", "gomoku-tactics", "--agent", "random", "-o", "/no/such/folder/x.json"],
            "/no/such/folder/x.json cannot be",
        ),
        (
            ["run", "gomoku-tactics", "--agent", "random", "-o", "x.json", "--records", "./x.json"],
            "x.json cannot hold both the results and the records: name two files.",
        ),
        (["run", "gomoku-tactics"], "Missing option '--agent'"),
    ],
)
def test_what_cannot_be_run_gets_one_sentence(arguments: list[str], said: str) -> None:
    done = ludus("scenario", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
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
    assert ludus(*cut, "--move", "1", "--avoid", "1", "--avoid", "2").stdout == f"{suite} has 1 scenario now.\n"
    assert ludus(*cut, "--move", "3", "--points", "0.5").stdout == f"{suite} has 2 scenarios now.\n"
    done = ludus(*cut, "--move", "3")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "already: give it another name with --name." in done.stderr
    assert ludus(*cut, "--move", "3", "--name", "again").stdout == f"{suite} has 3 scenarios now.\n"
    told = json.loads(ludus("scenario", "run", str(suite), "--agent", "random", "-n", "2", "--json").stdout)
    assert [row["episodes"] for row in told["scenarios"]] == [2, 2, 2]


def test_a_suite_is_never_lost(records: Path, tmp_path: Path) -> None:
    suite = tmp_path / "mine.toml"
    suite.write_text(
        'scenario = [{name = "first", game = "nim", position = "1-3-5-7/1", success = {result = "win"}}]\n'
    )
    before = suite.read_text()
    for option in ("-o", "--records"):
        done = ludus("scenario", "run", str(suite), "--agent", "random", option, str(suite))
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "is the suite itself, which would be lost: name another file." in done.stderr
    done = ludus("scenario", "cut", str(records), "--seat", "1", "--move", "1", "-o", str(suite))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert "cannot take another scenario: write its scenarios as [[scenario]] tables." in done.stderr
    assert suite.read_text() == before
    assert list(tmp_path.iterdir()) == [suite]


@pytest.mark.parametrize("begun", ["", 'note = "Mine."', 'game = "nim"\n'])
def test_a_suite_without_scenarios_is_added_to(records: Path, tmp_path: Path, begun: str) -> None:
    suite = tmp_path / "cuts.toml"
    suite.write_text(begun)
    done = ludus("scenario", "cut", str(records), "--seat", "1", "--move", "1", "-o", str(suite))
    assert done.stdout == f"{suite} has 1 scenario now.\n", done.stderr
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
    ("options", "said"),
    [
        (["--move", "2"], "Seats 1 and 2 move in round 2"),
        (["--move", "99", "--seat", "1"], "There is no round 99: the episode has rounds 1 to 5."),
        (["--move", "2", "--seat", "1", "--alive", "3", "--best", "1"], "one kind of success"),
        (["--move", "2", "--seat", "1", "--best", "queen"], "'queen' is not a legal move here"),
        (["--seat", "1"], "Missing option '--move'"),
    ],
)
def test_what_cannot_be_cut_gets_one_sentence(records: Path, options: list[str], said: str) -> None:
    done = ludus("scenario", "cut", str(records), *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_file_that_is_no_suite_is_not_added_to(records: Path) -> None:
    before = records.read_text()
    done = ludus("scenario", "cut", str(records), "--move", "1", "--seat", "1", "-o", str(records))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is not TOML" in done.stderr
    assert records.read_text() == before


def test_every_command_has_help_with_an_example() -> None:
    for command in ("list", "show", "run", "cut"):
        done = ludus("scenario", command, "--help")
        assert (done.returncode, f"Example: ludus scenario {command}" in done.stdout) == (0, True)
