"""The Dockerfile of a contest client: its steps, carried out in an environment of their own, and the game it plays.

The image itself is not built here: there may be no container engine. What needs one (the base image, another user) is
left out.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from contests.speed.scripted_server import KEY, Scripted, serving
from support.places import ROOT
from support.running import PATIENCE

pytestmark = pytest.mark.slow

FILE = ROOT / "examples" / "contest" / "Dockerfile"
LEFT_OUT = ("FROM python:", "RUN useradd ", "USER ", "WORKDIR ")
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_IGNORE_INSTALLED": "1"}
"""Settings of pip with which packages that Ludus needs come from this environment."""
NOT_COPIED = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "*.egg-info")


def instructions() -> Iterator[tuple[str, str]]:
    """The instructions of the file with their arguments."""
    for line in FILE.read_text().splitlines():
        if line and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield word, rest


class Image:
    """A folder that stands for the root of the image, with an environment without the checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        environment = root / "python"
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
        own = sysconfig.get_path("purelib", vars={"base": str(environment), "platbase": str(environment)})
        Path(own, "shared.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
        self.variables = {"PATH": f"{environment / 'bin'}:{os.defpath}", "HOME": str(root), **OFFLINE}
        self.entry: list[str] = []
        (root / "home" / "player").mkdir(parents=True)
        for word, rest in instructions():
            if not f"{word} {rest}".startswith(LEFT_OUT):
                getattr(self, f"_{word.lower()}")(self._inside(rest))

    def _inside(self, text: str) -> str:
        """A text with the image's absolute paths as paths here."""
        for folder in ("/src", "/usr/local/bin", "/home/player"):
            text = text.replace(f" {folder}", f" {self.root}{folder}").replace(f"={folder}", f"={self.root}{folder}")
            text = text.replace(f'"{folder}', f'"{self.root}{folder}')
        return text

    def _env(self, rest: str) -> None:
        for pair in shlex.split(rest):
            name, _, value = pair.partition("=")
            self.variables[name] = value

    def _copy(self, rest: str) -> None:
        source, target = map(Path, rest.split())
        target.parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, target, ignore=NOT_COPIED)
        else:
            shutil.copy(ROOT / source, target)

    def _run(self, rest: str) -> None:
        done = self.do(["sh", "-c", rest])
        assert done.returncode == 0, done.stdout + done.stderr

    def _entrypoint(self, rest: str) -> None:
        self.entry = json.loads(rest)

    def do(self, command: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command with the variables of the image and these."""
        return subprocess.run(
            command,
            env=self.variables | variables,
            cwd=self.root / "home" / "player",
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )

    def compiled(self) -> set[Path]:
        """The files with machine code."""
        return {file for file in (self.root / "home/player/.ludus/cache/machine-code").rglob("*") if file.is_file()}


def test_container_plays_one_game_without_compiling(tmp_path: Path) -> None:
    image = Image(tmp_path)
    place = image.do(["python", "-c", "import ludus; print(ludus.__file__)"]).stdout
    assert Path(place).is_relative_to(tmp_path / "python")
    before = image.compiled()
    assert before
    with serving(script := Scripted(seconds=(5.0,))) as url:
        clock = url.replace("ws://", "http://").replace("/spe_ed", "/spe_ed_time")
        done = image.do(image.entry, URL=url, KEY=KEY, TIME_URL=clock)
    assert done.returncode == 0, done.stderr
    assert "place 1 of 2" in done.stdout
    assert (script.games, len(script.heard)) == (1, 1)
    assert script.asked > 0, "it reads the clock at TIME_URL"
    assert image.compiled() == before, "everything was compiled when the image was made"
    assert "Compiling" not in done.stderr
    for missing in ("URL", "KEY"):
        given = {"URL": "ws://localhost:1/spe_ed", "KEY": KEY}
        del given[missing]
        done = image.do(image.entry, **given)
        assert done.returncode != 0
        assert f"{missing} is the" in done.stderr
