"""Compiling before an episode, in one process or several."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludus.agents.agent import agent_from
from ludus.episode.seating import prepare
from ludus.games.game import game_from
from support.leftovers import wait_until

pytestmark = pytest.mark.slow

HOLDER = """
import sys
from ludus.kernel.jit import compiling_lock
with compiling_lock(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_what_another_program_compiles_is_waited_for_at_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    begun: list[int | None] = []

    @contextmanager
    def during(place: int | None) -> Iterator[None]:
        begun.append(place)
        yield

    agents = [agent_from("alphabeta:depth=1"), agent_from("random")]
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", HOLDER, "tic-tac-toe alphabeta"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdin
        assert other.stdout
        assert other.stdout.readline() == "held\n"
        preparing = threading.Thread(target=prepare, args=(game_from("tic-tac-toe"), agents, during))
        preparing.start()
        wait_until(lambda: 1 in begun)
        assert begun == [None, 1]
        other.stdin.close()
        preparing.join()
    assert begun == [None, 1, 0]
