from pathlib import Path
from typing import Any

import pytest

from ludus import LudusError
from ludus.agents.agent import agent_from
from ludus.core.spec import Spec, parse_agent
from ludus.run.sweep import OPENING_PLIES, plan_sweep, read_axis, varied
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.tournament import NO_OPENINGS
from support.sentences import one_sentence

MCTS = "mcts:simulations=10"


def names(*arguments: Any, **options: Any) -> list[str]:
    return [variant.entrant.name for variant in plan_sweep(*arguments, **options).variants]


def test_grid_has_all_combinations_after_the_agent_as_given() -> None:
    assert names("tic-tac-toe", MCTS, ["c=1,2", "keep=yes,no"], ["random"]) == [
        MCTS,
        "mcts:simulations=10,c=1,keep=no",
        "mcts:simulations=10,c=1",
        "mcts:simulations=10,c=2,keep=no",
        "mcts:simulations=10,c=2",
    ]


def test_agent_as_given_is_there_once_where_it_is_asked_for() -> None:
    planned = plan_sweep("tic-tac-toe", "mcts", ["c=1,1.4"], ["random"])
    assert [variant.entrant.name for variant in planned.variants] == ["mcts", "mcts:c=1"]
    assert planned.variants[0].asked_for
    assert not plan_sweep("tic-tac-toe", "mcts", ["c=1"], ["random"]).variants[0].asked_for


def test_one_by_one_leaves_the_others_as_they_are() -> None:
    assert names("tic-tac-toe", MCTS, ["c=1,2", "keep=no"], ["random"], one_by_one=True) == [
        MCTS,
        "mcts:simulations=10,c=1",
        "mcts:simulations=10,c=2",
        "mcts:simulations=10,keep=no",
    ]


def test_sweep_is_a_tournament_of_variants_against_opponents_only() -> None:
    planned = plan_sweep("tic-tac-toe", MCTS, ["c=1,2"], ["random", "mc:iterations=[2,3]"])
    made = make_tournament("tic-tac-toe", planned.agents, format=planned.format)
    assert made.format == planned.format.spec() == "gauntlet:runners=3"
    assert [entrant.name for entrant in made.agents[3:]] == ["random", "mc:iterations=2", "mc:iterations=3"]


def test_opponent_like_a_variant_has_a_name_of_its_own() -> None:
    planned = plan_sweep("tic-tac-toe", MCTS, ["c=1"], [MCTS, MCTS])
    assert [(opponent.name, opponent.spec) for opponent in planned.opponents] == [
        (f"{MCTS} (opponent)", MCTS),
        (f"{MCTS} (opponent) (2)", MCTS),
    ]


def test_few_opponents_fill_many_seats_in_turn() -> None:
    planned = plan_sweep("nim:players=5", MCTS, ["c=1"], ["random", "mc"])
    assert [opponent.name for opponent in planned.opponents] == ["random", "mc", "random (2)", "mc (2)"]
    make_tournament("nim:players=5", planned.agents, format=planned.format)


def test_one_player_plays_alone() -> None:
    planned = plan_sweep("2048", "mc", ["iterations=1,2"])
    assert (planned.format.spec(), planned.opponents) == ("solo", ())
    assert planned.tournament(1).tournament.openings == NO_OPENINGS


def test_openings_let_episodes_differ() -> None:
    planned = plan_sweep("tic-tac-toe", MCTS, ["c=1"], ["random"])
    assert planned.tournament(1).tournament.openings.plies == OPENING_PLIES
    assert planned.tournament(1, opening_plies=0).tournament.openings == NO_OPENINGS
    assert len(planned.tournament(1, position="x../.o./...").tournament.openings.listed) == 1


@pytest.mark.parametrize(
    ("game", "parameters", "against", "words"),
    [
        ("tic-tac-toe", [], ["random"], "vary"),
        ("tic-tac-toe", ["c=1", "c=2"], ["random"], "'c' twice"),
        ("tic-tac-toe", ["c=1"], [], "opponents"),
        ("2048", ["c=1"], ["random"], "2048 one player"),
        ("tic-tac-toe", ["c=0..1/50", "tree_depth=1..50/50"], ["random"], "2,500 1,000"),
        ("tic-tac-toe", [f"c={','.join(map(str, range(60)))},60..100/980"], ["random"], "1,0 1,000"),
        ("tic-tac-toe", ["c=1"], ["random", "remote:anna"], "remote:anna"),
        ("tic-tac-toe", ["c=1"], ["randon"], "'randon' 'random'"),
    ],
)
def test_bad_sweep_gets_one_sentence(game: str, parameters: list[str], against: list[str], words: str) -> None:
    with one_sentence(words):
        plan_sweep(game, MCTS, parameters, against)


def test_one_by_one_is_advised_if_it_makes_fewer_variants() -> None:
    many, few = "c=0..1/900,2..3/900", ["c=0..1/50", "tree_depth=1..50/50"]
    for parameters, advised in (([many], False), (few, True)):
        with pytest.raises(LudusError) as caught:
            plan_sweep("tic-tac-toe", MCTS, parameters, ["random"])
        assert ("--one-by-one" in str(caught.value)) == advised


def texts(agent: str, text: str) -> list[str]:
    return [value.text for value in read_axis(parse_agent(agent), text).values]


@pytest.mark.parametrize(
    ("agent", "text", "values"),
    [
        ("mcts", "c=0.5..0.9/5", ["0.5", "0.6", "0.7", "0.8", "0.9"]),
        ("mcts", "c=1,1.2,2", ["1", "1.2", "2"]),
        ("mcts", "c=3,1..2/3,1", ["1", "1.5", "2", "3"]),
        ("mcts:simulations=7", "simulations=10..50/5", ["10", "20", "30", "40", "50"]),
        ("mcts", "simulations=none,10", ["none", "10"]),
        ("mcts", "time=10ms..1s/2", ["10ms", "1s"]),
        ("mcts", "keep=yes,no", ["no", "yes"]),
        ("alphabeta:depth=2", "weight.two=1..2/3", ["1.0", "1.5", "2.0"]),
        ("uci,Hash=4:cat", "Hash=16..64/4", ["16", "32", "48", "64"]),
    ],
)
def test_values_come_from_lists_and_ranges_in_their_order(agent: str, text: str, values: list[str]) -> None:
    assert texts(agent, text) == values


def test_numbers_stand_on_an_axis_and_other_values_do_not() -> None:
    mcts = Spec("mcts")
    assert read_axis(mcts, "c=1,2").numeric
    assert read_axis(parse_agent("alphabeta:depth=2"), "weight.two=1,2").numeric
    assert not read_axis(mcts, "simulations=none,10").numeric
    assert not read_axis(mcts, "time=1s,2s").numeric
    assert not read_axis(mcts, "keep=yes,no").numeric


@pytest.mark.parametrize(
    ("agent", "changes", "spec"),
    [
        ("mcts", {"c": "2"}, "mcts:c=2"),
        ("mcts:c=1,keep=no", {"c": "2", "solve": "no"}, "mcts:c=2,keep=no,solve=no"),
        ("uci,Hash=4:cat -n", {"Hash": "8"}, "uci,Hash=8:cat -n"),
        ("uci,Clear Hash,Hash=4:cat -n", {"Hash": "8"}, "uci,Clear Hash,Hash=8:cat -n"),
        ("./mybot", {"safe": "yes"}, "stdio,safe=yes:./mybot"),
        ("mine.py:Mine:depth=1", {"depth": "3"}, "mine.py:Mine:depth=3"),
        ("mine.py", {"depth": "3"}, "mine.py:depth=3"),
    ],
)
def test_variant_keeps_what_is_not_changed(agent: str, changes: dict[str, str], spec: str) -> None:
    assert varied(parse_agent(agent), changes).text == spec


def test_a_word_gives_way_to_another_value_of_its_parameter(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from ludus import Agent, Choice, param\n\n\n"
        'class Mine(Agent):\n    name = "mine"\n    size: int = param(help="its size")\n'
        '    other: int = param(help="another")\n\n'
        "    def begin(self, game, seat, seed): ...\n\n"
        "    def choose(self, view, clock):\n        return Choice(0)\n"
    )
    assert varied(parse_agent(f"{file}:Mine:3,4"), {"size": "5"}).text == f"{file}:Mine:size=5,other=4"
    assert texts(f"{file}:Mine:3,4", "other=4,6") == ["4", "6"]
    with pytest.raises(LudusError, match=r"'3'.* size=5"):
        agent_from(f"{file}:Mine:3,4,size=5")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("c", "'--param c' NAME=VALUES"),
        ("c=", "'c' empty"),
        ("c=1,,2", "'c' empty"),
        ("cc=1", "mcts 'cc' 'c' simulations,"),
        ("c=200", "mcts c=200 0 100"),
        ("c=1..200/3", "c=200 0 100"),
        ("c=a..2/3", "c=a 0 100"),
        ("c=1..2", "c=1..2 c=1..2/5"),
        ("c=1..2/1", "c=1..2/1 '/' 2"),
        ("c=1..2/x", "c=1..2/x range"),
        ("c=2..1/3", "c=2..1/3 lower"),
        ("simulations=1..3/9", "simulations=1..3/9 whole"),
        ("c=0..1/3000000", "c=0..1/3000000 1,000"),
        ("keep=perhaps", "mcts keep=perhaps yes no"),
        ("keep=no..yes/2", "keep=no..yes/2 range yes no"),
        ("c=1/2", "c=1/2 slash"),
    ],
)
def test_bad_values_get_one_sentence(text: str, words: str) -> None:
    with one_sentence(words):
        read_axis(Spec("mcts"), text)
