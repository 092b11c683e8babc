"""The agents of ReversiXT: opponents that can do no harm, sorted moves, and strength."""

import numpy as np
import pytest

from ludus import rules
from ludus.agents.base import Agent, Clock, View
from ludus.catalog import agent_from, game_from
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import Map
from ludus.rng import below, new_rng

GROUPS = ReversiXT(map=Map(4, 0, 0, 0, ("000000-000000", "001200-003400", "002100-004300", "000000-000000")).packed())
"""Two players on each side of a wall."""


def chosen(spec: str, game: ReversiXT = GROUPS) -> dict[str, object]:
    agent = agent_from(spec)
    agent.begin(game, 0, 1)
    return agent.choose(View(game.start(new_rng(0)), 0), Clock()).metrics


@pytest.mark.parametrize("name", ["reversixt.paranoid", "reversixt.brs"])
def test_opponents_behind_a_wall_do_no_harm(name: str) -> None:
    assert chosen(f"{name}:depth=4")["harmless"] == 2
    assert chosen(f"{name}:depth=4,harmless=no")["harmless"] == 0


def test_who_does_no_harm_takes_little_time() -> None:
    with_it = chosen("reversixt.paranoid:depth=6,sort=plain")["nodes"]
    without = chosen("reversixt.paranoid:depth=6,sort=plain,harmless=no")["nodes"]
    assert isinstance(with_it, int)
    assert isinstance(without, int)
    assert with_it < without / 2


def test_sorted_moves_need_fewer_positions() -> None:
    counts = [
        chosen(f"reversixt.paranoid:depth=5,sort={sort},table=off,killers=no,history=no,shuffle=no", ReversiXT())[
            "nodes"
        ]
        for sort in ("none", "plain", "extended")
    ]
    none, plain, extended = (count for count in counts if isinstance(count, int))
    assert extended < plain < none


def test_they_play_reversixt_alone() -> None:
    assert agent_from("reversixt.brs").unsuited(game_from("othello")) == "plays reversixt alone"


@pytest.mark.parametrize("name", ["reversixt.paranoid", "reversixt.brs"])
def test_they_beat_random_moves(name: str) -> None:
    total = 0.0
    for number, map_name in enumerate(("islands", "torus", "cross", "triad") * 2):
        game = ReversiXT(map=map_name)
        seat = number % game.seats
        total += played(game, agent_from(f"{name}:depth=2"), seat, number)[seat]
    assert total > 4


def played(game: ReversiXT, agent: Agent, seat: int, seed: int) -> list[float]:
    """The scores of an agent against random moves."""
    agent.begin(game, seat, seed)
    rng, state = new_rng(seed), game.start(new_rng(0))
    while not rules.over(state):
        [player] = game.movers(state)
        moves = game.moves(state, player)
        move = agent.choose(View(state, seat), Clock()).move if player == seat else moves[below(rng, len(moves))]
        assert move in moves
        rules.play(state, np.array([move]))
    return game.scores(state)
