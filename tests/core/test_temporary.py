import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from ludus.core.temporary import temporary_folder

OWNER = """
import sys, time
from ludus.core.temporary import temporary_folder
with temporary_folder() as folder:
    (folder / "file").touch()
    print(folder, flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def _own_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def age(folder: Path) -> None:
    """Make a folder look as if nobody had used it for an hour."""
    long_ago = folder.stat().st_mtime - 3600
    os.utime(folder, (long_ago, long_ago))


def test_folder_is_gone_at_the_end(tmp_path: Path) -> None:
    with temporary_folder() as folder:
        assert folder.parent == tmp_path
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "file").touch()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_folder_of_a_killed_process_is_removed_by_the_next(tmp_path: Path) -> None:
    command, environment = [sys.executable, "-c", OWNER], os.environ | {"TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as owner:
        assert owner.stdout is not None
        left = Path(owner.stdout.readline().strip())
        age(left)
        with temporary_folder():
            assert left.is_dir(), "its owner is alive"
        owner.send_signal(signal.SIGKILL)
    assert left.is_dir()
    with temporary_folder():
        assert not left.exists()


def test_folders_of_others_stay(tmp_path: Path) -> None:
    stranger, fresh, link = (tmp_path / name for name in ("ludus-x", "ludus-temporary-x", "ludus-temporary-y"))
    stranger.mkdir()
    fresh.mkdir()
    link.symlink_to(stranger)
    age(stranger)
    with temporary_folder():
        assert stranger.is_dir()
        assert fresh.is_dir()
        assert link.is_symlink()
