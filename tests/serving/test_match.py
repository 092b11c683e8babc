"""The match as a program: the real command, driven over real pipes."""

import subprocess
import sys
from pathlib import Path

import pytest

BOT = """
import sys
heights, log = [0] * 7, open("told.txt", "a")
for line in sys.stdin:
    word, *rest = line.split()
    if word == "INFO":
        log.write(line)
        log.flush()
        print("OK", flush=True)
    elif word == "END":
        break
    else:
        if word == "TURN":
            heights[int(rest[0]) - 1] += 1
        column = next(i for i in range(7) if heights[i] < 6)
        heights[column] += 1
        print(column + 1, flush=True)
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    for name in ("Bot1", "Bot2"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.py").write_text(BOT)
    return tmp_path


def said(cup: Path, *lines: str) -> list[str]:
    command = [sys.executable, "-m", "ludus", "match", "connect-four", "--folder", str(cup)]
    done = subprocess.run(command, input="".join(f"{line}\n" for line in lines), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_a_match_is_played_and_its_points_are_told(cup: Path) -> None:
    heard = said(cup, "START Bot1 Bot2", "INFO timeout_turn 60000", "INFO match_name final", "BEGIN Bot2")
    assert heard[:5] == ["OK", "OK", "OK", "OK", "FINISH"]
    assert sorted(heard[5:7]) in (["Bot1 -1", "Bot2 1"], ["Bot1 1", "Bot2 -1"])
    assert heard[7:] == ["DONE"]


def test_bots_are_told_what_the_match_was_told(cup: Path) -> None:
    said(cup, "START Bot1 Bot2", "INFO timeout_turn 60000", "INFO match_name final", "INFO lucky 7", "BEGIN Bot1")
    told = (cup / "Bot2" / "told.txt").read_text().splitlines()
    assert {"INFO timeout_turn 60000", "INFO match_name final-seat1", "INFO lucky 7", "INFO seat 1"} <= set(told)


def test_who_is_named_opens(cup: Path) -> None:
    said(cup, "START Bot1 Bot2", "BEGIN Bot2")
    assert "INFO seat 0" in (cup / "Bot2" / "told.txt").read_text().splitlines()


def test_a_start_board_is_taken(cup: Path) -> None:
    board = "......./......./......./o....../o....../ox.xx.x"
    (cup / "board.txt").write_text(board)
    heard = said(cup, "START Bot1 random", "INFO initial_board board.txt", "BEGIN Bot1")
    assert heard[:4] == ["OK", "OK", "OK", "FINISH"]
    assert any(line.startswith("INFO initial_board") for line in (cup / "Bot1" / "told.txt").read_text().splitlines())


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["HELLO"], "'HELLO' is unknown"),
        (["START Bot1 Bot3"], "There is no bot 'Bot3'"),
        (["START Bot1"], "needs 2 agents"),
        (["BEGIN Bot1"], "Nobody is there to play"),
        (["START Bot1 Bot2", "BEGIN Bot3"], "'Bot3' is none of Bot1, Bot2"),
        (["INFO timeout_turn soon"], "timeout_turn is a whole number, not 'soon'"),
        (["INFO timeout_turn"], "INFO needs a key and a value"),
        (["INFO initial_board nowhere.txt"], "cannot be read"),
    ],
)
def test_what_is_wrong_is_said_and_does_no_harm(cup: Path, lines: list[str], words: str) -> None:
    *before, last = said(cup, *lines)
    assert set(before) <= {"OK"}
    assert last.startswith("ERROR ")
    assert words in last
