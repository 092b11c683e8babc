import json

import pytest

from ludus.agents.agent import Agent
from ludus.bots.bot import Bot
from ludus.core.registry import classes
from support.running import ludus, program
from support.sentences import missing


@pytest.mark.slow
def test_list_names_every_agent_and_fits_the_terminal() -> None:
    lines = program("list", "agents").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert set(classes(Agent)) <= {line.split(" ")[0] for line in lines}


def test_agents_are_listed_by_the_game_that_they_can_play() -> None:
    for game, suits, not_suits in [("goofspiel", "mcts", "alphabeta"), ("hex", "alphabeta", ""), ("2048", "mc", "brs")]:
        names = [row["name"] for row in json.loads(ludus("list", "agents", "--game", game, "--json").stdout)]
        assert suits in names
        assert not_suits not in names


def test_one_agent_is_described_with_its_parameters() -> None:
    shown = ludus("list", "agents", "mcts").stdout
    assert "simulations" in shown
    assert "weight.NAME=VALUE" in shown
    described = json.loads(ludus("list", "agents", "alphabeta", "--json").stdout)
    assert "depth" in [parameter["name"] for parameter in described["parameters"]]


def test_protocols_of_bots_are_listed_and_described_like_agents() -> None:
    shown = ludus("list", "agents", columns=120).stdout
    listed = {row["protocol"]: row for row in json.loads(ludus("list", "agents", "--json").stdout) if "protocol" in row}
    assert list(listed) == list(classes(Bot))
    assert all(row["example"] in shown for row in listed.values())
    for name in classes(Bot):
        described = json.loads(ludus("list", "agents", name, "--json").stdout)
        assert described == listed[name] | {"details": described["details"]}
        assert "cores" in ludus("list", "agents", name).stdout


def test_unknown_agent_gets_one_sentence() -> None:
    done = ludus("list", "agents", "mctss")
    assert done.returncode == 2
    assert not missing(done.stderr, "'mctss' 'mcts' 'ludus list agents'")
    assert done.stderr.count("\n") == 1


def test_agent_and_game_together_are_refused() -> None:
    done = ludus("list", "agents", "mcts", "--game", "hex")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
