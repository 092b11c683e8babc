import itertools

import numpy as np
import pytest

from ludus import Agent, Clock, Game, LudusError, View
from ludus.agents.agent import agent_from
from ludus.agents.search.alphabeta import AlphaBeta, Minimax
from ludus.agents.search.deepening import NODES
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import State, over, play
from support.connect_four_solver import solve
from support.matrix_game import BiasedRockPaperScissors
from support.positions import random_position

GAMES = [
    "tic-tac-toe",
    "connect-four",
    "connect-four:rows=4,columns=5,length=3",
    "othello:size=6",
    "hex:size=4",
    "gomoku:size=7",
]


def value_of(agent: Agent, game: Game, state: State) -> float:
    seat = game.movers(state)[0]
    agent.begin(game, seat, 1)
    return float(agent.choose(View(state, seat), Clock()).metrics["value"])


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_alphabeta_has_the_value_of_minimax(spec: str, depth: int) -> None:
    game = game_from(spec)
    plain = Minimax(depth=depth, table="off", shuffle="no")
    pruned = [
        AlphaBeta(depth=depth, table=table, killers=killers, history=killers, shuffle=shuffle)
        for table, killers, shuffle in itertools.product(("equal", "off"), (True, False), ("yes", "no", "inner"))
    ]
    for seed in range(3):
        state = random_position(game, 2 * seed, seed)
        expected = value_of(plain, game, state)
        assert [value_of(agent, game, state) for agent in pruned] == [expected] * len(pruned)


@pytest.mark.parametrize("device", ["table", "killers", "history"])
def test_each_device_saves_nodes_and_keeps_the_value(device: str) -> None:
    game = game_from("connect-four")
    with_it = AlphaBeta(depth=9, table="equal", shuffle="no")
    without = AlphaBeta(depth=9, table="equal", shuffle="no")
    setattr(without, device, "off" if device == "table" else False)
    nodes = [0, 0]
    for seed in range(10):
        state = random_position(game, 6, seed)
        assert value_of(with_it, game, state) == value_of(without, game, state)
        nodes[0] += with_it._space.counts[NODES]
        nodes[1] += without._space.counts[NODES]
    assert nodes[0] < nodes[1]


def test_tic_tac_toe_is_drawn() -> None:
    game = game_from("tic-tac-toe")
    assert value_of(agent_from("alphabeta:depth=9"), game, game.start(new_rng(0))) == 0.0
    assert value_of(agent_from("minimax:depth=9"), game, game.start(new_rng(0))) == 0.0


def test_hex_4_is_won_by_the_first_player() -> None:
    game = game_from("hex:size=4")
    assert value_of(agent_from("alphabeta:depth=16"), game, game.start(new_rng(0))) == 1.0


@pytest.mark.parametrize("seed", range(8))
def test_connect_four_is_solved_from_sixteen_stones_on(seed: int) -> None:
    game = game_from("connect-four")
    state = random_position(game, 16 + seed, seed)
    assert value_of(agent_from("alphabeta:depth=42"), game, state) == solve(state)


def test_a_win_is_taken_at_once() -> None:
    game = game_from("connect-four")
    winning = game.load("......./......./......./o....../o....../oxxx...")
    agent = agent_from("alphabeta:depth=8")
    agent.begin(game, 0, 1)
    choice = agent.choose(View(winning, 0), Clock())
    assert (choice.move, choice.metrics["depth"], choice.metrics["line"]) == (4, 1, "5")


def test_a_loss_is_put_off() -> None:
    game = game_from("connect-four")
    agent, shallower = AlphaBeta(depth=10), AlphaBeta()
    lost = 0
    for seed in range(150):
        state = random_position(game, 14, seed)
        seat = game.movers(state)[0]
        agent.begin(game, seat, 1)
        choice = agent.choose(View(state, seat), Clock())
        if choice.metrics["value"] == -1.0 and choice.metrics["depth"] >= 4:
            lost += 1
            play(state, np.array([choice.move]))
            shallower.depth = choice.metrics["depth"] - 3
            assert value_of(shallower, game, state) < 1.0
    assert lost > 3


@pytest.mark.parametrize("name", ["alphabeta", "minimax"])
def test_a_loss_is_put_off_in_later_turns_too(name: str) -> None:
    game = game_from("connect-four:rows=4,columns=5,length=3")
    lost = 0
    for seed in range(60):
        state = random_position(game, 4, seed)
        if over(state):
            continue
        seat = game.movers(state)[0]
        agent, other, fresh = (agent_from(f"{name}:depth=8,shuffle=no") for _ in range(3))
        agent.begin(game, seat, 1)
        other.begin(game, 1 - seat, 1)
        is_later = False
        while not over(state):
            choice = agent.choose(View(state, seat), Clock())
            fresh.begin(game, seat, 1)
            alone = fresh.choose(View(state, seat), Clock())
            if alone.metrics["value"] == choice.metrics["value"] == -1.0:
                lost += is_later
                assert choice.metrics["depth"] == alone.metrics["depth"]
            is_later = True
            play(state, np.array([choice.move]))
            if not over(state):
                play(state, np.array([other.choose(View(state, 1 - seat), Clock()).move]))
    assert lost > 3


def test_counts_are_reported() -> None:
    game = game_from("connect-four")
    agent = agent_from("alphabeta:depth=7")
    agent.begin(game, 0, 1)
    metrics = agent.choose(View(game.start(new_rng(0)), 0), Clock()).metrics
    assert metrics["depth"] == 7
    assert metrics["nodes"] > metrics["cutoffs"] > 0
    assert metrics["table_hits"] > 0
    assert len(metrics["line"].split()) >= 1


def test_a_node_limit_is_kept() -> None:
    game = game_from("othello")
    agent = agent_from("alphabeta:nodes=5000")
    agent.begin(game, 0, 1)
    choice = agent.choose(View(game.start(new_rng(0)), 0), Clock())
    assert 4000 < choice.metrics["nodes"] <= 5000
    assert choice.move in game.moves(game.start(new_rng(0)), 0)


def test_equal_moves_take_turns_when_shuffled() -> None:
    game = game_from("tic-tac-toe")
    state = game.start(new_rng(0))
    play(state, np.array([4]))
    chosen: dict[str, set[int]] = {"yes": set(), "no": set(), "inner": set()}
    for shuffle, seed in itertools.product(chosen, range(20)):
        agent = AlphaBeta(depth=9, shuffle=shuffle)
        agent.begin(game, 1, seed)
        chosen[shuffle].add(agent.choose(View(state, 1), Clock()).move)
    assert chosen["yes"] == {0, 2, 6, 8}
    assert len(chosen["no"]) == 1


@pytest.mark.parametrize("spec", ["connect-four", "gomoku:size=7"])
def test_shuffled_inner_moves_change_the_work_and_not_the_choice(spec: str) -> None:
    game = game_from(spec)
    nodes: set[int] = set()
    for seed in range(4):
        state = random_position(game, 4, seed)
        seat = game.movers(state)[0]
        moves = set()
        for shuffle, own_seed in (("no", 0), ("inner", 1), ("inner", 2)):
            agent = AlphaBeta(depth=3, table="equal", history=False, shuffle=shuffle)
            agent.begin(game, seat, own_seed)
            choice = agent.choose(View(state, seat), Clock())
            moves.add(choice.move)
            nodes.add(choice.metrics["nodes"])
        assert len(moves) == 1
    assert len(nodes) > 4


@pytest.mark.parametrize(("spec", "weight"), [("othello", "mobility=500.0"), ("chess", "queen=90.0")])
def test_weights_change_the_value(spec: str, weight: str) -> None:
    game = game_from(spec)
    state = random_position(game, 20, 1)
    values = []
    for text in ("alphabeta:depth=2", f"alphabeta:depth=2,weight.{weight}"):
        agent = agent_from(text)
        assert agent.spec() == text
        values += [value_of(agent, game, state), value_of(agent, game, state)]
    assert values[0] == values[1] != values[2] == values[3]


@pytest.mark.parametrize("number", ["nan", "inf", "much"])
def test_weights_are_numbers(number: str) -> None:
    with pytest.raises(LudusError, match="is not a number"):
        agent_from(f"alphabeta:weight.corner={number}")


def test_unknown_weights_are_refused() -> None:
    agent = agent_from("alphabeta:weight.corners=3")
    assert "weight.corners" in str(agent.unsuited(game_from("connect-four")))
    assert "no weights" in str(agent.unsuited(BiasedRockPaperScissors()))


@pytest.mark.parametrize("seats", [3, 4])
def test_paranoid_plays_several_players_as_one_opponent(seats: int) -> None:
    game = game_from("nim:piles=1-2", seats)
    agent = agent_from("paranoid:depth=12")
    agent.begin(game, 0, 1)
    choice = agent.choose(View(game.start(new_rng(0)), 0), Clock())
    # Whatever is left, the others can finish it between them.
    assert choice.metrics["value"] == pytest.approx(-1 / (seats - 1))
