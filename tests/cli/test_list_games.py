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
def test_the_list_names_every_game_and_fits_the_terminal(columns: int) -> None:
    done = ludus("list", "games", columns=columns)
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= columns
    for name, cls in classes(Game).items():
        (line,) = [line for line in lines if line.split(" ")[0] == name]
        assert str(cls.most_players) in line


def test_the_list_is_there_as_json() -> None:
    rows = {row["name"]: row for row in json.loads(ludus("list", "games", "--json").stdout)}
    assert list(rows) == list(classes(Game))
    assert rows["goofspiel"]["players"] == [2, 4]
    assert rows["goofspiel"]["simultaneous"] is True


@pytest.mark.slow
def test_a_missing_package_is_told_in_its_row(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(HIDE_CHESS)
    done = program("list", "games", columns=200, PYTHONPATH=python_path(tmp_path))
    needing = [line for line in done.stdout.splitlines() if "Needs" in line]
    assert len(needing) == 1
    assert needing[0].startswith("chess ")
    assert "Needs chess: pip install 'ludus[chess]'." in needing[0]


def test_one_game_is_told_with_parameters_notation_weights_and_start() -> None:
    shown = ludus("list", "games", "connect-four:rows=3,columns=4").stdout
    assert "length     4        a whole number from 2 to 12  stones in a row that win" in shown
    assert "A move is the column, counted from 1." in shown
    assert "one_missing" in shown
    assert "up to 4 moves in a position" in shown
    assert "    . . . .\n    . . . .\n    . . . .\n    1 2 3 4\n" in shown


def test_one_game_is_there_as_json() -> None:
    told = json.loads(ludus("list", "games", "nim:players=3", "--json").stdout)
    assert told["spec"] == "nim:players=3"
    assert told["facts"]["players"] == 3
    assert "players" in [parameter["name"] for parameter in told["parameters"]]


def test_a_game_from_a_file_is_told_too(tmp_path: Path) -> None:
    file = write_game(tmp_path)
    shown = ludus("list", "games", f"{file}:TakeAway:size=4").stdout
    assert shown.startswith("take-away: Who takes the last wins.")
    assert shown.endswith("start\n\n    ||||\n")
