"""A wheel that is built from the sdist works in an environment of its own, without the checkout."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

import pytest

from ludus import __version__
from support.places import ROOT
from support.running import PATIENCE

pytestmark = pytest.mark.nightly
_NOT_SOURCES = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("built")
    shutil.copytree(ROOT, folder / "ludus", ignore=_NOT_SOURCES)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", "dist", "ludus"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "dist"


@pytest.fixture(scope="module")
def home(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an environment in `venv`: the wheel, and the other packages of this one, without the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    own = sysconfig.get_path("purelib", vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")})
    Path(own, "shared.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    (wheel,) = dist.glob("*.whl")
    run(folder, f"python -m pip install --quiet --no-index --no-deps --ignore-installed {wheel}")
    return folder


def run(home: Path, line: str) -> str:
    """Run a line of the shell in the environment, and return its standard output."""
    done = subprocess.run(
        line, shell=True, cwd=home, env=variables(home), capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
    return done.stdout


def variables(home: Path) -> dict[str, str]:
    """The variables of the environment."""
    own = {
        "PATH": f"{home / 'venv' / 'bin'}:{os.environ['PATH']}",
        "LUDUS_HOME": str(home / "data"),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # which is how pip reads "none"
    }
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "LUDUS_STORE")} | own


def run_with_steps(home: Path, line: str) -> list[str]:
    """Run a command and then the next steps that it prints, and return these."""
    steps = [step.strip() for step in run(home, line).splitlines() if step.startswith("  ")]
    for step in steps:
        run(home, step)
    return steps


def test_program_comes_from_the_wheel(home: Path) -> None:
    assert run(home, "ludus --version") == f"ludus {__version__}\n"
    place = run(home, "python -c 'import ludus; print(ludus.__file__)'").strip()
    assert Path(place).is_relative_to(home / "venv")


def test_sdist_has_sources_and_tests(dist: Path) -> None:
    (file,) = dist.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "LICENSE", "CHANGELOG.md", "constraints.txt", "Makefile", "bots/c/bot.c"} <= names
    assert {"tests/conftest.py", "tests/support/running.py", "docs/examples/greedy.py"} <= names


def test_game_is_played(home: Path) -> None:
    assert "tic-tac-toe" in run(home, "ludus play tic-tac-toe mcts:simulations=50 random --seed 1")


def test_suite_of_scenarios_is_run(home: Path) -> None:
    assert "connect-four-tactics" in run(home, "ludus scenario list")
    run(home, "ludus scenario run connect-four-tactics --agent random --episodes 1")


def test_shipped_tournament_is_run(home: Path) -> None:
    run(home, "ludus run demo --agent random --agent mc:iterations=5 --episodes 1 --name cup")
    assert "mc:iterations=5" in run(home, "ludus results cup")


def test_game_is_hosted_and_joined(home: Path) -> None:
    host = shlex.split("ludus host speed --port 0 --players 2 --fill speed.basic --lobby 10ms --episodes 1")
    with subprocess.Popen(
        [home / "venv" / "bin" / host[0], *host[1:]], cwd=home, env=variables(home), stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        url = next(found[0] for line in server.stderr if (found := re.search(r"ws://\S+/spe_ed", line)))
        joined = run(home, f"ludus join speed --url {url} --key anna --agent speed.dont-hit --episodes 1 --json")
        assert server.wait(PATIENCE) == 0
    result = json.loads(joined)
    assert sorted(result["players"]) == ["speed.basic", "speed.dont-hit"]
    assert result["remarks"] == []


@pytest.mark.parametrize(
    ("what", "step"),
    [
        ("bot python", "ludus check bot "),
        ("game", "ludus check game "),
        ("agent", "ludus play "),
        ("plugin", "ludus play myplugin "),
    ],
)
def test_starter_and_its_next_steps_work(home: Path, what: str, step: str) -> None:
    steps = run_with_steps(home, f"ludus new {what}")
    assert [line for line in steps if line.startswith(step)], steps
    if what == "plugin":
        assert run(home, "ludus myplugin 18") == "3\n"
