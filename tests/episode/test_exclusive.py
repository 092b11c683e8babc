"""Folders that one program at a time may use; other programs are processes of their own here."""

import subprocess
import sys
from pathlib import Path

import pytest

from ludus.agents.agent import agent_from
from ludus.episode import exclusive
from ludus.episode.player import Player

pytestmark = pytest.mark.slow

TRY = "import fcntl, os, sys; fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX | fcntl.LOCK_NB)"
"""Fails if another program has locked the folder."""
HOLD = """
import fcntl, os, sys
fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


class Idle(Player):
    """Does nothing in its folder, and leaves it when it is closed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(agent_from("random"))
        self.folder = folder
        self.closed = 0

    def close(self) -> None:
        self.closed += 1
        exclusive.release(self)


def is_free(folder: Path) -> bool:
    """True if another program can have the folder."""
    return subprocess.run([sys.executable, "-c", TRY, str(folder)], stderr=subprocess.DEVNULL).returncode == 0


def test_folder_is_locked_until_the_last_player_has_left(tmp_path: Path) -> None:
    one, other = Idle(tmp_path), Idle(tmp_path)
    exclusive.claim([one, other])
    assert not is_free(tmp_path)
    exclusive.release(one)
    assert not is_free(tmp_path)
    exclusive.release(other)
    assert is_free(tmp_path)


def test_folder_of_another_program_is_waited_for_and_nothing_else_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted, mine = tmp_path / "wanted", tmp_path / "mine"
    for folder in (wanted, mine):
        folder.mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(wanted)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdin
        assert holder.stdout
        holder.stdout.readline()
        stayed, player = Idle(mine), Idle(wanted)
        exclusive.claim([stayed])
        seen: list[bool] = []

        def look(_seconds: float) -> None:
            if not seen:
                seen.append(is_free(mine))
                holder.communicate()

        monkeypatch.setattr("ludus.episode.exclusive.time.sleep", look)
        exclusive.claim([player, stayed])
    assert seen == [True]
    assert stayed.closed == 1
    assert not is_free(wanted)
    assert not is_free(mine)
    for each in (player, stayed):
        exclusive.release(each)


def test_folder_that_is_not_there_keeps_nobody(tmp_path: Path) -> None:
    player = Idle(tmp_path / "nowhere")
    exclusive.claim([player])
    exclusive.release(player)
