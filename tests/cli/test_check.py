import json
from pathlib import Path

import pytest

from ludus.check.steps import Step
from ludus.cli.check import show
from support.checked_bots import write_bot
from support.running import ludus, program
from support.takeaway import write_game


@pytest.mark.slow
def test_good_game_is_told_so_step_by_step() -> None:
    done = program("check", "game", "tic-tac-toe")
    assert done.returncode == 0, done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines() if "✓" in line] == [
        [str(n), "✓"] for n in range(1, 11)
    ]
    assert "playouts a second" in done.stdout
    assert done.stdout.splitlines()[-1] == "All is well."


@pytest.mark.slow
def test_mistake_is_told_with_its_remedy_and_status(tmp_path: Path) -> None:
    done = ludus("check", "game", str(write_game(tmp_path, ("out[1] = -out[0]", "out[1] = out[0]"))), columns=120)
    assert done.returncode == 1
    assert " 2 ✗ " in done.stdout
    assert "which sum to" in done.stdout
    assert "→ scores of several players must sum to 0" in done.stdout
    assert done.stdout.splitlines()[-1] == "Mend step 2."


@pytest.mark.slow
def test_steps_are_given_as_json(tmp_path: Path) -> None:
    done = ludus("check", "game", str(write_game(tmp_path, ("return state.heap[LEFT] == 0", "return True"))), "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert answer["passed"] is False
    assert [step["number"] for step in answer["steps"]] == list(range(1, 11))
    assert answer["steps"][0]["problem"] == "it is over at its start"


@pytest.mark.slow
def test_good_bot_is_told_so_step_by_step(tmp_path: Path) -> None:
    done = ludus("check", "bot", write_bot(tmp_path), "--game", "connect-four", "--move-time", "20s")
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines() if "✓" in line] == [
        [str(n), "✓"] for n in range(1, 11)
    ]
    assert "of the 20s that it has" in done.stdout
    assert done.stdout.splitlines()[-1] == "All is well."
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.slow
def test_mistake_of_a_bot_is_told_with_its_remedy_and_status(tmp_path: Path) -> None:
    program = write_bot(tmp_path, ("say(column + 1)", "say(0)"))
    done = ludus("check", "bot", f"stdio:{program}", "--game", "connect-four", "--move-time", "20s")
    assert done.returncode == 1
    assert " 3 ✗ it opens with a legal move" in done.stdout
    assert "     it answered 'START' with '0', which is not a legal move" in done.stdout
    assert "     → it may count from 0, but the game counts from 1: a legal move is 4" in done.stdout
    assert done.stdout.count("     . . . . . . .") == 6
    assert done.stdout.count("left out") == 1
    assert "     steps 4 to 8 were left out\n" in done.stdout
    assert done.stdout.splitlines()[-1] == "Mend step 3."
    assert max(map(len, done.stdout.splitlines())) <= 80


def step(number: int, verdict: str, problem: str = "") -> Step:
    return Step(number, "it works", verdict, 0.1, problem)  # type: ignore[arg-type]


def test_steps_to_mend_and_those_left_out_are_named_together(capsys: pytest.CaptureFixture[str]) -> None:
    waiting, idle = "step 1 must pass first", "it has no text form of a position"
    steps = [step(1, "failed"), step(2, "skipped", waiting), step(3, "failed"), step(4, "skipped", waiting)]
    show([*steps, step(5, "skipped", waiting), step(6, "skipped", idle), step(7, "failed")])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert "step 2 was left out" in lines
    assert "steps 4 and 5 were left out" in lines
    assert idle in lines
    assert lines[-1] == "Mend steps 1, 3 and 7."


@pytest.mark.parametrize("words", [(), ("game",), ("bot",)])
def test_help_has_an_example_of_a_command_that_there_is(words: tuple[str, ...]) -> None:
    shown = " ".join(ludus("check", *words, "--help", columns=120).stdout.split())
    assert f"Example: ludus {'new bot' if words == ('bot',) else 'check game'}" in shown


def test_steps_of_a_bot_are_given_as_json(tmp_path: Path) -> None:
    done = ludus("check", "bot", f"{tmp_path}/mybot --fast", "--game", "gomoku:size=9", "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert answer["bot"] == f"stdio:{tmp_path}/mybot --fast"
    assert answer["game"] == "gomoku:size=9"
    assert answer["passed"] is False
    assert [step["verdict"] for step in answer["steps"]] == ["failed", *["skipped"] * 9]


def test_agent_of_ludus_is_no_bot() -> None:
    done = ludus("check", "bot", "mcts:simulations=10", "--game", "gomoku")
    assert done.returncode == 2
    assert done.stderr == (
        "ludus: mcts:simulations=10 is an agent of Ludus: a bot is a program of its own, as in ./mybot.\n"
    )
