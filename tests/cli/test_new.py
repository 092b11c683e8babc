import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ludus.agents.agent import agent_from
from ludus.bots.bot import Bot
from ludus.cli.new import STARTERS
from support.installed import Installed
from support.places import ROOT
from support.running import PATIENCE, ludus, program
from support.sentences import missing


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def steps(text: str) -> list[str]:
    """The commands that are shown as next steps."""
    return [line.strip() for line in text.splitlines() if line.startswith("  ")]


@pytest.mark.slow
def test_bot_is_written_and_the_next_commands_are_shown() -> None:
    done = program("new", "bot", "python")
    assert (done.returncode, done.stderr) == (0, "")
    assert Path("mybot/bot.py").read_text() == (ROOT / "bots" / "python" / "bot.py").read_text()
    assert steps(done.stdout) == [
        "ludus check bot 'stdio:python3 ./mybot/bot.py' --game connect-four",
        "ludus play connect-four 'stdio:python3 ./mybot/bot.py' random",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("language", STARTERS)
def test_next_commands_name_the_bot_that_was_written(language: str) -> None:
    done = ludus("new", "bot", language, "my first bot")
    *compiling, check, _ = steps(done.stdout)
    bot = agent_from(shlex.split(check)[3])
    assert isinstance(bot, Bot)
    program = Path(bot.argv()[-1])
    if not compiling:
        assert os.access(program, os.X_OK)
        return
    if shutil.which(compiling[0].split()[0]) is None:
        pytest.skip(f"there is no {compiling[0].split()[0]}")
    subprocess.run(compiling[0], shell=True, check=True)
    assert program.is_file()
    assert program.parent == Path("my first bot")


@pytest.mark.parametrize(("language", "file"), [("C++", "bot.cpp"), ("js", "bot.js"), ("Python", "bot.py")])
def test_language_has_its_usual_names(language: str, file: str) -> None:
    ludus("new", "bot", language, "there")
    assert [path.name for path in Path("there").iterdir()] == [file]


def test_existing_file_is_kept() -> None:
    Path("mybot").mkdir()
    Path("mybot/bot.py").write_text("precious")
    done = ludus("new", "bot", "python")
    assert (done.returncode, done.stdout) == (2, "")
    assert not missing(done.stderr, "mybot/bot.py exists secondbot")
    assert Path("mybot/bot.py").read_text() == "precious"


def test_second_language_may_share_the_folder() -> None:
    for language in ("python", "c"):
        assert ludus("new", "bot", language).returncode == 0
    assert {path.name for path in Path("mybot").iterdir()} == {"bot.py", "bot.c"}


@pytest.mark.parametrize("folder", ["file", "file/below"])
def test_impossible_folder_is_reported_in_one_sentence(folder: str) -> None:
    Path("file").write_text("")
    done = ludus("new", "bot", "rust", folder)
    assert done.returncode == 2
    assert done.stderr.startswith("ludus: ")
    assert done.stderr.count("\n") == 1


def test_unknown_language_is_reported_with_the_nearest() -> None:
    done = ludus("new", "bot", "pyhton")
    assert done.returncode == 2
    assert not missing(done.stderr, "'pyhton' 'python' c, cpp, java, javascript, python, rust")
    assert done.stderr.count("\n") == 1


def test_every_starter_is_packed() -> None:
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packed = [file for files in setup["data-files"].values() for file in files]
    assert {f"bots/{language}/{starter.file}" for language, starter in STARTERS.items()} <= set(packed)
    for place, files in setup["data-files"].items():
        for file in files:
            assert f"share/ludus/{Path(file).parent}" == place
            assert list(ROOT.glob(file)), file


def run_steps(text: str) -> None:
    """Carry out the next steps that were printed; the last one runs the tests that were written too."""
    *commands, test = steps(text)
    for step in commands:
        done = ludus(*shlex.split(step)[1:])
        assert done.returncode == 0, f"{step}: {done.stdout}{done.stderr}"
    done = subprocess.run(
        [sys.executable, *shlex.split(test)[1:]], capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    assert re.search(r"Ran [23] tests", done.stderr)


@pytest.mark.slow
def test_new_game_passes_its_check_and_can_be_played() -> None:
    done = ludus("new", "game")
    assert (done.returncode, done.stderr) == (0, "")
    assert [shlex.split(step)[1:4] for step in steps(done.stdout)] == [
        ["check", "game", "./mygame.py"],
        ["play", "./mygame.py", "mcts:time=100ms"],
        ["./test_mygame.py"],
    ]
    run_steps(done.stdout)


@pytest.mark.slow
def test_new_agent_plays_better_than_chance() -> None:
    done = ludus("new", "agent", "my folder/agent.py")
    assert (done.returncode, done.stderr) == (0, "")
    run_steps(done.stdout)
    records = ludus("play", "connect-four", "my folder/agent.py", "random", "--episodes", "20", "--seed", "1", "--json")
    scores = [json.loads(line) for line in records.stdout.splitlines()]
    wins = sum(record["scores"][number % 2] > 0 for number, record in enumerate(scores))
    assert (len(scores), wins > 15) == (20, True)


@pytest.mark.slow
def test_new_plugin_is_a_package_with_its_own_name() -> None:
    done = ludus("new", "plugin", "My-Games")
    assert (done.returncode, done.stderr) == (0, "")
    install, *played, test = steps(done.stdout)
    assert install.endswith("pip install -e ./My-Games")
    assert played == ["ludus check game my-games", "ludus play my-games my-games.perfect random --show"]
    assert test.endswith(" ./My-Games/test_my_games.py")
    files = [file for file in Path("My-Games").rglob("*") if file.is_file()]
    assert {file.name for file in files} >= {"pyproject.toml", "__init__.py", "game.py"}
    assert not [file for file in files if re.search(r"\b(test_)?race|Race", file.read_text())]
    project = tomllib.loads(Path("My-Games/pyproject.toml").read_text())["project"]
    assert project["name"] == "ludus-my_games"
    installed = Installed(Path("site"))
    shutil.copytree("My-Games/my_games", "site/my_games")
    lines = []
    for group, found in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in found.items())]
    installed.install(*lines)
    done = installed.run("-m", "ludus", *shlex.split(played[1])[1:])
    assert done.returncode == 0, done.stderr
    assert "my-games.perfect wins" in done.stdout
    done = installed.run(*shlex.split(test)[1:])
    assert done.returncode == 0, done.stderr
    assert "Ran 2 tests" in done.stderr


@pytest.mark.parametrize("what", ["game", "agent"])
def test_game_or_agent_never_replaces_a_file(what: str) -> None:
    Path("mine.py").write_text("precious")
    done = ludus("new", what, "mine.py")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "mine.py exists" in done.stderr
    assert Path("mine.py").read_text() == "precious"
    Path("test_second.py").write_text("precious too")
    done = ludus("new", what, "second.py")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "test_second.py exists" in done.stderr
    assert not Path("second.py").exists()
    done = ludus("new", what, "mine.txt")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert not Path("mine.txt").exists()


@pytest.mark.parametrize("folder", ["there", "class", "my.games", "3d", "json", "hex"])
def test_impossible_plugin_is_refused_and_nothing_written(folder: str) -> None:
    Path("there").mkdir()
    done = ludus("new", "plugin", folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert list(Path().rglob("*")) == [Path("there")]
