import numpy as np
import pytest

from ludus import Clock, Game, View
from ludus.agents.agent import agent_from
from ludus.agents.montecarlo.mcts import MCTS
from ludus.agents.search.alphabeta import AlphaBeta
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import duplicate, heuristic, play, sample
from support.matrix_game import BiasedRockPaperScissors
from support.positions import random_position


def test_simulations_visits_and_value_are_reported() -> None:
    game = game_from("connect-four")
    agent = agent_from("mcts:simulations=700,solve=no")
    agent.begin(game, 0, 1)
    choice = agent.choose(View(game.start(new_rng(0)), 0), Clock())
    assert choice.metrics["simulations"] == 700
    # The very first simulation starts at the root itself.
    assert sum(choice.metrics["visits"].values()) == 699
    assert next(iter(choice.metrics["visits"])) == game.format(game.start(new_rng(0)), 0, choice.move)
    assert -1.0 <= choice.metrics["value"] <= 1.0


def test_one_seed_gives_one_choice() -> None:
    game = game_from("othello")
    state = random_position(game, 10, 1)
    seat = game.movers(state)[0]
    agent, other = MCTS(simulations=500), MCTS(simulations=500)
    agent.begin(game, seat, 3)
    agent.choose(View(state, seat), Clock())
    for player in (agent, other):
        player.begin(game, seat, 7)
    first, second = agent.choose(View(state, seat), Clock()), other.choose(View(state, seat), Clock())
    assert first == second


def test_forced_wins_are_proven() -> None:
    game = game_from("connect-four")
    solver, agent = AlphaBeta(depth=7), MCTS(simulations=50_000)
    won = 0
    for seed in range(150):
        state = random_position(game, 12, seed)
        seat = game.movers(state)[0]
        solver.begin(game, seat, 1)
        known = solver.choose(View(state, seat), Clock()).metrics
        if known["value"] < 1.0 or known["depth"] < 3:
            continue
        won += 1
        agent.begin(game, seat, 1)
        choice = agent.choose(View(state, seat), Clock())
        assert choice.metrics["value"] == 1.0
        assert choice.metrics["simulations"] < 50_000
        play(state, np.array([choice.move]))
        solver.begin(game, 1 - seat, 1)
        assert solver.choose(View(state, 1 - seat), Clock()).metrics["value"] == -1.0
    assert won >= 5


def test_a_threat_is_seen() -> None:
    game = game_from("connect-four")
    state = game.load("......./......./......./......./oo...../xxx....")
    agent = MCTS(simulations=300)
    agent.begin(game, 1, 1)
    assert agent.choose(View(state, 1), Clock()).move == 3


def play_on(game: Game, agent: MCTS, rivals_seed: int, turns: int) -> list[int]:
    """The number of visits of the root before any simulation, at each turn of a game against random moves."""
    state, rng = game.start(new_rng(0)), new_rng(rivals_seed)
    kept: list[int] = []
    since: list[list[int]] = []
    for _ in range(turns):
        choice = agent.choose(View(state, 0, since), Clock())
        kept.append(sum(choice.metrics["visits"].values()) - choice.metrics["simulations"])
        since = []
        while True:
            movers = game.movers(state)
            moves = [choice.move if player == 0 else int(sample(state, player, rng)) for player in movers]
            if 0 in movers and since:
                break
            play(state, np.array(moves))
            since.append(moves)
    return kept


@pytest.mark.parametrize("spec", ["connect-four", "hex:size=5", "goofspiel:cards=6,prizes=descending"])
def test_the_tree_is_kept_between_moves(spec: str) -> None:
    game = game_from(spec)
    keeping, forgetting = MCTS(simulations=2000, solve=False), MCTS(simulations=2000, solve=False, keep=False)
    for agent in (keeping, forgetting):
        agent.begin(game, 0, 1)
    assert max(play_on(game, keeping, 5, 3)[1:]) > 2
    assert max(play_on(game, forgetting, 5, 3)) <= 0


def test_chance_is_averaged() -> None:
    game = game_from("2048")
    state = random_position(game, 12, 1)
    agent = MCTS(simulations=2000)
    agent.begin(game, 0, 1)
    choice = agent.choose(View(state, 0), Clock())
    assert choice.move in game.moves(state, 0)
    assert choice.metrics["value"] > 0


@pytest.mark.parametrize("seats", [3, 4])
def test_several_players_look_after_themselves(seats: int) -> None:
    game = game_from("nim:piles=2", seats)
    agent = MCTS(simulations=500)
    agent.begin(game, 0, 1)
    choice = agent.choose(View(game.start(new_rng(0)), 0), Clock())
    assert game.format(game.start(new_rng(0)), 0, choice.move) == "1-2"


def test_simultaneous_moves_find_the_mixed_optimum() -> None:
    game = BiasedRockPaperScissors()
    state = game.start(new_rng(0))
    drawn = np.zeros(3)
    for seed in range(200):
        agent = MCTS(simulations=3000)
        agent.begin(game, 0, seed)
        drawn[agent.choose(View(state, 0), Clock()).move] += 1
    # Within four standard errors of 200 draws.
    np.testing.assert_allclose(drawn / 200, [1 / 7, 4 / 7, 2 / 7], atol=0.14)
    agent = MCTS(simulations=100_000)
    agent.begin(game, 0, 1)
    agent.choose(View(state, 0), Clock())
    mixture = np.zeros(3)
    tree = agent._trees[0]
    mixture[tree.moves[:3]] = tree.stats[:3, 3]
    np.testing.assert_allclose(mixture / mixture.sum(), [1 / 7, 4 / 7, 2 / 7], atol=0.02)


def test_confidence_bounds_repeat_one_move_where_regret_matching_mixes() -> None:
    game = BiasedRockPaperScissors()
    state = game.start(new_rng(0))
    visits = {}
    for simultaneous, c in (("regret", 1.4), ("uct", 1.4), ("uct", 0.0)):
        agent = MCTS(simulations=2000, simultaneous=simultaneous, c=c)
        agent.begin(game, 0, 1)
        choice = agent.choose(View(state, 0), Clock())
        visits[simultaneous, c] = choice.metrics["visits"]
        if simultaneous == "uct":
            most = max(choice.metrics["visits"], key=choice.metrics["visits"].get)
            assert game.format(state, 0, choice.move) == most
    assert visits["uct", 1.4] != visits["regret", 1.4]
    assert visits["uct", 1.4] != visits["uct", 0.0]


def test_a_depth_of_tree_and_rollout_is_kept() -> None:
    game = game_from("hex:size=5")
    shallow = MCTS(simulations=2000, tree_depth=1, rollout_depth=3)
    shallow.begin(game, 0, 1)
    choice = shallow.choose(View(game.start(new_rng(0)), 0), Clock())
    assert choice.metrics["nodes"] == 26
    # With no random move before the evaluation, whatever is tried at depth one has one value.
    still = MCTS(simulations=300, tree_depth=1, rollout_depth=0)
    still.begin(game, 0, 1)
    state = game.start(new_rng(0))
    choice = still.choose(View(state, 0), Clock())
    play(state, np.array([choice.move]))
    assert choice.metrics["value"] == pytest.approx(float(heuristic(state, 0)))


def test_a_state_is_left_as_it_was() -> None:
    game = game_from("hex:size=5")
    state = random_position(game, 4, 1)
    before = duplicate(state)
    agent = MCTS(simulations=200)
    agent.begin(game, 0, 1)
    agent.choose(View(state, game.movers(state)[0]), Clock())
    for was, now in zip(before, state, strict=True):
        np.testing.assert_array_equal(was, now)
