import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.core import TyperGroup

import ludus as package
from ludus.cli import app
from support.places import ROOT
from support.running import PATIENCE, PROGRAM, Terminal, hear_interrupts, ludus, program
from support.sentences import missing
from support.takeaway import write_game

pytestmark = pytest.mark.slow


def test_version_is_printed() -> None:
    done = program("--version")
    assert (done.returncode, done.stdout) == (0, f"ludus {package.__version__}\n")


def test_without_a_command_the_help_is_shown() -> None:
    done = program()
    assert done.returncode == 0
    for command in commands():
        assert f" {command} " in done.stdout


def test_list_of_commands_has_the_summary_of_each() -> None:
    for name, listed in commands().items():
        own = commands(name)[name]
        assert own.help
        assert listed.help == own.help


def commands(*arguments: str) -> dict[str, Any]:
    command: Any = typer.main.get_command(app.app_for(arguments))
    return dict(command.commands)


def test_help_loads_no_library_for_playing() -> None:
    code = "import sys; from ludus.cli.app import app_for; app_for(['--help']); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "typer" in loaded
    assert not {"numba", "polars", "sqlalchemy", "altair"} & set(loaded)


def lines_to_help() -> Iterator[list[str]]:
    """The words of every command, and of every command of a group."""
    for name in commands():
        yield [name]
        command = commands(name)[name]
        if isinstance(command, TyperGroup):
            yield from ([name, inner] for inner in command.list_commands(typer.Context(command)))


@pytest.mark.parametrize("words", list(lines_to_help()), ids=" ".join)
def test_help_of_every_command_has_an_example(words: list[str]) -> None:
    done = ludus(*words, "--help", columns=200)
    assert done.returncode == 0
    assert "Example: " in done.stdout
    example = done.stdout.split("Example: ")[1]
    assert f"ludus {words[0]} " in example or words == ["check", "bot"]


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("frob", "'frob' 'ludus --help'"),
        ("plya", "'plya' 'play' 'replay' 'ludus --help'"),
        ("play", "'GAME' 'ludus play --help'"),
        ("play hex random random --episodes", "'--episodes' 'ludus play --help'"),
        ("scenario run forks --episodes", "'--episodes' 'ludus scenario run --help'"),
        ("play hex random random --seed 99999999999999999999", "99999999999999999999 large"),
        ("play hex random mcts:simulations=9999999999999999", "9999999999999999 large"),
        ("play hex random random --frob", "--frob 'ludus play --help'"),
        ("play hex random random --move-time 5y", "'--move-time' '5y' 250ms"),
        ("play hex random random --policy x", "'--policy' 'x' lose, random, soft"),
        ("play hex random random --policy soft", "'soft' move hard limit"),
        ("play hexx random random", "'hexx' 'hex' 'ludus list games'"),
        ("play hex random rando", "'rando' 'random' 'ludus list agents'"),
        ("play hex:size=99 random random", "hex: size=99 2 19"),
        ("play hex random", "hex 2 agents 1"),
        ("play goofspiel random minimax", "minimax chance goofspiel mcts"),
        ("play connect-four random random --position x/o", "'x/o' connect-four 6 rows 7 letters"),
        ("play nowhere.py random random", f"{Path('nowhere.py').absolute()}"),
        ("replay nowhere.jsonl", "nowhere.jsonl episode"),
    ],
)
def test_mistake_gets_one_sentence_and_status_2(line: str, named: str) -> None:
    done = ludus(*line.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ludus: ")
    assert not missing(done.stderr, named)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "new"),
    [
        ("games", "ludus list games"),
        ("match gomoku", "ludus bot match"),
        ("report 1 -o report.html", "ludus results ID --html FILE"),
        ("export 1", "ludus store export"),
        ("agents", "ludus list agents"),
        ("agents forget strong", "ludus agents delete"),
        ("bot stdio random --game hex", "ludus bot agent stdio"),
        ("play hex random random --board x", "--position"),
    ],
)
def test_command_of_an_earlier_version_names_its_replacement(line: str, new: str) -> None:
    done = ludus(*line.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert f"'{new}'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_every_command_named_in_a_message_exists() -> None:
    groups = {name: [words[1] for words in lines_to_help() if words[0] == name and words[1:]] for name in commands()}
    wrong = []
    for folder in ("src", "benchmarks", "bots", "examples"):
        for file in (ROOT / folder).rglob("*.py"):
            for name, inner in re.findall(r"""['"`]ludus ([a-z]+)(?: ([a-z]+)\b)?""", file.read_text(encoding="utf-8")):
                if name not in groups or (groups[name] and inner and inner not in groups[name]):
                    wrong.append(f"{file}: ludus {name} {inner}")
    assert not wrong


def test_rules_that_do_not_compile_get_one_sentence(tmp_path: Path) -> None:
    file = write_game(tmp_path, ("state.heap[LEFT] -= moves[0]", "state.heap[LEFT] -= moves.wrong"))
    done = program("play", f"{file}", "random", "random")
    assert done.returncode == 2
    assert not missing(done.stderr.splitlines()[-1], "ludus: take-away")
    assert "Traceback" not in done.stderr


def test_error_is_red_on_a_terminal_only() -> None:
    terminal = Terminal("play", "hexx")
    assert terminal.end() == 2
    assert "'hexx'" in terminal.text
    assert "\x1b[31m" in terminal.raw
    assert "\x1b" not in program("play", "hexx").stderr


def test_interrupt_ends_quietly_with_status_130() -> None:
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


def test_closed_pipe_is_not_reported_as_an_error() -> None:
    command = f"{PROGRAM} play tic-tac-toe random random --episodes 2000 --json | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.stdout.startswith('{"format":1')
    assert "Error" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("moment", ["before", "while the command is imported"])
def test_interrupt_while_modules_are_imported_ends_quietly(moment: str) -> None:
    place = "typer" if moment == "before" else "numba"
    code = f"""
import builtins, os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
real = builtins.__import__
def interrupted(name, *rest):
    if name.partition(".")[0] == {place!r}:
        os.kill(os.getpid(), signal.SIGINT)
    return real(name, *rest)
builtins.__import__ = interrupted
sys.argv = ["ludus", "play", "tic-tac-toe", "random", "random"]
from ludus.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_interrupts_that_the_shell_ignores_stay_ignored() -> None:
    code = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
sys.argv = ["ludus", "--version"]
from ludus.cli import main
try:
    main()
finally:
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stderr) == (0, "")


DEEP = 100_000


@pytest.mark.parametrize(
    ("file", "text", "line"),
    [
        ("deep.toml", "x = " + "[" * DEEP, "run"),
        ("deep.toml", "x = " + "[" * DEEP, "scenario run --agent random"),
        ("long.toml", "x = " + "1" * DEEP, "run"),
        ("deep.json", "[" * DEEP, "replay"),
        ("deep.json", '{"format": 1, "x": ' + "[" * DEEP, "replay"),
        ("deep.json", '{"a":' * DEEP, "replay"),
        ("deep.json", '{"a":' * DEEP, "store import"),
        ("deep.json", "[" * DEEP, "store import"),
    ],
)
def test_absurd_file_is_one_sentence(tmp_path: Path, file: str, text: str, line: str) -> None:
    (tmp_path / file).write_text(text)
    done = ludus(*line.split(), str(tmp_path / file), LUDUS_STORE=str(tmp_path / "ludus.db"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("ludus: ")
    assert file in done.stderr
    assert done.stderr.count("\n") == 1
    assert "report" not in done.stderr


@pytest.mark.parametrize("line", ["run", "replay", "store import", "play random random"])
def test_named_pipe_is_refused_and_not_waited_for(tmp_path: Path, line: str) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    command, *rest = line.split()
    arguments = [command, str(pipe), *rest] if command == "play" else [command, *rest, str(pipe)]
    done = ludus(*arguments, LUDUS_STORE=str(tmp_path / "ludus.db"))
    assert done.returncode == 2
    assert "pipe.json" in done.stderr
    assert done.stderr.count("\n") == 1


def test_stream_of_the_shell_is_read() -> None:
    record = ludus("play", "tic-tac-toe", "random", "random", "--json").stdout
    assert program("replay", "/dev/stdin", "--json", said=record).stdout == record


WRONG_GAMES = {
    "take-away are wrong: movers says 2": ("out[0] = state.heap[TURN]", "out[0] = 2 * (state.heap[LEFT] < 5)"),
    "take-away are wrong: movers says -2": ("out[0] = state.heap[TURN]", "out[0] = -2 * (state.heap[LEFT] < 5)"),
    "KeyError: 'x' (take_away.py, line ": (
        "return Heap(np.array([self.size",
        'return {}["x"], Heap(np.array([self.size',
    ),
    "The class TakeAway of take-away has no method draw": ("def draw(self", "def drawn(self"),
}


@pytest.mark.parametrize("words", WRONG_GAMES)
def test_game_that_is_wrong_is_named_with_its_place(tmp_path: Path, words: str) -> None:
    file = write_game(tmp_path, WRONG_GAMES[words])
    done = ludus("play", f"{file}", "random", "random", "--show")
    assert done.returncode in (1, 2)
    complaint = done.stderr.splitlines()[-1]
    assert words in complaint
    assert "report" not in complaint


def test_tracebacks_are_shown_on_request(tmp_path: Path) -> None:
    file = write_game(tmp_path, WRONG_GAMES["KeyError: 'x' (take_away.py, line "])
    assert "Traceback" not in ludus("play", f"{file}", "random", "random").stderr
    done = ludus("play", f"{file}", "random", "random", LUDUS_DEBUG="1")
    assert "Traceback" in done.stderr
    assert "in start" in done.stderr
    assert "Traceback" in ludus("play", "hexx", LUDUS_DEBUG="1").stderr
