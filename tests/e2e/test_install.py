"""A wheel that is built from the sdist works in an environment of its own, without the checkout.

Packages that Ludus needs are those of this environment, which saves minutes; `test_clean_install.py` installs them.
"""

import json
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

from ludus import __version__
from support.installations import Installation, built, wheel_in
from support.running import PATIENCE

pytestmark = pytest.mark.slow
_NO_INDEX = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    "PIP_NO_BUILD_ISOLATION": "0",  # which is how pip reads "none"
}


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that is built from it."""
    return built(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def home(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """An environment with the wheel, and the other packages of this one, without the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    own = sysconfig.get_path("purelib", vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")})
    Path(own, "shared.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    made = Installation(folder / "venv", folder / "work", _NO_INDEX)
    made.share_compiled()
    made.run(f"python -m pip install --quiet --no-index --no-deps --ignore-installed {wheel_in(dist)}")
    return made


def test_program_comes_from_the_wheel(home: Installation) -> None:
    assert home.run("ludus --version") == f"ludus {__version__}\n"
    place = home.run("python -c 'import ludus; print(ludus.__file__)'").strip()
    assert Path(place).is_relative_to(home.environment)


def test_sdist_has_sources_and_tests(dist: Path) -> None:
    (file,) = dist.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "LICENSE", "CHANGELOG.md", "constraints.txt", "Makefile", "bots/c/bot.c"} <= names
    assert {"tests/conftest.py", "tests/support/running.py", "docs/examples/greedy.py"} <= names


def test_game_is_played(home: Installation) -> None:
    assert "tic-tac-toe" in home.run("ludus play tic-tac-toe mcts:simulations=50 random --seed 1")


def test_suite_of_scenarios_is_run(home: Installation) -> None:
    assert "connect-four-tactics" in home.run("ludus scenario list")
    home.run("ludus scenario run connect-four-tactics --agent random --episodes 1")


@pytest.mark.nightly
def test_shipped_tournament_is_run(home: Installation) -> None:
    home.run("ludus run demo --agent random --agent mc:iterations=5 --episodes 1 --name cup")
    assert "mc:iterations=5" in home.run("ludus results cup")


@pytest.mark.nightly
def test_game_is_hosted_and_joined(home: Installation) -> None:
    host = shlex.split("ludus host speed --port 0 --players 2 --fill speed.basic --lobby 10ms --episodes 1")
    with subprocess.Popen(
        [home.programs / host[0], *host[1:]], cwd=home.folder, env=home.variables(), stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        url = next(found[0] for line in server.stderr if (found := re.search(r"ws://\S+/spe_ed", line)))
        joined = home.run(f"ludus join speed --url {url} --key anna --agent speed.dont-hit --episodes 1 --json")
        assert server.wait(PATIENCE) == 0
    result = json.loads(joined)
    assert sorted(result["players"]) == ["speed.basic", "speed.dont-hit"]
    assert result["remarks"] == []


@pytest.mark.parametrize(
    ("what", "step"),
    [
        ("bot python", "ludus check bot "),
        pytest.param("game", "ludus check game ", marks=pytest.mark.nightly),
        pytest.param("agent", "ludus play ", marks=pytest.mark.nightly),
        pytest.param("plugin", "ludus play myplugin ", marks=pytest.mark.nightly),
    ],
)
def test_starter_and_its_next_steps_work(home: Installation, what: str, step: str) -> None:
    steps = home.run_with_steps(f"ludus new {what}")
    assert [line for line in steps if line.startswith(step)], steps
    if what == "plugin":
        assert home.run("ludus myplugin 18") == "3\n"
