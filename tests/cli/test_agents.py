import json
from pathlib import Path
from typing import Any

import pytest

from ludus.core.paths import cache_folder
from support.running import ludus
from support.sentences import missing


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home without saved agents, with the compiled code of all tests."""
    (tmp_path / "cache").symlink_to(cache_folder())
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))


def saved() -> list[dict[str, Any]]:
    """The saved agents that the list of agents has."""
    return [row for row in json.loads(ludus("list", "agents", "--json").stdout) if "saved" in row]


def test_agents_are_saved_listed_and_deleted() -> None:
    assert saved() == []
    done = ludus("agents", "save", "strong", "mcts:simulations=0900")
    assert not missing(done.stdout, "@strong mcts:simulations=900")
    assert saved() == [{"saved": "strong", "spec": "mcts:simulations=900"}]
    assert ["@strong", "mcts:simulations=900"] in [line.split() for line in ludus("list", "agents").stdout.splitlines()]
    assert "@strong" in ludus("agents", "delete", "strong").stdout
    assert saved() == []
    done = ludus("agents", "delete", "strong")
    assert done.returncode == 2
    assert "'strong'" in done.stderr


def test_saved_agent_can_be_used_wherever_an_agent_is_named(tmp_path: Path) -> None:
    ludus("agents", "save", "mine", "mc:iterations=3")
    assert "mc:iterations=3" in ludus("list", "agents", "@mine").stdout
    assert json.loads(ludus("list", "agents", "@mine", "--json").stdout)["spec"] == "mc:iterations=3"
    played = json.loads(ludus("play", "tic-tac-toe", "@mine", "random", "--json").stdout)
    assert [seat["name"] for seat in played["seats"]] == ["mine", "random"]
    assert played["seats"][0]["agent"] == "mc:iterations=3"
    options = ("--game", "tic-tac-toe", "--most", "3", "--workers", "0", "--store", str(tmp_path / "ludus.db"))
    assert json.loads(ludus("compare", "@mine", "random", *options, "--json").stdout)["agents"] == ["mine", "random"]


def test_list_of_values_cannot_be_saved() -> None:
    done = ludus("agents", "save", "x", "mcts:simulations=[1,2]")
    assert done.returncode == 2
    assert not missing(done.stderr, "'mcts:simulations=[1,2]' 2 agents")
    assert saved() == []
