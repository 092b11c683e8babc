import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

import ludus as package
from ludus.cli import app, main
from support.running import PATIENCE, PROGRAM, Terminal, hear_interrupts, program
from support.takeaway import write_game

pytestmark = pytest.mark.slow


def test_the_version_is_told() -> None:
    done = program("--version")
    assert (done.returncode, done.stdout) == (0, f"ludus {package.__version__}\n")


def test_without_a_command_the_help_is_shown() -> None:
    done = program()
    assert done.returncode == 0
    for command in ("games", "agents", "play", "replay", "check"):
        assert f" {command} " in done.stdout


def test_the_help_says_of_every_command_what_its_own_help_says() -> None:
    for name, listed in commands().items():
        own = commands(name)[name]
        assert own.help
        assert listed.help == own.help


def commands(*arguments: str) -> dict[str, Any]:
    command: Any = typer.main.get_command(app.app_for(arguments))
    return dict(command.commands)


def test_the_help_loads_no_library_that_plays() -> None:
    code = "import sys; from ludus.cli.app import app_for; app_for(['--help']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "typer" in loaded
    assert not {"numba", "polars", "sqlalchemy", "altair"} & set(loaded)


@pytest.mark.parametrize("command", ["games", "agents", "play", "replay", "export", "new", "check"])
def test_each_command_helps_with_an_example(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ludus", command, "--help"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 0
    assert "Example: ludus" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("frob", "No such command 'frob'; 'ludus --help' tells how it is used."),
        ("plya", "No such command 'plya'. Did you mean 'play', 'replay'? 'ludus --help' tells how it is used."),
        ("play", "Missing argument 'GAME'; 'ludus play --help' tells how it is used."),
        ("play hex random random --frob", "No such option: --frob; 'ludus play --help' tells how it is used."),
        (
            "play hex random random --move-time 5y",
            "Invalid value for '--move-time' / '-t': 5y is not a time such as 250ms",
        ),
        (
            "play hex random random --policy x",
            "Invalid value for '--policy': 'x' is not one of 'lose', 'random', 'soft'",
        ),
        ("play hex random random --policy soft", "The policy 'soft' needs two limits for a move"),
        ("play hexx random random", "There is no game 'hexx', perhaps you mean 'hex'; 'ludus games' lists them all."),
        (
            "play hex random rando",
            "There is no agent 'rando', perhaps you mean 'random'; 'ludus agents' lists them all.",
        ),
        ("play hex:size=99 random random", "hex: size=99 is not a whole number from 2 to 19."),
        ("play hex random", "hex needs 2 agents, one for each seat, but 1 is given."),
        ("play goofspiel random minimax", "minimax does not support chance; these suit goofspiel: "),
        ("play connect-four random random --position x/o", "connect-four: a position is 6 rows of 7 letters"),
        ("play nowhere.py random random", f"There is no file {Path('nowhere.py').absolute()}."),
        ("replay nowhere.jsonl", "There is no file nowhere.jsonl, and an episode of the store is named "),
    ],
)
def test_a_mistake_gets_one_sentence_and_status_2(
    line: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["ludus", *line.split()])
    with pytest.raises(SystemExit) as caught:
        main()
    printed = capsys.readouterr()
    assert (caught.value.code, printed.out) == (2, "")
    assert printed.err.startswith(f"ludus: {said}")
    assert printed.err.count("\n") == 1


def test_rules_that_do_not_compile_get_one_sentence(tmp_path: Path) -> None:
    file = write_game(tmp_path, ("state.heap[LEFT] -= moves[0]", "state.heap[LEFT] -= moves.wrong"))
    done = program("play", f"{file}", "random", "random")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("ludus: The rules of take-away do not run: ")
    assert "Traceback" not in done.stderr


def test_the_complaint_is_red_on_a_terminal_only() -> None:
    terminal = Terminal("play", "hexx")
    assert terminal.end() == 2
    assert "ludus: There is no game 'hexx'" in terminal.text
    assert "\x1b[31m" in terminal.raw
    assert "\x1b" not in program("play", "hexx").stderr


def test_an_interrupt_ends_quietly_with_status_130() -> None:
    command = [str(PROGRAM), "play", "tic-tac-toe", "random", "random", "--episodes", "10000000", "--json"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hear_interrupts
    )
    assert process.stdout
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in complaint


def test_a_reader_that_goes_away_is_no_error_to_speak_of() -> None:
    command = f"{PROGRAM} play tic-tac-toe random random --episodes 2000 --json | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout.startswith('{"format":1')
    assert "Error" not in done.stderr
    assert "Traceback" not in done.stderr
