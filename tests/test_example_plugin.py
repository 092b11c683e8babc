"""The example package, installed beside Ludus: everything that it brings is used."""

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

from ludus.views.boards.colours import FIELD
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
    done = run(home, *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run Ludus with the package installed beside it."""
    return subprocess.run(
        [PROGRAM, *arguments], capture_output=True, text=True, env=environment(home), cwd=home, timeout=PATIENCE
    )


def test_it_is_short() -> None:
    files = [file for file in PACKAGE.rglob("[!t]*") if file.suffix in (".py", ".toml")]  # without its test
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
    options = ["--port", "0", "--fill", "random", "--lobby", "10ms", "-n", "1", "--json"]
    command = [str(PROGRAM), "host", "race", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(home), cwd=home
    ) as process:
        try:
            assert process.stderr is not None
            said = []
            for line in process.stderr:
                said.append(line)
                if found := re.search(r"ws://[\w.:/]+", line):
                    break
            assert found, "".join(said)
            yield process, found[0]
        finally:
            process.kill()


def test_client_joins_a_server(home: Path, server: tuple["subprocess.Popen[str]", str]) -> None:
    process, url = server
    command = ["join", "race", "--url", url, "--key", "anna", "--agent", "race.perfect", "-n", "1", "--json"]
    joined = json.loads(ludus(home, *command, "--store", str(home / "joined.db")))
    hosted = json.loads(process.communicate(timeout=PATIENCE)[0])
    assert process.returncode == 0
    assert [seat["agent"] for seat in hosted["seats"]] == ["remote:anna", "random"]
    assert hosted["scores"] == [1.0, -1.0]
    assert hosted["ending"] == "rules"
    assert not [move for step in hosted["steps"] for move in step if "fault" in move]
    assert joined["place"] == 1
    assert "remote:anna" in ludus(home, "list", "tournaments", "hosted, 2 players")


def test_file_is_imported(home: Path) -> None:
    answer = ludus(home, "store", "import", "game.race")
    found = re.search(r"\d+/\S*\d", answer)
    assert found is not None, answer
    record = json.loads(ludus(home, "replay", found[0], "--json"))
    assert record["game"] == "race"
    assert [move["move"] for step in record["steps"] for move in step] == [
        "1",
        "3",
        "1",
        "3",
        "1",
        "3",
        "1",
        "3",
        "1",
        "3",
        "1",
    ]
    assert record["scores"] == [1.0, -1.0]
    refused = run(home, "store", "import", "bot.py")
    assert refused.returncode == 2
    assert "log of a race" in refused.stderr


def test_board_is_drawn_by_its_painter(home: Path) -> None:
    (home / "game.jsonl").write_text(ludus(home, "play", "race", "race.perfect", "race.perfect", "--json"))
    steps = json.loads((home / "game.jsonl").read_text())["steps"]
    widths = []
    for move in (0, 1, len(steps)):
        ludus(home, "replay", "game.jsonl", "--move", str(move), "-o", "board.svg")
        drawing = (home / "board.svg").read_text()
        assert " of 21" not in drawing, "it is drawn as text"
        widths += [float(found) for found in re.findall(rf'width="([\d.]+)" [^>]*fill="{FIELD}"', drawing)]
    start, first, end = widths
    assert start == 0
    assert first == pytest.approx(end * int(steps[0][0]["move"]) / 21, abs=0.01)


def test_command_answers(home: Path) -> None:
    assert ludus(home, "race", "18") == "3\n"
    assert "TOTAL" in ludus(home, "race", "--help")
    assert run(home, "race", "many").returncode == 2
    (listed,) = [line.split(maxsplit=1) for line in ludus(home, "--help").splitlines() if line.startswith("  race ")]
    assert listed == ["race", "Show what to add at a total."]
