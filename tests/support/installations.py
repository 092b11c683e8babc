"""Ludus as it is delivered: the sdist and the wheel of this checkout, and folders in which they are installed."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from ludus.core.paths import cache_folder
from support.places import ROOT
from support.running import PATIENCE

_NOT_SOURCES = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")
_OF_THE_CHECKOUT = ("LUDUS_STORE", "PYTHONPATH")


def built(folder: Path) -> Path:
    """A folder below this one with the sdist and the wheel that is built from it."""
    shutil.copytree(ROOT, folder / "ludus", ignore=_NOT_SOURCES)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", "dist", "ludus"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "dist"


def wheel_in(dist: Path) -> Path:
    """The wheel in a folder."""
    (wheel,) = dist.glob("*.whl")
    return wheel


class Installation:
    """An environment with an installed Ludus, and a folder in which it is used, with data of its own."""

    def __init__(self, environment: Path, folder: Path, variables: Mapping[str, str] | None = None) -> None:
        self.environment = environment
        self.folder = folder
        self.data = folder / "data"
        self._variables = dict(variables or {})
        self.data.mkdir(parents=True)

    @property
    def programs(self) -> Path:
        """The folder of its programs."""
        return self.environment / "bin"

    def share_compiled(self) -> None:
        """Use what the tests have compiled, which saves minutes."""
        cache = cache_folder()
        cache.mkdir(parents=True, exist_ok=True)
        (self.data / "cache").symlink_to(cache)

    def variables(self) -> dict[str, str]:
        """The variables of its processes."""
        own = {"PATH": f"{self.programs}:{os.environ['PATH']}", "LUDUS_HOME": str(self.data), **self._variables}
        return {name: value for name, value in os.environ.items() if name not in _OF_THE_CHECKOUT} | own

    def run(self, line: str) -> str:
        """Run a line of the shell, and return its standard output."""
        done = subprocess.run(
            line, shell=True, cwd=self.folder, env=self.variables(), capture_output=True, text=True, timeout=PATIENCE
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def run_with_steps(self, line: str) -> list[str]:
        """Run a command and then the next steps that it prints, and return these."""
        steps = [step.strip() for step in self.run(line).splitlines() if step.startswith("  ")]
        for step in steps:
            self.run(step)
        return steps
