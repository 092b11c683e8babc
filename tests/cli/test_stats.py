import json
from pathlib import Path

import pytest

from ludus.store import open_store
from support.places import ROOT
from support.running import ludus, program
from support.sentences import missing
from support.stored_results import play
from support.tournaments import MISBEHAVING


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A cup of tic-tac-toe, and Nim of two and of three, in which one agent fails."""
    file = str(tmp_path_factory.mktemp("store") / "s.db")
    with open_store(file) as opened:
        play(opened, "tic-tac-toe", ["random", "mcts:simulations=[5,40]"], episodes=10, name="cup")
        agents = ["random", "mc:iterations=2", "mc:iterations=4", f"{MISBEHAVING}:Rogue"]
        play(opened, "nim", agents, episodes=3, name="two")
        play(opened, "nim:players=3", agents, episodes=1, name="three")
    return file


def test_faults_that_ended_games_are_told_with_the_command_that_lists_them(store: str) -> None:
    faults = json.loads(ludus("stats", "--json", LUDUS_STORE=store).stdout)["faults"]
    assert faults["of"] > faults["episodes"] > 0
    assert faults["by"] == {f"{MISBEHAVING}:Rogue": faults["episodes"]}
    assert faults["command"] == "ludus results 2 --faults"
    told = " ".join(ludus("stats", LUDUS_STORE=store).stdout.split())
    assert f"{faults['episodes']} of {faults['of']} games ended by faults" in told
    cup = json.loads(ludus("stats", "cup", "--json", LUDUS_STORE=store).stdout)
    assert cup["faults"]["by"] == {}


@pytest.mark.slow
def test_rates_are_listed_game_by_game(store: str) -> None:
    done = program("stats", LUDUS_STORE=store, columns=100)
    assert done.returncode == 0, done.stderr
    assert "tic-tac-toe\n" in done.stdout
    assert "nim\n" in done.stdout
    assert "mcts:simulations=40" in done.stdout
    assert [line.split(":")[0] for line in done.stdout.splitlines() if line.startswith(("won:", "without early ends:"))]


@pytest.mark.slow
def test_agents_that_cannot_be_loaded_are_left_out_and_named(tmp_path: Path) -> None:
    agent, store = tmp_path / "gone.py", str(tmp_path / "s.db")
    agent.write_text((ROOT / "docs" / "examples" / "greedy.py").read_text())
    specs = [f"{agent}:Greedy:noise=0.5", f"{agent}:Greedy"]
    with open_store(store) as opened:
        play(opened, "tic-tac-toe", ["random", *specs], episodes=2, name="cup")
    command = ("stats", "--by", "noise", "--json", "--store", store)
    found = json.loads(ludus(*command).stdout)
    assert ([rate["parameters"]["noise"] for rate in found["rates"]], found["unknown"]) == ([0, 0.5], [])
    agent.unlink()
    found = json.loads(program(*command).stdout)
    assert ([rate["parameters"]["noise"] for rate in found["rates"]], found["unknown"]) == ([0.5], [specs[1]])
    lines = program("stats", "--by", "noise", "--store", store, columns=300).stdout.splitlines()
    (left_out,) = [line for line in lines if f"{agent}" in line]
    assert left_out.endswith(f": {specs[1]}.")


@pytest.mark.slow
def test_agents_with_changed_parameters_do_not_affect_others(tmp_path: Path) -> None:
    agent, store = tmp_path / "greedy.py", str(tmp_path / "s.db")
    code = (ROOT / "docs" / "examples" / "greedy.py").read_text()
    agent.write_text(code)
    with open_store(store) as opened:
        play(opened, "tic-tac-toe", [f"{agent}:Greedy:noise=0.5", f"{agent}:Greedy"], episodes=2, name="cup")
    agent.write_text(code.replace("noise", "chaos"))
    command = ("stats", "--json", "--store", store, "--agent")
    found = json.loads(program(*command, f"{agent}:Greedy:chaos=0").stdout)
    assert [rate["agent"] for rate in found["rates"]] == [f"{agent}:Greedy"]
    done = program(*command, f"{agent}:Greedy:noise=0.5")
    assert done.returncode == 2
    assert "'noise'" in done.stderr


def test_rates_by_two_things_as_json(store: str) -> None:
    done = ludus("stats", "--game", "nim", "--by", "agent", "--by", "players", "--json", LUDUS_STORE=store)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["by"] == ["agent", "players"]
    assert found["tournaments"] == 2
    assert {row["players"] for row in found["rates"]} == {2, 3}
    for row in found["rates"]:
        assert row["wins"] + row["ties"] + row["losses"] == row["episodes"]
        assert row["kept_episodes"] <= row["episodes"]
        assert row["low"] <= row["rate"] <= row["high"]
    assert any(row["kept_episodes"] < row["episodes"] for row in found["rates"])


def test_one_tournament_one_agent_and_a_parameter(store: str) -> None:
    done = ludus("stats", "cup", "--agent", "mcts", "--by", "simulations", "--json", LUDUS_STORE=store)
    assert [row["parameters"]["simulations"] for row in json.loads(done.stdout)["rates"]] == [5, 40]


def test_opponents_that_never_won_are_left_out_and_the_others_sorted(store: str) -> None:
    asked = ["stats", "two", "--by", "agent", "--by", "opponent", "--json"]
    every, beaten = (
        json.loads(ludus(*asked, *more, LUDUS_STORE=store).stdout)["rates"] for more in ([], ["--beaten-by"])
    )
    assert beaten == [row for row in every if row["opponent_wins"]]
    assert 0 < len(beaten) < len(every)
    for order, column in (("won", "wins"), ("lost", "losses"), ("rate", "rate"), ("episodes", "episodes")):
        rows = json.loads(ludus(*asked, "--sort", order, LUDUS_STORE=store).stdout)["rates"]
        figures = [row[column] for row in rows]
        assert figures == sorted(figures, reverse=True)
        assert len(rows) == len(every)


def test_it_is_said_if_no_opponent_ever_won(tmp_path: Path) -> None:
    url = str(tmp_path / "s.db")
    with open_store(url) as opened:
        play(opened, "nim", ["random", f"{MISBEHAVING}:Rogue"], episodes=2, name="two")
    asked = ["stats", "--agent", "random", "--by", "opponent", "--beaten-by", "--store", url]
    done = ludus(*asked)
    assert (done.returncode, json.loads(ludus(*asked, "--json").stdout)["rates"]) == (0, [])
    assert "No opponent won" in done.stdout
    assert ludus(*asked, "-o", str(tmp_path / "rates.svg")).returncode == 2


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (["--by", "agent"], "without early ends"),
        (["--by", "players"], "players"),
        (["--by", "agent", "--by", "players"], "random"),
        (["--by", "agent", "--by", "opponent"], "opponent"),
    ],
)
def test_rates_are_drawn(store: str, tmp_path: Path, arguments: list[str], written: str) -> None:
    file = tmp_path / "rates.svg"
    done = ludus("stats", "--game", "nim", *arguments, "-o", str(file), LUDUS_STORE=store)
    assert done.returncode == 0, done.stderr
    assert str(file) in done.stderr
    drawn = file.read_text()
    assert "win rate" in drawn
    assert "Win rates: nim" in drawn
    assert written in drawn


def test_numbers_beside_a_map_are_written_short(store: str, tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    by = ["--by", "iterations", "--by", "players"]
    done = ludus("stats", "--game", "nim", "--agent", "mc", *by, "-o", str(file), LUDUS_STORE=store)
    assert done.returncode == 0, done.stderr
    assert ">4</text>" in file.read_text()
    assert "4.0<" not in file.read_text()


def test_names_that_do_not_fit_become_letters_with_a_legend(store: str) -> None:
    by = ["--by", "agent", "--by", "opponent"]
    narrow, wide = (ludus("stats", "cup", *by, LUDUS_STORE=store, columns=columns).stdout for columns in (80, 160))
    assert max(map(len, narrow.splitlines())) <= 80
    assert "\nA  mcts:simulations=40\n" in narrow
    assert narrow.count("mcts:simulations=40") == 1
    assert wide.count("mcts:simulations=40") == 4


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["-o", "rates.png"], "tic-tac-toe nim --game"),
        (["-o", "nowhere/rates.png"], "nowhere/rates.png"),
        (["-o", "rates.doc"], "rates.doc .png .svg .pdf .html"),
        (["--by", "simulatoins"], "'simulatoins' 'simulations'"),
        (["--game", "nin"], "'nin' 'nim'"),
        (["--agent", "mctz"], "'mctz' 'mcts'"),
        (["nowhere"], "'nowhere'"),
        (["--beaten-by"], "--by opponent"),
        (["--by", "episode", "--sort", "won"], "--by episode --sort"),
        (["cup", "--by", "agent", "--by", "opponent", "--by", "players", "-o", "x.png"], "chart 3 --by"),
    ],
)
def test_bad_input_gets_one_sentence(store: str, arguments: list[str], named: str) -> None:
    done = ludus("stats", *arguments, LUDUS_STORE=store)
    assert done.returncode == 2
    assert not missing(done.stderr, named)
    assert len(done.stderr.strip().splitlines()) == 1


def test_empty_store_names_the_command_that_plays(tmp_path: Path) -> None:
    done = ludus("stats", LUDUS_STORE=str(tmp_path / "s.db"))
    assert done.returncode == 2
    assert "'ludus run'" in done.stderr
