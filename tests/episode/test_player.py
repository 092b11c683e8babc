"""Kinds of players and agents differ by class, and nobody loads those that do not play."""

import subprocess
import sys

import pytest

from ludus.agents.agent import agent_from
from ludus.agents.random import Random
from ludus.episode.local_player import LocalPlayer, player_for


def test_agent_has_a_local_player_named_by_its_spec_unless_given_a_name() -> None:
    player = player_for(Random())
    assert isinstance(player, LocalPlayer)
    assert (player.name, player_for(Random(), "Ada").name) == ("random", "Ada")


@pytest.mark.parametrize(
    ("spec", "facts"),
    [
        ("random", (False, False, "", False, 1)),
        ("human", (False, False, "", True, 1)),
        ("stdio,cores=2:true", (True, True, "", False, 2)),
        ("remote:anna", (True, False, "anna", False, 1)),
    ],
)
def test_agents_declare_what_others_must_know(spec: str, facts: tuple[bool, bool, str, bool, int]) -> None:
    agent = agent_from(spec)
    assert (agent.outside, agent.has_processes, agent.awaited, agent.person, agent.cores) == facts


@pytest.mark.slow
def test_game_between_agents_loads_neither_bots_nor_the_network() -> None:
    program = (
        "import sys; from ludus.cli import main\n"
        "sys.argv = ['ludus', 'play', 'tic-tac-toe', 'random', 'mcts:simulations=20']\n"
        "try: main()\n"
        "finally: print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    *said, modules = done.stdout.splitlines()
    assert any("moves" in line for line in said)
    assert [name for name in modules.split() if name.startswith(("ludus.bots", "ludus.net"))] == []
