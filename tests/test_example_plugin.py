"""The example package, installed beside Ludus: each of the eight things that it brings is used."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.installed import Installed
from support.places import python_path
from support.running import PATIENCE, PROGRAM

pytestmark = pytest.mark.slow

PACKAGE = Path(__file__).parents[1] / "examples" / "plugin"
BOT = """
for line in iter(input, ""):
    print((21 - int(line)) % 4 or 1, flush=True)
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, and beside it what an installer notes of it."""
    folder = tmp_path_factory.mktemp("plugin")
    installed = Installed(folder / "site")
    shutil.copytree(PACKAGE / "race", installed.folder / "race")
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    lines = []
    for group, names in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in names.items())]
    installed.install(*lines)
    (folder / "bot.py").write_text(BOT)
    (folder / "game.race").write_text("race 1 3 1 3 1 3 1 3 1 3 1\n")
    return folder


def environment(home: Path) -> dict[str, str]:
    return os.environ | {"PYTHONPATH": python_path(home / "site"), "LUDUS_STORE": str(home / "store.db")}


def ludus(home: Path, *arguments: str) -> str:
    """The output of Ludus with the package installed beside it."""
    done = subprocess.run(
        [PROGRAM, *arguments], capture_output=True, text=True, env=environment(home), cwd=home, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_is_short() -> None:
    files = [file for file in PACKAGE.rglob("*") if file.suffix in (".py", ".toml")]
    assert sum(len(file.read_text().splitlines()) for file in files) < 200


def test_game_and_agent_are_played(home: Path) -> None:
    record = json.loads(ludus(home, "play", "race", "race.perfect", "random", "--json"))
    assert record["scores"] == [1.0, -1.0]
    assert "race" in ludus(home, "list", "games")
    assert "race.perfect" in ludus(home, "list", "agents")


def test_bot_speaks_its_protocol(home: Path) -> None:
    record = json.loads(ludus(home, "play", "race", f"totals:{sys.executable} bot.py", "random", "--json"))
    assert record["scores"] == [1.0, -1.0]
    assert all("fault" not in move for step in record["steps"] for move in step)


@pytest.fixture
def server(home: Path) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """A server that plays one game and fills places at random, and its address."""
    options = ["--port", "0", "--fill", "random", "--lobby", "10ms", "--games", "1", "--json"]
    command = [str(PROGRAM), "host", "race", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(home), cwd=home
    ) as process:
        try:
            assert process.stderr is not None
            yield process, next(found[0] for line in process.stderr if (found := re.search(r"ws://[\w.:]+", line)))
        finally:
            process.kill()


def test_client_joins_a_server(home: Path, server: tuple["subprocess.Popen[str]", str]) -> None:
    process, url = server
    joined = ludus(home, "join", "race", "--url", url, "--key", "anna", "--agent", "race.perfect", "--games", "1")
    assert "place 1 of 2" in joined
    out, _ = process.communicate(timeout=PATIENCE)
    record = json.loads(out)
    assert [seat["agent"] for seat in record["seats"]] == ["remote:anna", "random"]
    assert record["scores"] == [1.0, -1.0]


def test_file_is_imported_and_its_board_drawn(home: Path) -> None:
    episode = re.search(r"is episode (\S+?)\.?\n", ludus(home, "store", "import", "game.race"))
    assert episode is not None
    ludus(home, "replay", episode[1], "-o", "board.svg")
    assert "21 of 21" not in (home / "board.svg").read_text(), "it is drawn as text"


def test_command_answers(home: Path) -> None:
    assert ludus(home, "race", "18") == "3\n"
    assert "Show what to add at a total" in ludus(home, "--help")
