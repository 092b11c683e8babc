"""Machine code kept on disk, seen from whole processes."""

import hashlib
import json
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludus
from support.places import python_path
from support.takeaway import write_game

pytestmark = pytest.mark.slow

PLAYOUT = """
import json, sys
import numpy as np
from numba.core import event
from ludus.kernel import rules
from ludus.games.game import game_from
from ludus.kernel.jit import compiling_lock
from ludus.kernel.rng import new_rng

class Compiled(event.Listener):
    names = []
    def on_start(self, happening):
        self.names.append(happening.data["dispatcher"].py_func.__name__)
    def on_end(self, happening):
        pass

event.register("numba:compile", Compiled())
state = game_from(sys.argv[1]).start(new_rng(0))
if len(sys.argv) > 2:
    exec(sys.argv[2])
scores = np.zeros(2)
with compiling_lock("takeaway"):
    rules.playout(state, new_rng(1), scores)
print(json.dumps({"compiled": Compiled.names, "scores": list(scores)}))
"""


def start_playout(home: Path, game: Path | str, *then: str, **environment: str) -> subprocess.Popen[str]:
    variables = {**os.environ, "LUDUS_HOME": str(home), **environment}
    command = [sys.executable, "-c", PLAYOUT, str(game), *then]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=variables)


def result_of(process: subprocess.Popen[str]) -> Any:
    out, errors = process.communicate(timeout=900)
    assert process.returncode == 0, errors
    return json.loads(out)


def playout(home: Path, game: Path | str, *then: str, **environment: str) -> Any:
    return result_of(start_playout(home, game, *then, **environment))


def kept(home: Path) -> list[Path]:
    return list((home / "cache" / "machine-code").iterdir())


def test_second_process_compiles_nothing(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    first = playout(tmp_path, game)
    second = playout(tmp_path, game)
    assert "playout" in first["compiled"]
    assert second["compiled"] == []
    assert second["scores"] == first["scores"]


def test_four_processes_at_once_compile_once(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    results = [result_of(process) for process in [start_playout(tmp_path, game) for _ in range(4)]]
    assert sorted(len(result["compiled"]) > 0 for result in results) == [False, False, False, True]
    assert len({tuple(result["scores"]) for result in results}) == 1


def test_edited_rule_is_played_and_its_old_code_removed(tmp_path: Path) -> None:
    before = playout(tmp_path, write_game(tmp_path))
    files = len(kept(tmp_path))
    swapped = write_game(tmp_path, ("-1.0 if state.heap[TURN] == 0 else 1.0", "1.0 if state.heap[TURN] == 0 else -1.0"))
    after = playout(tmp_path, swapped)
    assert after["scores"] == [-score for score in before["scores"]]
    assert len(kept(tmp_path)) == files


def write_helper(folder: Path, worth: float) -> None:
    (folder / "worth.py").write_text(
        f"from ludus.kernel.jit import compiled\n\n@compiled\ndef prize():\n    return {worth}\n"
    )


def game_with_helper(folder: Path, line: str) -> Path:
    changes = (
        ("import numpy as np\n", f"import numpy as np\n{line}\n"),
        ("-1.0 if", "-prize() if"),
        ("1.0\n", "prize()\n"),
    )
    return write_game(folder, *changes)


def test_edited_module_beside_the_game_is_played(tmp_path: Path) -> None:
    game = game_with_helper(tmp_path, "from worth import prize")
    for worth in (0.25, 0.75):
        write_helper(tmp_path, worth)
        assert max(playout(tmp_path, game)["scores"]) == worth


def test_edited_module_of_an_installed_game_is_played(tmp_path: Path) -> None:
    site = tmp_path / "site-packages"
    package = site / "heaps"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    game_with_helper(package, "from heaps.worth import prize")
    about = site / "heaps-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: heaps\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[ludus.games]\ntake-away = heaps.take_away:TakeAway\n")
    for worth in (0.25, 0.75):
        write_helper(package, worth)
        assert max(playout(tmp_path, "take-away", PYTHONPATH=python_path(site))["scores"]) == worth


def test_edit_while_a_process_runs_is_not_taken_for_what_it_compiled(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    original = game.read_text()
    edited = original.replace("-1.0 if", "1.0 if").replace("else 1.0", "else -1.0")
    edit = f"import pathlib; pathlib.Path(sys.argv[1]).write_text({edited!r})"
    before = playout(tmp_path, game, edit)
    after = playout(tmp_path, game)
    assert game.read_text() == edited
    assert after["scores"] == [-score for score in before["scores"]]


def test_deleted_game_does_not_break_others(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    playout(tmp_path, game, "import pathlib; pathlib.Path(sys.argv[1]).unlink()")
    assert not game.exists()
    first = playout(tmp_path, "connect-four")
    assert playout(tmp_path, "connect-four") == {**first, "compiled": []}


def cut(data: bytes) -> bytes:
    return data[:-100]


def flip(data: bytes) -> bytes:
    return data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]


@pytest.mark.parametrize("damage", [cut, flip])
def test_damaged_file_is_compiled_again(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    game = write_game(tmp_path)
    first = playout(tmp_path, game)
    for file in kept(tmp_path):
        file.write_bytes(damage(file.read_bytes()))
    second = playout(tmp_path, game)
    assert "playout" in second["compiled"]
    assert second["scores"] == first["scores"]
    assert playout(tmp_path, game)["compiled"] == []


class Trap:
    """Leaves a file where it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self._trace = str(trace)

    def __reduce__(self) -> Any:
        return os.mkdir, (self._trace,)


@pytest.mark.parametrize("opened", ["file", "folder"])
def test_code_that_others_can_change_is_not_run(tmp_path: Path, opened: str) -> None:
    game, trace = write_game(tmp_path), tmp_path / "trace"
    first = playout(tmp_path, game)
    payload = pickle.dumps(Trap(trace))
    made = kept(tmp_path)
    assert [path for path in (*made, *{file.parent for file in made}) if path.stat().st_mode & 0o077] == []
    for file in made:
        file.write_bytes(hashlib.sha256(payload).hexdigest()[:16].encode() + b"\n" + payload)
        (file if opened == "file" else file.parent).chmod(0o777)
    second = playout(tmp_path, game)
    assert not trace.exists()
    assert second["scores"] == first["scores"]
    assert playout(tmp_path, game)["compiled"] == []


def test_home_that_cannot_be_written_to_is_done_without(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.write_text("a file, where a folder should be")
    assert "playout" in playout(home, write_game(tmp_path))["compiled"]


def keys(home: Path) -> dict[str, set[str]]:
    """The digests of sources under which each function and signature is kept."""
    found: dict[str, set[str]] = {}
    for file in kept(home):
        family, _, digest = file.name.rpartition("-")
        found.setdefault(family, set()).add(digest)
    return found


def run(home: Path, *command: str, **environment: str) -> None:
    variables = {**os.environ, "LUDUS_HOME": str(home), **environment}
    done = subprocess.run([sys.executable, *command], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_command_worker_and_notebook_share_machine_code(tmp_path: Path) -> None:
    agents = ["mcts:simulations=5", "random"]
    run(tmp_path, "-m", "ludus", "play", "hex:size=3", *agents)
    command = keys(tmp_path)
    field = [word for agent in agents for word in ("--agent", agent)]
    run(tmp_path, "-m", "ludus", "run", "--game", "hex:size=3", *field, "--episodes", "1", "--workers", "1")
    worker = keys(tmp_path)
    cells = (
        "import altair, ludus, ludus.api.tournament_view, ludus.check.steps, ludus.views.video\n"
        f"ludus.tournament('hex:size=3', {agents}, episodes=2, workers=0, name='notebook')\n"
    )
    run(tmp_path, "-c", cells)
    notebook = keys(tmp_path)
    assert command
    assert command.keys() <= worker.keys() <= notebook.keys()
    assert all(len(digests) == 1 for digests in notebook.values())
    assert all(notebook[family] == digests for family, digests in {**worker, **command}.items())


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy of Ludus as a wheel would install it."""
    site = tmp_path / "site-packages"
    shutil.copytree(Path(ludus.__file__).parent, site / "ludus", ignore=shutil.ignore_patterns("__pycache__"))
    return site


def append_comment(file: Path) -> None:
    file.write_text(f"{file.read_text()}\n# a new version\n")


def test_edit_of_a_game_leaves_the_code_of_others(tmp_path: Path, installed: Path) -> None:
    games = ["tic-tac-toe", "nim:piles=1-2"]
    for game in games:
        assert playout(tmp_path, game, PYTHONPATH=str(installed))["compiled"]
    append_comment(installed / "ludus" / "games" / "nim.py")
    assert [bool(playout(tmp_path, game, PYTHONPATH=str(installed))["compiled"]) for game in games] == [False, True]


@pytest.mark.parametrize(
    ("file", "matters"),
    [("kernel/rng.py", True), ("games/game.py", True), ("core/errors.py", False), ("api/tournament_view.py", False)],
)
def test_upgrade_of_an_installed_ludus_is_noticed(tmp_path: Path, installed: Path, file: str, matters: bool) -> None:
    playout(tmp_path, "nim:piles=1-2", PYTHONPATH=str(installed))
    append_comment(installed / "ludus" / file)
    assert bool(playout(tmp_path, "nim:piles=1-2", PYTHONPATH=str(installed))["compiled"]) == matters


def test_upgrade_of_a_library_that_a_game_uses_is_noticed(tmp_path: Path) -> None:
    library = tmp_path / "site-packages" / "prizes"
    library.mkdir(parents=True)
    (library / "__init__.py").touch()
    game = game_with_helper(tmp_path, "from prizes.worth import prize")
    for worth in (0.25, 0.75):
        write_helper(library, worth)
        assert max(playout(tmp_path, game, PYTHONPATH=python_path(library.parent))["scores"]) == worth


def test_folder_of_an_old_version_is_removed(tmp_path: Path) -> None:
    old = tmp_path / "cache" / "compiled"
    old.mkdir(parents=True)
    (old / "ludus.rules.playout-0-0").touch()
    playout(tmp_path, "nim:piles=1-2")
    assert kept(tmp_path)
    assert not old.exists()


def test_bounds_checked_code_is_kept_apart(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    playout(tmp_path, game)
    assert "playout" in playout(tmp_path, game, NUMBA_BOUNDSCHECK="1")["compiled"]
    assert playout(tmp_path, game)["compiled"] == []
