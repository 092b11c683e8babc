import json
from pathlib import Path

import pytest

from ludus.store import open_store
from support.running import ludus
from support.stored_results import play


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two tournaments of two games."""
    file = str(tmp_path_factory.mktemp("store") / "s.db")
    with open_store(file) as opened:
        play(opened, "tic-tac-toe", ["random", "mc:iterations=5"], episodes=3, name="cup")
        play(opened, "nim", ["random", "mc:iterations=5"], episodes=3, name="piles")
    return file


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_ladders_are_shown_game_by_game(store: str, columns: int) -> None:
    shown = ludus("ladder", LUDUS_STORE=store, columns=columns).stdout
    assert [line for line in shown.splitlines() if line in ("tic-tac-toe", "nim")] == ["tic-tac-toe", "nim"]
    assert shown.count("mc:iterations=5") == (4 if columns == 60 else 2)
    assert max(map(len, shown.splitlines())) <= columns


def test_ladder_as_json(store: str) -> None:
    found = json.loads(ludus("ladder", "--game", "nim", "--tau", "1.2", "--json", LUDUS_STORE=store).stdout)
    assert found["tau"] == 1.2
    assert [(row["game"], row["rank"], row["games"]) for row in found["ladder"]] == [("nim", 1, 6), ("nim", 2, 6)]


@pytest.mark.parametrize(
    ("arguments", "named"), [(("--tau", "0"), "tau"), (("--game", "hex"), "hex"), (("nothing",), "nothing")]
)
def test_bad_input_gets_one_sentence(store: str, arguments: tuple[str, ...], named: str) -> None:
    done = ludus("ladder", *arguments, LUDUS_STORE=store)
    assert done.returncode == 2
    assert named in done.stderr


def test_store_without_tournaments_is_told(tmp_path: Path) -> None:
    done = ludus("ladder", LUDUS_STORE=str(tmp_path / "s.db"))
    assert done.returncode == 2
    assert "ludus run" in done.stderr
