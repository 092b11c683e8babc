"""The names that a user imports: complete, typed, quick to import."""

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import ludus
from support.places import ROOT

HEAVY = {"altair", "jinja2", "numba", "numpy", "polars", "rich", "sqlalchemy"}


def python(*words: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, *words], env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_import_alone_loads_no_library() -> None:
    loaded = json.loads(python("-c", "import json, sys, ludus; print(json.dumps(list(sys.modules)))"))
    assert not HEAVY & set(loaded)


@pytest.mark.slow
def test_playing_needs_no_database_and_no_tables() -> None:
    program = "import json, sys, ludus; ludus.play; ludus.replay; print(json.dumps(list(sys.modules)))"
    assert not {"altair", "jinja2", "polars", "sqlalchemy"} & set(json.loads(python("-c", program)))


@pytest.mark.slow
def test_only_public_names_are_listed() -> None:
    shown = "import ludus, ludus.core.errors, ludus.kernel.rules; print(*dir(ludus))"
    names = python("-c", shown).split()
    assert names == sorted(ludus.__all__)
    assert all(getattr(ludus, name) is not None for name in names)
    assert {"compare", "load", "play", "replay", "sweep", "tournament"} <= set(names)
    assert not [name for name in names if name.startswith("_") and name != "__version__"]


def test_other_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="'tournamet'"):
        ludus.tournamet  # type: ignore[attr-defined]  # noqa: B018


def test_files_beside_modules_are_packaged() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    package = Path(str(files(ludus)))
    packaged = {
        file for pattern in project["tool"]["setuptools"]["package-data"]["ludus"] for file in package.glob(pattern)
    }
    found = {file for file in package.rglob("*") if file.is_file() and file.suffix not in (".py", ".pyc")}
    assert found == packaged
    assert package / "py.typed" in packaged


USER = """
import ludus


class Mine(ludus.Agent):
    name = "mine"
    depth: int = ludus.param(1, "how deep")

    def begin(self, game: ludus.Game, seat: int, seed: int) -> None:
        self._game = game

    def choose(self, view: ludus.View, clock: ludus.Clock) -> ludus.Choice:
        return ludus.Choice(self._game.moves(view.state, view.seat)[0])


games = ludus.play("nim", ["random", Mine(depth=2)], episodes=4, move_time="1s", policy="random")
reveal_type(games[0][1])
reveal_type(games.table)
reveal_type(ludus.tournament("nim", [{"agent": "mc", "iterations": 3}, "random"], workers=1).standings())
reveal_type(ludus.compare("nim", "mc", "random", elo1=5).estimate.elo)
reveal_type(ludus.sweep("nim", "mc", {"iterations": [1, 2]}, against=["random"]).table)
reveal_type(ludus.replay("3/1.2")[-1].moves)
reveal_type(ludus.load(1).episode("1.1"))
ludus.play("nim", ["random"], move_time=100)
ludus.play("nim", ["random"], movetime="1s")
ludus.play("nim", ["random"], workers=1)
ludus.tournamet
"""
REVEALED = [
    "ludus.api.episode_view.Position",
    "polars.dataframe.frame.DataFrame",
    "polars.dataframe.frame.DataFrame",
    "float",
    "polars.dataframe.frame.DataFrame",
    "list[ludus.episode.record.Move]",
    "ludus.api.episode_view.Episode",
]


@pytest.mark.slow
def test_type_checker_of_a_user_sees_types_and_mistakes(tmp_path: Path) -> None:
    environment = tmp_path / "venv"
    python("-m", "venv", "--without-pip", str(environment))
    paths = {"base": str(environment), "platbase": str(environment)}
    site = Path(sysconfig.get_path("purelib", vars=paths))
    (site / "shared.pth").write_text(f"{sysconfig.get_path('purelib')}\n")
    (site / "ludus").symlink_to(Path(str(files(ludus))), target_is_directory=True)
    (tmp_path / "user.py").write_text(USER)
    interpreter = environment / "bin" / "python"
    options = ["--strict", "--no-error-summary", f"--python-executable={interpreter}", f"--cache-dir={tmp_path}"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "user.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()
    assert [line.split('"')[1] for line in lines if "Revealed type" in line] == REVEALED
    errors = [line.rpartition("[")[2].rstrip("]") for line in lines if ": error: " in line]
    assert errors == ["arg-type", "call-arg", "call-arg", "attr-defined"], done.stdout
