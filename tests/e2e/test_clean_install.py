"""The wheel, installed by pipx and by uv with all that it needs from the index, as users install it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludus import __version__
from support.installations import Installation, built, wheel_in
from support.pages import Page

pytestmark = [pytest.mark.slow, pytest.mark.nightly]

_TOOLS = Path(sys.executable).parent
INSTALLERS = {
    "pipx": (
        [str(_TOOLS / "pipx"), "install", "--python", sys.executable],
        {"PIPX_HOME": "tools", "PIPX_BIN_DIR": "programs", "PIPX_MAN_DIR": "manual"},
        "tools/venvs/ludus",
    ),
    "uv": (
        [str(_TOOLS / "uv"), "tool", "install", "--python", sys.executable],
        {"UV_TOOL_DIR": "tools", "UV_TOOL_BIN_DIR": "programs"},
        "tools/ludus",
    ),
}
"""The command of each installer, the variables with its folders, and the environment that it makes."""
EXTRAS = "charts,video"
"""The extras that the README names."""
PAGES = ("README.md", "docs/scenarios.md", "docs/start/bot-author.md")


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel."""
    return built(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module", params=list(INSTALLERS))
def home(request: pytest.FixtureRequest, dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """An environment that an installer made."""
    command, places, environment = INSTALLERS[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    variables = os.environ | {name: str(folder / place) for name, place in places.items()}
    done = subprocess.run(
        [*command, f"{wheel_in(dist)}[{EXTRAS}]"], env=variables, cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    shown = subprocess.run([folder / "programs" / "ludus", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout == f"ludus {__version__}\n"
    return Installation(folder / environment, folder / "work")


def test_nothing_comes_from_the_checkout(home: Installation) -> None:
    script = "import ludus, numba, polars; print(ludus.__file__, numba.__file__, polars.__file__, sep='\\n')"
    places = home.run(f'python -c "{script}"').splitlines()
    assert [place for place in places if not Path(place).is_relative_to(home.environment)] == []


@pytest.mark.parametrize("language", ["c", "cpp", "java", "javascript", "python", "rust"])
def test_starter_bot_is_made_and_python_ones_are_checked(home: Installation, language: str) -> None:
    home.run(f"ludus new bot {language} {language}")
    if language == "python":
        home.run("ludus check bot 'stdio:python3 python/bot.py' --game connect-four")


@pytest.mark.parametrize("suite", ["connect-four-tactics", "gomoku-tactics", "speed-dead-ends", "speed-jumps"])
def test_scenarios_are_run(home: Installation, suite: str) -> None:
    assert suite in home.run("ludus scenario list")
    home.run(f"ludus scenario run {suite} --agent random --episodes 1")


@pytest.mark.parametrize("page", PAGES)
def test_examples_of_the_docs_work(
    home: Installation, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDUS_HOME", str(home.data))
    Page(page, tmp_path, monkeypatch, home.programs).carry_out()
