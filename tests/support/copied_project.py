"""A copy of the project that lacks some of its files, and what pytest says there."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from support.places import ROOT

_PARTS = (
    "benchmarks",
    "bots",
    "docs",
    "examples",
    "src",
    "tests",
    "pyproject.toml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
)


class CopiedProject:
    """A copy of the sources, tests and documents, which is installed for the programs that it runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        for part in _PARTS:
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
            else:
                shutil.copy(ROOT / part, folder / part)

    def remove_contest(self, name: str, pages: str) -> None:
        """Remove a contest: its package, tests, examples, pages (a pattern) and entry points."""
        shutil.rmtree(self._folder / "src" / "ludus" / "contests" / name)
        shutil.rmtree(self._folder / "tests" / "contests" / name)
        for example in (self._folder / "examples").rglob(f"{name}-*"):
            example.unlink()
        for page in (self._folder / "docs").glob(pages):
            page.unlink()
        project = self._folder / "pyproject.toml"
        lines = project.read_text(encoding="utf-8").splitlines(keepends=True)
        entry = re.compile(rf'\w+ = "ludus\.contests\.{name}\b')
        project.write_text("".join(line for line in lines if not entry.match(line)), encoding="utf-8")
        self._install()
        for program in ("docs/tree.py", "docs/reference.py"):
            self.run(program).check_returncode()

    def _install(self) -> None:
        """Let the entry points of the copy hide those of the project: the first on Python's path counts."""
        project = tomllib.loads((self._folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        lines = ["[console_scripts]", *(f"{name} = {value}" for name, value in project["scripts"].items())]
        for group, entries in project["entry-points"].items():
            lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
        info = self._folder / "src" / "ludus-0.dist-info"
        info.mkdir()
        about = ["Metadata-Version: 2.1", "Name: ludus", "Version: 0"]
        for extra, needs in project["optional-dependencies"].items():
            about += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {need}; extra == '{extra}'" for need in needs)]
        (info / "METADATA").write_text("\n".join(about) + "\n")
        (info / "entry_points.txt").write_text("\n".join(lines) + "\n")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run Python in the copy."""
        environment = os.environ | {"PYTHONPATH": str(self._folder / "src")}
        return subprocess.run(
            [sys.executable, *words],
            cwd=self._folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def test(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the tests of the copy that the words for pytest choose."""
        return self.run("-m", "pytest", "-q", "-p", "no:cacheprovider", *words)
