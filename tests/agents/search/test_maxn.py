import itertools

import numpy as np
import pytest

from ludus import Clock, Game, View
from ludus.agents.search.maxn import Expectimax, MaxN
from ludus.games.game import game_from
from ludus.kernel import rules
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import State, duplicate, play
from support.positions import random_position


def values(game: Game, state: State) -> list[float]:
    """MaxN to the end of the game, written down as it is defined."""
    if rules.over(state):
        return game.scores(state)
    mover = game.movers(state)[0]
    best: list[float] = []
    for move in game.moves(state, mover):
        child = duplicate(state)
        play(child, np.array([move]))
        found = values(game, child)
        if not best or found[mover] > best[mover]:
            best = found
    return best


@pytest.mark.parametrize(("seats", "table"), list(itertools.product([2, 3, 4], [True, False])))
def test_maxn_finds_the_value_of_its_definition(seats: int, table: bool) -> None:
    game = game_from("nim:piles=1-2-2", seats)
    agent = MaxN(depth=10, table=table, order=False)
    agent.begin(game, 0, 1)
    choice = agent.choose(View(game.start(new_rng(0)), 0), Clock())
    assert choice.metrics["value"] == pytest.approx(values(game, game.start(new_rng(0)))[0])


def test_the_table_saves_nodes_and_keeps_the_value() -> None:
    game = game_from("connect-four")
    found = []
    for table in (True, False):
        agent = MaxN(depth=6, table=table)
        agent.begin(game, 0, 1)
        metrics = agent.choose(View(random_position(game, 6, 1), 0), Clock()).metrics
        found.append((metrics["value"], metrics["nodes"]))
    assert found[0][0] == found[1][0]
    assert found[0][1] < found[1][1]


@pytest.mark.parametrize("table", [True, False])
def test_a_solved_position_is_not_searched_deeper(table: bool) -> None:
    game = game_from("nim:piles=2-2-2", 3)
    agent = MaxN(table=table, nodes=10**9)
    agent.begin(game, 0, 1)
    assert agent.choose(View(game.start(new_rng(0)), 0), Clock()).metrics["depth"] == 6


def expected_points(game: Game, state: State, depth: int) -> float:
    """Expectimax on 2048, written down as it is defined."""
    if rules.over(state):
        return game.scores(state)[0]
    if game.movers(state) == [rules.CHANCE]:
        probabilities = np.zeros(rules.most_outcomes(state))
        n = rules.chance(state, probabilities)
        total = 0.0
        for outcome in range(n):
            child = duplicate(state)
            play(child, np.array([outcome]))
            total += probabilities[outcome] * expected_points(game, child, depth)
        return total
    if depth == 0:
        return float(rules.heuristic(state, 0))
    best = -np.inf
    for move in game.moves(state, 0):
        child = duplicate(state)
        play(child, np.array([move]))
        best = max(best, expected_points(game, child, depth - 1))
    return best


@pytest.mark.parametrize("seed", range(3))
def test_expectimax_weighs_outcomes_by_their_chance(seed: int) -> None:
    game = game_from("2048")
    state = random_position(game, 40 + 2 * seed, seed)
    agent = Expectimax(depth=2)
    agent.begin(game, 0, 1)
    choice = agent.choose(View(state, 0), Clock())
    assert choice.metrics["value"] == pytest.approx(expected_points(game, state, 2))


@pytest.mark.parametrize("seats", [3, 4])
def test_expectimax_without_chance_is_maxn(seats: int) -> None:
    game = game_from("nim:piles=1-2-2", seats)
    found = []
    for agent in (MaxN(depth=10), Expectimax(depth=10)):
        agent.begin(game, 0, 1)
        found.append(agent.choose(View(game.start(new_rng(0)), 0), Clock()))
    assert found[0] == found[1]
