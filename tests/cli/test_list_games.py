import json
from pathlib import Path

import pytest

from ludus.core.registry import classes
from ludus.games.game import Game
from support.places import python_path
from support.running import ludus, program
from support.takeaway import write_game

HIDE_CHESS = """
import importlib.metadata

find = importlib.metadata.MetadataPathFinder.find_distributions
importlib.metadata.MetadataPathFinder.find_distributions = lambda context=None: [
    found for found in (find(context) if context else find()) if found.metadata["Name"] != "chess"
]
"""


@pytest.mark.parametrize("columns", [80, 120])
def test_list_names_every_game_and_on_a_wide_terminal_its_players(columns: int) -> None:
    done = ludus("list", "games", columns=columns)
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= columns
    for name, cls in classes(Game).items():
        (line,) = [line for line in lines if line.split(" ")[0] == name]
        assert columns < 90 or str(cls.most_players) in line.split()[1]


def test_list_is_available_as_json() -> None:
    rows = {row["name"]: row for row in json.loads(ludus("list", "games", "--json").stdout)}
    assert list(rows) == list(classes(Game))
    assert rows["goofspiel"]["players"] == [2, 4]
    assert rows["goofspiel"]["simultaneous"] is True


@pytest.mark.slow
def test_missing_package_is_named_in_the_row_of_its_game(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(HIDE_CHESS)
    done = program("list", "games", columns=200, PYTHONPATH=python_path(tmp_path))
    needing = [line for line in done.stdout.splitlines() if "pip install" in line]
    assert len(needing) == 1
    assert needing[0].startswith("chess ")
    assert "pip install 'ludus[chess]'" in needing[0]


def test_one_game_is_described_with_parameters_notation_weights_and_start() -> None:
    shown = ludus("list", "games", "connect-four:rows=3,columns=4").stdout
    (length,) = [line.split() for line in shown.splitlines() if line.startswith("length ")]
    assert length[1] == "4"
    assert {"2", "12"} <= set(length)
    assert "A move is the column" in shown.replace("\n", " ")
    assert "one_missing" in shown
    assert "up to 4 moves" in shown
    assert "    . . . .\n    . . . .\n    . . . .\n    1 2 3 4\n" in shown


def test_one_game_is_available_as_json() -> None:
    described = json.loads(ludus("list", "games", "nim:players=3", "--json").stdout)
    assert described["spec"] == "nim:players=3"
    assert described["facts"]["players"] == 3
    assert "players" in [parameter["name"] for parameter in described["parameters"]]


def test_game_from_a_file_is_described_too(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    shown = ludus("list", "games", f"{file}:TakeAway:size=4").stdout
    assert shown.startswith("take-away: ")
    assert shown.endswith("start\n\n    ||||\n")
