import json
from pathlib import Path

from cli.running import ludus
from takeaway import write_game


def test_good_game_is_told_so_step_by_step() -> None:
    done = ludus("check", "game", "tic-tac-toe")
    assert done.returncode == 0, done.stderr
    assert [line.split()[:2] for line in done.stdout.splitlines() if "✓" in line] == [
        [str(n), "✓"] for n in range(1, 11)
    ]
    assert "playouts a second" in done.stdout
    assert done.stdout.splitlines()[-1] == "All is well."


def test_mistake_is_told_with_its_remedy_and_status(tmp_path: Path) -> None:
    done = ludus("check", "game", str(write_game(tmp_path, ("out[1] = -out[0]", "out[1] = out[0]"))), columns=120)
    assert done.returncode == 1
    assert " 2 ✗ " in done.stdout
    assert "which sum to" in done.stdout
    assert "→ scores of several players sum to 0" in done.stdout
    assert done.stdout.splitlines()[-1] == "Mend step 2."


def test_steps_are_given_as_json(tmp_path: Path) -> None:
    done = ludus("check", "game", str(write_game(tmp_path, ("return state.heap[LEFT] == 0", "return True"))), "--json")
    answer = json.loads(done.stdout)
    assert done.returncode == 1
    assert answer["passed"] is False
    assert [step["number"] for step in answer["steps"]] == list(range(1, 11))
    assert answer["steps"][0]["problem"] == "it is over at its start"
