import subprocess
import sys

import pytest

from agents.test_all_agents import QUICK
from ludus.agents.agent import agent_from
from ludus.games.game import game_from
from support.installed_games import installed
from support.places import SUPPORT

pytestmark = pytest.mark.slow

GAMES = installed(["connect-four", "2048", "speed:width=14,height=11"])


def test_nothing_is_compiled_or_loaded_once_the_clock_runs() -> None:
    pairs = []
    for name in QUICK:
        agent = agent_from(name)
        pairs.append((name, next(game for game in GAMES if agent.unsuited(game_from(game)) is None)))
    program = SUPPORT / "preparing.py"
    command = [sys.executable, str(program), *(word for pair in pairs for word in pair)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    assert dict(zip(pairs, lines, strict=False)) == dict.fromkeys(pairs, "")
    assert len(lines) == len(pairs) + 1
