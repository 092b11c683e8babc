import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from support.leftovers import alive, bot, wait_until
from support.places import SUPPORT
from support.running import PATIENCE, PROGRAM, Terminal, hear_interrupts, ludus
from support.sentences import missing
from support.takeaway import write_game

AGENTS = SUPPORT / "simple_agents.py"


def records(*arguments: str) -> list[dict[str, object]]:
    done = ludus("play", *arguments, "--json")
    assert (done.returncode, done.stderr.replace(compiling_message(done.stderr), "")) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def compiling_message(text: str) -> str:
    """The line that a cold cache brings."""
    return next((line + "\n" for line in text.splitlines() if line.startswith("Compiling ")), "")


def moves(record: dict[str, object]) -> list[str]:
    return [move["move"] for step in record["steps"] for move in step]  # type: ignore[attr-defined]


def names(record: dict[str, object]) -> list[str]:
    return [seat["name"] for seat in record["seats"]]  # type: ignore[attr-defined]


def row(text: str, name: str) -> list[str]:
    """The cells of the first table row that begins with a name."""
    return next(line for line in text.splitlines() if line.startswith(f"{name} ")).removeprefix(name).split()


def test_one_episode_ends_in_a_sentence_and_a_table() -> None:
    done = ludus("play", "connect-four", "random", f"{AGENTS}:AlwaysFirst", "--seed", "3", columns=200)
    assert done.returncode == 0
    assert " after " in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[-1] == "connect-four, 1 episode, seed 3."
    table = done.stdout.partition("\n\n")[2]
    assert sorted([*row(table, "random")[:3], *row(table, f"{AGENTS}:AlwaysFirst")[:3]]) == list("000011")


def test_wins_ties_and_losses_of_many_episodes_add_up() -> None:
    done = ludus("play", "tic-tac-toe", "random", "random", "-n", "50", "--seed", "1")
    first, second = row(done.stdout, "random #1"), row(done.stdout, "random #2")
    assert sum(map(int, first[:3])) == 50
    assert (first[0], first[1]) == (second[2], second[1])
    assert float(first[3]) + float(second[3]) == pytest.approx(100, abs=0.11)
    assert ["agent", "seat", "won", "tied", "lost"] in [line.split() for line in done.stdout.splitlines()]
    assert "each agent had each seat 25 times." in " ".join(done.stdout.split())


def test_uneven_rotation_of_seats_is_noted() -> None:
    done = ludus("play", "tic-tac-toe", "random", "random", "-n", "3")
    assert "multiple of 2" in " ".join(done.stdout.split())


def test_seats_rotate_and_a_rotation_shares_its_opening() -> None:
    played = records("nim", "random", "mc:iterations=1", "random", "-n", "6", "--opening-plies", "2", "--seed", "5")
    first, second, third = "random #1", "mc:iterations=1", "random #2"
    assert [names(record) for record in played[:4]] == [
        [first, second, third],
        [second, third, first],
        [third, first, second],
        [first, second, third],
    ]
    openings = [str(record["opening"]) for record in played]
    assert openings[0] == openings[1] == openings[2] != openings[3] == openings[4]
    assert len({record["seed"] for record in played}) == 6


def test_one_seed_gives_the_same_moves_and_another_gives_others() -> None:
    first, again, other = (records("hex:size=4", "random", "random", "--seed", seed) for seed in ("1", "1", "2"))
    assert moves(first[0]) == moves(again[0]) != moves(other[0])


def test_every_position_can_be_shown() -> None:
    position = "xx./oo./..."
    shown = ludus("play", "tic-tac-toe", *[f"{AGENTS}:AlwaysFirst"] * 2, "--show", "--position", position).stdout
    before, after = shown.index("a b c\n    1 x x .\n    2 o o ."), shown.index("a b c\n    1 x x x\n    2 o o .")
    assert before < shown.index("1. ") < after
    assert "turn 1" in shown
    assert "#1 wins after 1 move." in " ".join(shown.split())


def test_points_are_shown_for_a_game_of_one_player() -> None:
    done = ludus("play", "2048", "random", "-n", "5", "--seed", "1")
    assert ["agent", "mean", "median", "best"] in [line.split()[:4] for line in done.stdout.splitlines()]
    mean, median, best, *_ = (float(cell.replace(",", "")) for cell in row(done.stdout, "random")[:3])
    assert best >= max(mean, median) > 100


def test_failing_agent_loses_with_a_reason_and_without_a_traceback() -> None:
    done = ludus("play", "tic-tac-toe", f"{AGENTS}:Failing", "random", columns=200)
    assert done.returncode == 0
    assert re.search(r"failed \(ZeroDivisionError: division by zero \(.*, line \d+\)\)\.$", done.stdout.splitlines()[0])
    assert "failed in 1 episode, first: ZeroDivisionError" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_limits_and_policies_reach_the_referee() -> None:
    sleeper = f"{AGENTS}:Sleeper:ms=30"
    (lost,) = records("tic-tac-toe", sleeper, "random", "--move-time", "1ms", "--grace", "0s")
    assert (lost["ending"], lost["by"]) == ("late", [0])
    (replaced,) = records("tic-tac-toe", sleeper, "random", "--move-time", "1ms", "--grace", "0s", "--policy", "random")
    assert replaced["ending"] == "rules"
    assert '"fault": "late"' in json.dumps(replaced)
    soft = ("--move-time", "1ms", "--hard", "2ms", "--policy", "soft", "--grace", "1ms")
    (out,) = records("tic-tac-toe", sleeper, "random", *soft)
    assert (out["ending"], out["by"]) == ("late", [0])
    (stopped,) = records(
        "hex", "random", "random", "--plies", "4", "--total", "1m", "--increment", "1s", "--prepare", "9m"
    )
    assert (stopped["ending"], stopped["scores"], len(moves(stopped))) == ("plies", [0.0, 0.0], 4)
    assert stopped["limits"] == {
        "preparation": 540 * 10**9,
        "total": 60 * 10**9,
        "increment": 10**9,
        "plies": 4,
    }


def test_limits_of_bots_reach_the_record() -> None:
    limits = ("--cpu", "5m", "--output-limit", "4KiB", "--disk", "1MB", "--files", "32", "--processes", "1")
    (played,) = records("tic-tac-toe", "random", "random", *limits)
    assert played["limits"] == {"cpu": 300 * 10**9, "output": 4096, "files": 32, "processes": 1, "disk": 10**6}


def test_memory_that_cannot_be_limited_is_refused() -> None:
    done = ludus("play", "tic-tac-toe", "random", "random", "--memory", "1GiB")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert not missing(done.stderr, "'ludus play' 'ludus run' memory")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopping_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    folder, temporary = tmp_path / "bot", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    options = ["--opening-plies", "1", "--prepare", "1m"]
    process = subprocess.Popen(
        [PROGRAM, "play", "tic-tac-toe", bot("waits_for_a_sign", folder), "random", *options],
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        preexec_fn=hear_interrupts,
    )
    wait_until(lambda: process.poll() is not None or len(alive(folder)) == 2, PATIENCE)
    assert [file.name for file in temporary.rglob("*.txt")] == ["board.txt"]
    process.send_signal(number)
    said, _ = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, "")
    assert alive(folder) == []
    assert list(temporary.iterdir()) == []


# --- People -------------------------------------------------------------------------------------------------------


def test_a_person_plays_through_a_pipe_and_is_helped() -> None:
    done = ludus("play", "tic-tac-toe", "human", f"{AGENTS}:AlwaysFirst", said="x9\n?\nc1\n\nc2\nc3\n")
    assert done.returncode == 0
    assert "'x9' is not a legal move here: write a move like a1" in done.stderr
    assert "Legal moves:\n  a1  b1  c1" in done.stderr
    assert "Player 2 plays a1." in done.stderr
    assert "human wins after 5 moves." in done.stdout


@pytest.mark.parametrize("said", ["b2\nquit\n", "b2\nresign\n", "b2\n"])
def test_a_person_may_leave_by_word_or_by_the_end_of_input(said: str) -> None:
    done = ludus("play", "tic-tac-toe", "human", "random", "--json", said=said)
    record = json.loads(done.stdout)
    assert (record["ending"], record["by"], record["scores"]) == ("quit", [0], [-1.0, 1.0])


def test_a_person_plays_games_of_chance_with_simultaneous_moves() -> None:
    said = "3\n2\n1\n"
    done = ludus("play", "goofspiel:cards=3", "random", "human", f"{AGENTS}:AlwaysFirst", "--json", said=said)
    record = json.loads(done.stdout)
    assert record["ending"] == "rules"
    assert [move["move"] for step in record["steps"] for move in step if move["seat"] == 1] == ["3", "2", "1"]
    assert "Chance brings " in done.stderr
    assert "Player 3 plays 1." in done.stderr


@pytest.mark.slow
def test_a_person_plays_at_a_terminal() -> None:
    terminal = Terminal("play", "tic-tac-toe", f"{AGENTS}:AlwaysFirst", "human", "--move-time", "1m")
    terminal.wait_for("your move within 1m (or moves, hint, undo, help, quit): ")
    assert "1 x . ." in terminal.text
    terminal.type("a3\n")
    terminal.wait_for("Player 1 plays b1.")
    terminal.wait_for("your move within 1m: ")
    terminal.type("quit\n")
    assert terminal.end() == 0
    assert "wins after 3 moves: human left." in " ".join(terminal.text.split())  # a long path folds the line


@pytest.mark.slow
def test_many_episodes_show_their_progress_on_a_terminal_only() -> None:
    arguments = ("play", "connect-four", "random", "random", "-n", "3000")
    terminal = Terminal(*arguments)
    assert terminal.end() == 0
    assert "/3000 episodes," in terminal.text
    assert "/3000" not in ludus(*arguments).stderr


@pytest.mark.slow
def test_boards_are_coloured_on_terminals_with_colours() -> None:
    arguments = ("play", "connect-four", "random", "random", "--show", "--seed", "1")
    terminal = Terminal(*arguments, COLORTERM="truecolor", TERM="xterm-256color")
    assert terminal.end() == 0
    assert "\x1b[1;38;2;253;253;253;48;2;28;95;166m" in terminal.raw
    plain = Terminal(*arguments, NO_COLOR="1")
    assert plain.end() == 0
    assert not re.search(r"\x1b\[[0-9;]*[34]8?;[25]", plain.raw)
    assert "    1 2 3 4 5 6 7\n" in plain.raw.replace("\r", "")


@pytest.mark.slow
@pytest.mark.parametrize("form", [(), ("--json",)], ids=["tables", "json"])
def test_bot_that_cannot_start_is_an_error_with_its_own_last_words(tmp_path: Path, form: tuple[str, ...]) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nprint('loading', file=sys.stderr)\nraise ValueError('no model file')\n")
    done = ludus("play", "tic-tac-toe", f"stdio:python3 {bot}", "random", "--episodes", "2", *form, columns=300)
    assert done.returncode == 2
    assert not missing(done.stderr.splitlines()[-1], f"python3 {bot} could not start: ValueError: no model file")
    assert done.stdout


@pytest.mark.slow
def test_last_words_of_a_bot_that_fails_later_are_shown(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("input()\nprint('OK', flush=True)\ninput()\nraise ValueError('no idea')\n")
    done = ludus("play", "tic-tac-toe", f"stdio:python3 {bot}", "random", "--seed", "1", columns=300)
    assert "ValueError: no idea" in done.stdout


@pytest.mark.slow
def test_game_whose_rules_fail_in_an_episode_is_one_sentence(tmp_path: Path) -> None:
    format = "def format(self, state, player, move):\n        return str(move) if state.heap[LEFT] > 3 else {}[move]"
    changed = ("    def draw(self", f"    {format}\n\n    def draw(self")
    done = ludus("play", str(write_game(tmp_path, changed)), "random", "random", "--seed", "1")
    assert done.returncode == 2
    assert not missing(done.stderr.splitlines()[-1], "TakeAway KeyError take_away.py, 'ludus check game")
