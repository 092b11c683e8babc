import json

from cli.running import ludus
from ludus.catalog import agents


def test_the_list_names_every_agent_and_fits_the_terminal() -> None:
    lines = ludus("agents").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert set(agents()) <= {line.split(" ")[0] for line in lines}


def test_only_agents_that_suit_a_game_are_listed_for_it() -> None:
    for game, suits, not_suits in [("goofspiel", "mcts", "alphabeta"), ("hex", "alphabeta", ""), ("2048", "mc", "brs")]:
        names = [row["name"] for row in json.loads(ludus("agents", "--game", game, "--json").stdout)]
        assert suits in names
        assert not_suits not in names


def test_one_agent_is_told_with_its_parameters() -> None:
    shown = ludus("agents", "mcts").stdout
    assert "simulations" in shown
    assert "weight.NAME=VALUE" in shown
    told = json.loads(ludus("agents", "alphabeta", "--json").stdout)
    assert "depth" in [parameter["name"] for parameter in told["parameters"]]
