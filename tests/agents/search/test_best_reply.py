import numpy as np
import pytest

from ludus import Clock, Game, View
from ludus.agents.search.alphabeta import AlphaBeta
from ludus.agents.search.best_reply import BestReply
from ludus.games.game import game_from
from ludus.kernel import rules
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import State, duplicate, play
from support.positions import random_position


def best_reply_value(game: Game, state: State, me: int, depth: int) -> float:
    """Best-reply search, written down as it is defined."""
    if rules.over(state):
        return game.scores(state)[me]
    if depth == 0:
        return float(rules.heuristic(state, me))
    mover = game.movers(state)[0]
    if mover == me:
        children = []
        for move in game.moves(state, me):
            child = duplicate(state)
            play(child, np.array([move]))
            children.append(best_reply_value(game, child, me, depth - 1))
        return max(children)
    replies = []
    base = duplicate(state)
    while not rules.over(base) and (mover := game.movers(base)[0]) != me:
        for move in game.moves(base, mover):
            child = duplicate(base)
            play(child, np.array([move]))
            while not rules.over(child) and game.movers(child)[0] != me:
                rules.skip(child, game.movers(child)[0])
            replies.append(best_reply_value(game, child, me, depth - 1))
        rules.skip(base, mover)
    return min(replies)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_brs_finds_the_value_of_its_definition(seats: int, depth: int) -> None:
    game = game_from("nim:piles=2-3-2", seats)
    state = random_position(game, 1, depth)
    me = game.movers(state)[0]
    agent = BestReply(depth=depth, order=False)
    agent.begin(game, me, 1)
    found = agent.choose(View(state, me), Clock()).metrics["value"]
    assert found == pytest.approx(best_reply_value(game, state, me, depth))


def test_with_one_opponent_it_is_alphabeta() -> None:
    game = game_from("connect-four")
    for seed in range(5):
        state = random_position(game, 6, seed)
        found = []
        for agent in (BestReply(depth=5), AlphaBeta(depth=5, shuffle="no")):
            agent.begin(game, 0, 1)
            found.append(agent.choose(View(state, 0), Clock()).metrics["value"])
        assert found[0] == found[1]


def test_an_opponent_may_reply_twice_in_a_row() -> None:
    game = game_from("openspiel:dots_and_boxes,num_rows=2,num_cols=2")
    for seed in range(10):
        state = random_position(game, 7, seed)
        me = game.movers(state)[0]
        found = []
        for agent in (BestReply(depth=12), AlphaBeta(depth=12, shuffle="no")):
            agent.begin(game, me, 1)
            found.append(agent.choose(View(state, me), Clock()).metrics["value"])
        assert found[0] == found[1]


def test_a_lone_object_is_taken() -> None:
    game = game_from("nim:piles=3", 4)
    agent = BestReply(depth=4)
    agent.begin(game, 0, 1)
    state = game.start(new_rng(0))
    assert game.format(state, 0, agent.choose(View(state, 0), Clock()).move) == "1-3"
