"""Kinds of players and agents differ by class, and nobody asks for their class."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ludus
from ludus.agents.agent import agent_from
from ludus.agents.random import Random
from ludus.episode.local_player import LocalPlayer, player_for

SOURCES = Path(ludus.__file__).parent
MAY_ASK = {"cli"}


def test_agent_of_this_process_has_a_local_player_named_by_its_spec_or_otherwise() -> None:
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


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for file in SOURCES.rglob("*.py"):
        yield file.relative_to(SOURCES), ast.parse(file.read_text(encoding="utf-8"))


def names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def kinds() -> dict[str, set[Path]]:
    """Every class that derives from Agent or Player, with the folders that hold one of that name."""
    bases: dict[str, set[str]] = {}
    folders: dict[str, set[Path]] = {}
    for file, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases.setdefault(node.name, set()).update(*map(names_in, node.bases))
                folders.setdefault(node.name, set()).add(file.parent)
    found = {"Agent", "Player"}
    while more := {name for name, above in bases.items() if above & found} - found:
        found |= more
    return {name: folders[name] for name in found - {"Agent", "Player"}}


def test_nobody_asks_for_kinds_of_players_and_agents_outside_their_own_folder() -> None:
    own = kinds()
    assert {"Bot", "BotPlayer", "Human", "LocalPlayer"} <= set(own)
    asked = []
    for file, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and names_in(node.func) & {"isinstance", "issubclass"}:
                of = names_in(node.args[1]) & set(own)
                asked += [f"{file}:{node.lineno} asks for {name}" for name in of if file.parent not in own[name]]
            elif isinstance(node, ast.MatchClass):
                of = names_in(node.cls) & set(own)
                asked += [f"{file}:{node.cls.lineno} asks for {name}" for name in of if file.parent not in own[name]]
    assert [place for place in asked if place.partition("/")[0] not in MAY_ASK] == []


@pytest.mark.slow
def test_two_agents_of_ludus_play_without_what_runs_bots_or_talks_to_clients() -> None:
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
