"""Ludus on every version of Python that it supports and this machine has."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support.installations import Installation, built, wheel_in
from support.places import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.nightly]

QUICK = ("tests/core", "tests/kernel", "tests/episode", "tests/games")
"""Tests of what depends most on the version: the compiler, types and packing."""


def pythons() -> dict[str, str]:
    """A program for each version that the package names and this machine has, on the PATH or from pyenv."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    found = {f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}
    for version in named:
        on_path = shutil.which(f"python{version}")
        kept = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python3"))
        if program := str(kept[-1]) if kept else on_path:
            found.setdefault(version, program)
    return dict(sorted(found.items()))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout."""
    return wheel_in(built(tmp_path_factory.mktemp("built")))


@pytest.fixture(scope="module", params=pythons().items(), ids=lambda found: found[0])
def home(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """An environment of a version of Python, with the wheel and everything that tests need."""
    version, program = request.param
    folder = tmp_path_factory.mktemp(f"python{version}")
    subprocess.run([program, "-m", "venv", folder / "venv"], check=True)
    made = Installation(folder / "venv", folder / "work")
    made.run(f"python -m pip install --quiet -c {ROOT / 'constraints.txt'} '{wheel}[all,dev]'")
    return made


def test_quick_tests_pass(home: Installation) -> None:
    python = str(home.programs / "python")
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow and not nightly", *QUICK]
    done = subprocess.run(command, cwd=ROOT, env=home.variables(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr


def test_tournament_is_played_by_several_processes(home: Installation) -> None:
    agents = "--agent mcts:simulations=50 --agent alphabeta:depth=2 --agent random"
    home.run(f"ludus run --game tic-tac-toe {agents} --episodes 4 --workers 2 --name cup")
    assert "mcts:simulations=50" in home.run("ludus results cup")
