import os
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from ludus.agents.agent import agent_from
from ludus.bots.bot import Bot
from ludus.cli.new import STARTERS
from support.places import ROOT
from support.running import ludus, program


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def steps(text: str) -> list[str]:
    """The commands that it says to go on with."""
    return [line.strip() for line in text.splitlines() if line.startswith("  ")]


@pytest.mark.slow
def test_bot_is_written_and_the_next_commands_are_told() -> None:
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


def test_nothing_is_written_over() -> None:
    Path("mybot").mkdir()
    Path("mybot/bot.py").write_text("precious")
    done = ludus("new", "bot", "python")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "ludus: There is mybot/bot.py already: name another folder, as in ludus new bot python secondbot.\n"
    )
    assert Path("mybot/bot.py").read_text() == "precious"


def test_second_language_may_share_the_folder() -> None:
    for language in ("python", "c"):
        assert ludus("new", "bot", language).returncode == 0
    assert {path.name for path in Path("mybot").iterdir()} == {"bot.py", "bot.c"}


@pytest.mark.parametrize("folder", ["file", "file/below"])
def test_folder_that_cannot_be_is_told_in_one_sentence(folder: str) -> None:
    Path("file").write_text("")
    done = ludus("new", "bot", "rust", folder)
    assert done.returncode == 2
    assert done.stderr.startswith("ludus: ")
    assert done.stderr.count("\n") == 1


def test_unknown_language_is_told_with_the_nearest() -> None:
    done = ludus("new", "bot", "pyhton")
    assert done.returncode == 2
    assert done.stderr == (
        "ludus: There is no starter bot in 'pyhton', perhaps you mean 'python'; "
        "there are c, cpp, java, javascript, python, rust.\n"
    )


def test_every_starter_is_packed() -> None:
    setup = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    packed = {place: files for place, files in setup["data-files"].items() if "/bots/" in place}
    assert packed == {
        f"share/ludus/bots/{language}": [f"bots/{language}/{starter.file}"] for language, starter in STARTERS.items()
    }
