import subprocess
import sys

import pytest

from agents.test_all_agents import QUICK, a_few, suited
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import is_array_state
from support.places import SUPPORT

pytestmark = pytest.mark.slow


def is_compiled(game: str) -> bool:
    return is_array_state(type(game_from(game).start(new_rng(0))))


def test_nothing_is_compiled_or_loaded_once_the_clock_runs() -> None:
    pairs = [(name, next(filter(is_compiled, a_few(name) + suited(name)))) for name in QUICK]
    program = SUPPORT / "preparing.py"
    command = [sys.executable, str(program), *(word for pair in pairs for word in pair)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    assert dict(zip(pairs, lines, strict=False)) == dict.fromkeys(pairs, "")
    assert len(lines) == len(pairs) + 1
