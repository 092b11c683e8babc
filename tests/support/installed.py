"""Another package, installed beside Ludus for one test."""

import os
import subprocess
import sys
from pathlib import Path

from support.places import python_path


class Installed:
    """A folder with a distribution beside Ludus, and what Python says there."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.info = folder / "more_games-1.dist-info"

    def install(self, *lines: str) -> None:
        """Install the distribution, with these lines as its entry points."""
        self.info.mkdir(exist_ok=True)
        (self.info / "METADATA").write_text("Metadata-Version: 2.1\nName: more-games\nVersion: 1\n")
        (self.info / "entry_points.txt").write_text("\n".join(lines) + "\n")

    def write(self, name: str, text: str) -> None:
        """Write a module of it."""
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)

    def says(self, script: str, **variables: str) -> list[str]:
        """The lines that a script prints."""
        done = self.run("-c", script, **variables)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run Python where the distribution is installed."""
        environment = {**os.environ, "PYTHONPATH": python_path(self.folder), **variables}
        return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True)
