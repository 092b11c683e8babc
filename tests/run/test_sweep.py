from typing import Any

import pytest

from ludus import LudusError
from ludus.run.sweep import OPENING_PLIES, plan_sweep
from ludus.tournaments.plan import make_tournament

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
    assert made.format == "gauntlet:runners=3"
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
    assert (planned.format, planned.opponents, planned.opening_plies) == ("solo", (), 0)


def test_openings_let_episodes_differ_unless_the_start_does() -> None:
    assert plan_sweep("tic-tac-toe", MCTS, ["c=1"], ["random"]).opening_plies == OPENING_PLIES
    assert plan_sweep("speed", MCTS, ["c=1"], ["random"]).opening_plies == 0


@pytest.mark.parametrize(
    ("game", "parameters", "against", "said"),
    [
        ("tic-tac-toe", [], ["random"], "A sweep needs something to vary"),
        ("tic-tac-toe", ["c=1", "c=2"], ["random"], "'c' is given twice"),
        ("tic-tac-toe", ["c=1"], [], "A sweep needs opponents"),
        ("2048", ["c=1"], ["random"], "2048 has one player, so nobody plays against another"),
        ("tic-tac-toe", ["c=0..1/50", "tree_depth=1..50/50"], ["random"], "These are 2,500 variants, and 1,000 are"),
        ("tic-tac-toe", [f"c={','.join(map(str, range(60)))},60..100/980"], ["random"], "These are 1,0"),
        ("speed", ["c=1"], ["random", "remote:anna"], "remote:anna takes no part in a sweep"),
        ("tic-tac-toe", ["c=1"], ["randon"], "There is no agent 'randon', perhaps you mean 'random'"),
    ],
)
def test_bad_sweep_gets_one_sentence(game: str, parameters: list[str], against: list[str], said: str) -> None:
    with pytest.raises(LudusError) as caught:
        plan_sweep(game, MCTS, parameters, against)
    assert str(caught.value).startswith(said)
    assert str(caught.value).endswith(".")


def test_one_by_one_is_advised_where_that_makes_fewer() -> None:
    many, few = "c=0..1/900,2..3/900", ["c=0..1/50", "tree_depth=1..50/50"]
    for parameters, advised in (([many], False), (few, True)):
        with pytest.raises(LudusError) as caught:
            plan_sweep("tic-tac-toe", MCTS, parameters, ["random"])
        assert ("--one-by-one" in str(caught.value)) == advised
