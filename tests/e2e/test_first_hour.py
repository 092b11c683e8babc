"""The first hour of a student, a teacher and a researcher, as they type it, mistakes included."""

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from support.places import python_path
from support.running import PATIENCE, program

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDUS_STORE", str(tmp_path / "ludus.db"))


def typed(line: str) -> str:
    """The output of a command that works."""
    done = program(*shlex.split(line)[1:], columns=100)
    assert done.returncode == 0, f"{line}: {done.stderr}"
    assert "Traceback" not in done.stderr
    return done.stdout


def mistyped(line: str) -> str:
    """The sentence with which a command is refused."""
    done = program(*shlex.split(line)[1:], columns=100)
    assert done.returncode == 2, f"{line}: {done.stdout}"
    complaint = done.stderr.splitlines()[-1]
    assert complaint.startswith("ludus: ")
    return complaint


def test_student_writes_a_bot_and_plays_a_tournament_with_it() -> None:
    assert "new" in typed("ludus --help")
    *_, check, play = [step.strip() for step in typed("ludus new bot python").splitlines() if step.startswith("  ")]
    assert "All steps passed." in typed(check)
    assert "won" in typed(play)
    assert "1 is given" in mistyped("ludus play connect-four mybot/bot.py")
    assert "mybot/bot.py" in typed("ludus play connect-four mybot/bot.py random -n 2")
    assert "--agent" in mistyped("ludus run connect-four mybot/bot.py random")
    assert "name the file" in mistyped("ludus run --game connect-four --agent ./mybot --agent random")

    bot = Path("mybot/bot.py")
    right = bot.read_text()
    bot.write_text(right.replace("import", "imprt", 1))
    assert "SyntaxError" in mistyped("ludus play connect-four mybot/bot.py random")
    bot.write_text(right)

    run = "ludus run --game connect-four --agent mybot/bot.py --agent random --agent minimax:depth=1 -n 2 --seed 1"
    shown = typed(run)
    assert "Standings" in shown
    assert "mybot/bot.py" in shown
    assert "There were no faults." in typed("ludus results --faults")
    assert "after" in typed("ludus replay 1/1.1")


def test_teacher_runs_a_cup_of_a_folder_and_hands_out_a_report(tmp_path: Path) -> None:
    for name in ("alice", "bob"):
        typed(f"ludus new bot python cup/{name}")
    typed("ludus new bot c cup/carol")
    Path("cup/notes").mkdir()
    cup = "ludus run --folder cup --game connect-four --games 2 --move-time 2s --seed 1"
    done = program(*shlex.split(f"{cup} --name 'Spring cup'")[1:], columns=100)
    assert done.returncode == 0, done.stderr
    assert all(name in done.stdout for name in ("alice", "bob", "Spring cup"))
    assert "cup/carol is left out, because it has bot.c, which is not compiled" in done.stderr
    assert "cup/notes is left out" in done.stderr
    assert {line.split(";")[0] for line in Path("cup/points.csv").read_text().splitlines()} == {"Bot", "alice", "bob"}
    assert "did you mean 'bob'" in mistyped(f"{cup} alice bobb")
    assert "report.txt" in mistyped("ludus results 'Spring cup' --html report.txt")
    typed("ludus results 'Spring cup' --html report.html")
    assert "Spring cup" in Path("report.html").read_text()
    typed("ludus results 'Spring cup' --chart ratings -o ratings.svg")
    assert Path("ratings.svg").read_text().startswith("<svg")


NOTEBOOK = """
import ludus

cup = ludus.load("Nim cup")
assert cup.standings()["agent"].to_list()[0] == "minimax"
assert "<table" in cup._repr_html_()
games = ludus.play("tic-tac-toe", ["mcts:simulations=50", "random"], episodes=4, seed=1)
assert games.table["score"][0] > 0.5
print(games[0].outcome)
"""


def test_researcher_compares_sweeps_exports_and_opens_a_notebook(tmp_path: Path) -> None:
    compare = "ludus compare minimax:depth=3 random --game tic-tac-toe --elo1 200 --seed 1 --json"
    assert json.loads(typed(compare))
    sweep = "ludus sweep tic-tac-toe mcts:simulations=10 --param simulations=1,50 --against random -n 10 --seed 1"
    assert "Best" in typed(f"{sweep} -o s.png")
    assert Path("s.png").read_bytes().startswith(b"\x89PNG")
    assert "'simulations'" in mistyped("ludus sweep tic-tac-toe mcts --param simulation=1,5 --against random -n 2")
    typed("ludus run --game nim --agent minimax --agent random -n 10 --seed 1 --name 'Nim cup'")
    typed("ludus store export 'Nim cup' --csv tables")
    assert pl.read_csv("tables/standings.csv")["agent"].to_list() == ["minimax", "random"]
    assert len(pl.read_csv("tables/episodes.csv")) == 20
    Path("notebook.py").write_text(NOTEBOOK)
    done = subprocess.run(
        [sys.executable, "notebook.py"],
        env=os.environ | {"PYTHONPATH": python_path(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
