import codecs
import json
import os
import subprocess
from pathlib import Path

import pytest

from ludus.cli.screen import translate_streams
from support.running import PATIENCE, PROGRAM, ludus

GAME = "play tic-tac-toe random random --seed 1"


def into(target: str, line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program with standard output sent to a file."""
    with open(target, "w") as stream:
        return subprocess.run(
            [PROGRAM, *line.split()],
            stdout=stream,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            env=os.environ | environment,
            check=False,
        )


@pytest.mark.slow
@pytest.mark.parametrize("line", ["--help", "list formats", "list formats --json", GAME, f"{GAME} --json"])
def test_full_disk_behind_the_output_is_one_sentence(line: str) -> None:
    done = into("/dev/full", line)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("ludus: The output cannot be written: No space left")
    assert "Exception ignored" not in done.stderr
    assert "report" not in done.stderr


@pytest.mark.slow
def test_terminal_without_the_letters_gets_other_spellings(tmp_path: Path) -> None:
    file = tmp_path / "out.txt"
    name = "Bücher"
    done = into(
        str(file),
        f"run --game tic-tac-toe --agent random --agent minimax:depth=1 --episodes 2 --seed 1 --name {name}",
        PYTHONIOENCODING="ascii",
        LUDUS_STORE=str(tmp_path / "ludus.db"),
    )
    assert (done.returncode, done.stderr) == (0, "")
    text = file.read_text("ascii")
    assert "B?cher" in text
    assert "+/-" in text
    done = into(str(file), "results --json", PYTHONIOENCODING="ascii", LUDUS_STORE=str(tmp_path / "ludus.db"))
    assert done.returncode == 0
    assert json.loads(file.read_text("utf-8"))["tournament"]["name"] == name


def test_every_letter_that_cannot_be_printed_has_a_spelling() -> None:
    translate_streams()
    assert codecs.encode("± 3 … −4 ≥ ü", "ascii", "ludus") == b"+/- 3 ... -4 >= ?"


def test_nothing_that_a_terminal_obeys_comes_from_records_or_arguments(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202egpj"
    record = json.loads(ludus("play", "tic-tac-toe", "random", "random", "--seed", "1", "--json").stdout)
    record["seats"][0] |= {"name": f"x{evil}", "log": evil, "remarks": [evil]}
    for move in record["steps"]:
        move[0]["metrics"] = {f"m{evil}": evil, "n": [evil]}
        move[0] |= {"fault": "late", "evidence": evil}
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps(record, ensure_ascii=False), encoding="utf-8")
    for line in (["replay", str(file), "--log"], ["replay", str(file), "--json"], ["play", f"hex{evil}"], [f"x{evil}"]):
        done = ludus(*line)
        for letter in "\x1b\x07\x9b\u202e":
            assert letter not in done.stdout + done.stderr, line
    assert json.loads(ludus("replay", str(file), "--json").stdout)["seats"][0]["name"] == f"x{evil}"
