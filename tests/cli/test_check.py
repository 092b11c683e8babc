import json
from pathlib import Path

import pytest

from ludus.check.steps import Step
from ludus.cli.check import show
from support.checked_bots import write_bot
from support.running import ludus, program
from support.sentences import missing
from support.takeaway import write_game


@pytest.mark.slow
def test_steps_of_a_good_game_are_listed() -> None:
    done = program("check", "game", "tic-tac-toe")
    assert done.returncode == 0, done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines() if "✓" in line] == [
        [str(n), "✓"] for n in range(1, 11)
    ]
    assert "playouts" in done.stdout
    assert "passed" in done.stdout.splitlines()[-1]


@pytest.mark.slow
def test_mistake_is_shown_with_its_fix_and_a_status(tmp_path: Path) -> None:
    done = ludus("check", "game", str(write_game(tmp_path, ("out[1] = -out[0]", "out[1] = out[0]"))), columns=120)
    assert done.returncode == 1
    assert " 2 ✗ " in done.stdout
    (fix,) = [line for line in done.stdout.splitlines() if "→" in line]
    assert not missing(fix, "scores sum 0")
    assert done.stdout.splitlines()[-1].endswith(" step 2.")


@pytest.mark.slow
def test_steps_are_written_as_json(tmp_path: Path) -> None:
    done = ludus("check", "game", str(write_game(tmp_path, ("return state.heap[LEFT] == 0", "return True"))), "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert answer["passed"] is False
    assert [step["number"] for step in answer["steps"]] == list(range(1, 11))
    assert [step["verdict"] for step in answer["steps"]] == ["failed", *["skipped"] * 9]
    assert answer["steps"][0]["problem"]


@pytest.mark.slow
def test_steps_of_a_good_bot_are_listed(tmp_path: Path) -> None:
    done = ludus("check", "bot", write_bot(tmp_path), "--game", "connect-four", "--move-time", "20s")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines() if "✓" in line] == [
        [str(n), "✓"] for n in range(1, 11)
    ]
    assert "20s" in done.stdout
    assert "passed" in done.stdout.splitlines()[-1]
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.slow
def test_mistake_of_a_bot_is_shown_with_its_fix_and_a_status(tmp_path: Path) -> None:
    program = write_bot(tmp_path, ("say(column + 1)", "say(0)"))
    done = ludus("check", "bot", f"stdio:{program}", "--game", "connect-four", "--move-time", "20s")
    assert done.returncode == 1
    lines = [line.strip() for line in done.stdout.splitlines()]
    place = next(number for number, line in enumerate(lines) if line.startswith("3 ✗ "))
    assert not missing(lines[place + 1], "'START' '0'")
    assert not missing(next(line for line in lines if line.startswith("→")), "0 1 4")
    assert lines.count(". . . . . . .") == 6
    assert [line for line in lines if "skipped" in line] == ["steps 4 to 8 were skipped"]
    assert lines[-1].endswith(" step 3.")
    assert max(map(len, done.stdout.splitlines())) <= 80


def step(number: int, verdict: str, problem: str = "") -> Step:
    return Step(number, "it works", verdict, 0.1, problem)  # type: ignore[arg-type]


def test_failed_and_skipped_steps_are_named_together(capsys: pytest.CaptureFixture[str]) -> None:
    waiting, idle = "step 1 must pass first", "it has no text form of a position"
    steps = [step(1, "failed"), step(2, "skipped", waiting), step(3, "failed"), step(4, "skipped", waiting)]
    show([*steps, step(5, "skipped", waiting), step(6, "skipped", idle), step(7, "failed")])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert [line for line in lines if "skipped" in line] == ["step 2 was skipped", "steps 4 and 5 were skipped"]
    assert idle in lines
    assert lines[-1].endswith(" steps 1, 3 and 7.")


@pytest.mark.parametrize("words", [(), ("game",), ("bot",)])
def test_help_has_an_example_of_an_existing_command(words: tuple[str, ...]) -> None:
    shown = " ".join(ludus("check", *words, "--help", columns=120).stdout.split())
    assert f"Example: ludus {'new bot' if words == ('bot',) else 'check game'}" in shown


def test_steps_of_a_bot_are_written_as_json(tmp_path: Path) -> None:
    done = ludus("check", "bot", f"{tmp_path}/mybot --fast", "--game", "gomoku:size=9", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert answer["bot"] == f"stdio:{tmp_path}/mybot --fast"
    assert answer["game"] == "gomoku:size=9"
    assert answer["passed"] is False
    assert [step["verdict"] for step in answer["steps"]] == ["failed", *["skipped"] * 9]


def test_agent_of_ludus_is_not_accepted_as_a_bot() -> None:
    done = ludus("check", "bot", "mcts:simulations=10", "--game", "gomoku")
    assert done.returncode == 2
    assert not missing(done.stderr, "mcts:simulations=10 ./mybot")
    assert done.stderr.count("\n") == 1
