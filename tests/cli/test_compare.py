import json
from pathlib import Path

import pytest

from ludus.cli.compare import COLUMNS, ROWS, drawn_path
from support.running import ludus, program
from support.sentences import missing
from support.tournaments import MISBEHAVING

COMPARISON = ("compare", "mcts:simulations=30", "random", "--game", "tic-tac-toe", "--most", "60", "--workers", "0")


@pytest.mark.slow
def test_comparison_ends_with_a_verdict_and_shows_the_path(tmp_path: Path) -> None:
    drawn = tmp_path / "path.svg"
    done = program(*COMPARISON, "--elo1", "200", "-o", str(drawn), LUDUS_STORE=str(tmp_path / "results.db"))
    assert done.returncode == 0, done.stderr
    shown = " ".join(done.stdout.split())
    assert not missing(shown.splitlines()[0], "Yes: mcts:simulations=30 stronger random (+")
    assert "WL or DD" in shown
    assert done.stdout.count("•") == COLUMNS
    assert "log-likelihood ratio" in drawn.read_text()
    assert "+200 Elo points" in drawn.read_text()
    stored = " ".join(ludus("results", "1", LUDUS_STORE=str(tmp_path / "results.db")).stdout.split())
    assert "1,000,000 episodes" in stored


def test_comparison_as_json_has_the_path_and_goes_on_from_what_is_stored(tmp_path: Path) -> None:
    store = str(tmp_path / "results.db")
    one, two = (
        json.loads(ludus(*COMPARISON, "--elo1", elo1, "--json", LUDUS_STORE=store).stdout) for elo1 in ("200", "5")
    )
    assert (one["verdict"], two["verdict"]) == ("H1", None)
    assert one["pairs"] == len(one["path"]) == sum(one["bins"])
    assert 2 * one["pairs"] == one["wins"] + one["ties"] + one["losses"]
    assert one["low"] < one["elo"] <= one["high"]
    assert one["id"] == two["id"]
    assert two["pairs"] + two["repeated"] == 60
    longer = json.loads(ludus(*COMPARISON, "--elo1", "5", "--most", "80", "--json", LUDUS_STORE=store).stdout)
    assert longer["id"] == two["id"]
    assert longer["pairs"] + longer["repeated"] == 80
    assert longer["path"][: two["pairs"]] == two["path"]


def test_agent_is_compared_with_itself(tmp_path: Path) -> None:
    arguments = ("random", "random", "--game", "tic-tac-toe", "--most", "5", "--workers", "0", "--json")
    done = ludus("compare", *arguments, LUDUS_STORE=str(tmp_path / "results.db"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["agents"] == ["A (random)", "B (random)"]


def test_faults_that_ended_games_are_told_with_the_command_that_lists_them(tmp_path: Path) -> None:
    command = ("compare", f"{MISBEHAVING}:Rogue", "random", "--game", "connect-four", "--most", "3", "--workers", "0")
    store = str(tmp_path / "results.db")
    faults = json.loads(ludus(*command, "--json", LUDUS_STORE=store).stdout)["faults"]
    assert list(faults["by"]) == [f"{MISBEHAVING}:Rogue"]
    assert 0 < faults["episodes"] == sum(faults["by"].values()) <= faults["of"]
    told = " ".join(ludus(*command, columns=300, LUDUS_STORE=store).stdout.split())
    assert not missing(told, f"{faults['episodes']} of {faults['of']} games ended by faults '{faults['command']}'")
    assert ludus(*faults["command"].split()[1:], LUDUS_STORE=store).returncode == 0


def test_equal_pairs_of_random_agents_are_counted_and_named(tmp_path: Path) -> None:
    agents = ("alphabeta:depth=1,time=10m,shuffle=no", "alphabeta:depth=2,shuffle=no")
    command = ("compare", *agents, "--game", "tic-tac-toe", "--opening-plies", "0", "--most", "4", "--workers", "0")
    found = json.loads(ludus(*command, "--json", LUDUS_STORE=str(tmp_path / "results.db")).stdout)
    assert (found["pairs"], found["repeated"], found["repeating"]) == (4, 0, [list(agents)])


def test_undecided_comparison_says_so(tmp_path: Path) -> None:
    short = ("random", "random", "--game", "tic-tac-toe", "--most", "5", "--workers", "0")
    done = ludus("compare", *short, LUDUS_STORE=str(tmp_path / "results.db"))
    assert done.stdout.startswith("Undecided")


def test_comparison_without_an_end_says_who_is_clearly_ahead(tmp_path: Path) -> None:
    done = ludus(*COMPARISON, "--elo1", "1", LUDUS_STORE=str(tmp_path / "results.db"))
    sentence = " ".join(done.stdout.partition("\n\n")[0].split())
    assert not missing(sentence, "mcts:simulations=30 clearly stronger random Elo not finished")


def test_trinomial_comparison_counts_single_games(tmp_path: Path) -> None:
    store = str(tmp_path / "results.db")
    arguments = ("--elo1", "100", "--model", "normalised", "--trinomial")
    found = json.loads(ludus(*COMPARISON, *arguments, "--json", LUDUS_STORE=store).stdout)
    assert (found["trinomial"], found["corrected"], found["verdict"]) == (True, True, "H1")
    assert found["bins"] == [found["losses"], found["ties"], found["wins"]]
    assert found["pairs"] == len(found["path"]) == sum(found["bins"]) / 2
    assert found["normalised_error"] > 0
    shown = ludus(*COMPARISON, *arguments, LUDUS_STORE=store).stdout
    assert "WL or DD" not in shown
    assert "normalised Elo" in shown


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("random", "mc", "--game", "tic-tac-toe", "--elo0", "20"), "elo0 elo1 20 10"),
        (("random", "mc", "--game", "tic-tac-toe", "--elo1", "7000"), "elo1 7000"),
        (("random", "mc", "--game", "tic-tac-toe", "--elo0", "-500000"), "elo0 -500000"),
        (("random", "maxn:depth=[1,2]", "--game", "tic-tac-toe"), "'maxn:depth=[1,2]' 2 agents"),
        (("random", "mc", "--game", "2048"), "two players 2048 1 'ludus run'"),
        (("random", "mc", "--game", "nim:players=3"), "two players nim:players=3 3 'ludus run'"),
        (("random", "mc"), "--game"),
    ],
)
def test_comparison_that_makes_no_sense_is_refused(tmp_path: Path, arguments: list[str], named: str) -> None:
    done = ludus("compare", *arguments, LUDUS_STORE=str(tmp_path / "results.db"))
    assert done.returncode == 2
    assert not missing(done.stderr, named)
    assert done.stderr.count("\n") == 1


def test_path_is_drawn_between_its_bounds() -> None:
    lines = drawn_path([0.0, 1.0, 2.0, 3.0], -3.0, 3.0)
    assert len(lines) == ROWS
    assert [line[:6] for line in lines if line[:6].strip()] == [" +3.00", " +0.00", " -3.00"]
    assert lines[0].endswith("•")
    assert lines[ROWS // 2][7] == "•"
    assert "•" not in "".join(lines[ROWS // 2 + 1 :])
