import json
from pathlib import Path

import pytest

from ludus import LudusError
from ludus.agents.agent import Agent
from ludus.bots.bot import Bot
from ludus.cli.agents import app
from ludus.core.paths import cache_folder
from ludus.core.registry import classes
from support.running import ludus, program


@pytest.mark.slow
def test_the_list_names_every_agent_and_fits_the_terminal() -> None:
    lines = program("list", "agents").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert set(classes(Agent)) <= {line.split(" ")[0] for line in lines}


def test_only_agents_that_suit_a_game_are_listed_for_it() -> None:
    for game, suits, not_suits in [("goofspiel", "mcts", "alphabeta"), ("hex", "alphabeta", ""), ("2048", "mc", "brs")]:
        names = [row["name"] for row in json.loads(ludus("list", "agents", "--game", game, "--json").stdout)]
        assert suits in names
        assert not_suits not in names


def test_one_agent_is_told_with_its_parameters() -> None:
    shown = ludus("list", "agents", "mcts").stdout
    assert "simulations" in shown
    assert "weight.NAME=VALUE" in shown
    told = json.loads(ludus("list", "agents", "alphabeta", "--json").stdout)
    assert "depth" in [parameter["name"] for parameter in told["parameters"]]


def test_protocols_of_bots_are_listed_and_told_like_agents() -> None:
    shown = ludus("list", "agents").stdout
    listed = {row["protocol"]: row for row in json.loads(ludus("list", "agents", "--json").stdout) if "protocol" in row}
    assert list(listed) == list(classes(Bot))
    assert all(row["example"] in shown for row in listed.values())
    for name in classes(Bot):
        told = json.loads(ludus("list", "agents", name, "--json").stdout)
        assert told == listed[name] | {"details": told["details"]}
        assert "cores" in ludus("list", "agents", name).stdout


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    app(list(words), standalone_mode=False)
    return capsys.readouterr().out


def test_agents_are_kept_listed_and_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    assert "No agent is saved yet" in run(capsys, "saved")
    assert run(capsys, "save", "strong", "mcts:simulations=0900") == (
        "strong is mcts:simulations=900; wherever an agent is named, @strong stands for it.\n"
    )
    assert run(capsys, "saved").splitlines()[-1].split() == ["strong", "mcts:simulations=900"]
    assert json.loads(run(capsys, "saved", "--json")) == [{"name": "strong", "spec": "mcts:simulations=900"}]
    run(capsys, "forget", "strong")
    assert json.loads(run(capsys, "saved", "--json")) == []
    with pytest.raises(LudusError, match="There is no saved agent 'strong'"):
        run(capsys, "forget", "strong")


def test_the_word_list_need_not_be_written(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ([], ["--json"], ["mcts"], ["mcts", "--json"], ["--json", "mcts"], ["--game", "2048"]):
        assert run(capsys, *words) == run(capsys, "list", *words)
    with pytest.raises(LudusError, match="There is no agent 'frob'; 'ludus agents' lists them all"):
        run(capsys, "frob")
    assert "forget" in run(capsys, "--help")


def test_saved_agent_is_taken_wherever_an_agent_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "cache").symlink_to(cache_folder())
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    run(capsys, "save", "mine", "mc:iterations=3")
    assert "Here it is mc:iterations=3." in run(capsys, "@mine")
    assert json.loads(run(capsys, "@mine", "--json"))["spec"] == "mc:iterations=3"
    played = json.loads(ludus("play", "tic-tac-toe", "@mine", "random", "--json").stdout)
    assert [seat["name"] for seat in played["seats"]] == ["mine", "random"]
    assert played["seats"][0]["agent"] == "mc:iterations=3"
    options = ("--game", "tic-tac-toe", "--most", "3", "--workers", "0", "--json")
    assert json.loads(ludus("compare", "@mine", "random", *options).stdout)["agents"] == ["mine", "random"]


def test_list_of_values_is_not_saved(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))
    with pytest.raises(LudusError, match=r"'mcts:simulations=\[1,2\]' stands for 2 agents, but one is expected here\."):
        app(["save", "x", "mcts:simulations=[1,2]"], standalone_mode=False)
