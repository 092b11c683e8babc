import numpy as np
import pytest

from contests.speed.drawn import drawn
from ludus import Clock, View
from ludus.contests.speed.agents.adapting import Opponents, Settings, adapted, is_alone
from ludus.contests.speed.agents.combi import Combi
from ludus.contests.speed.agents.walking import lay_out, new_ground, place_of
from ludus.contests.speed.game import FELL, Speed, SpeedState
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import duplicate

USUAL = Settings(filter=0.69, start_probability=2.0, risk=0.5, minimax_distance=15.0)
OPEN = drawn("......\n......\n1.....\n.....2\n......", "0,2,right,1", "5,3,left,1", now=3)
WALLED = drawn("...2..\n...2..\n1..2.2\n...222\n......", "0,2,right,1", "5,2,up,1", now=9)
CLOSED = drawn("...2..\n...2..\n1..2.2\n222222", "0,2,right,1", "5,2,up,1", now=9)


def alone(state: SpeedState) -> bool:
    height, width = state.cells.shape
    ground = new_ground(width, height)
    lay_out(state, ground)
    before = ground.cells.copy()
    found = is_alone(state, 0, ground, int(place_of(ground, 0, 2)), np.zeros(len(ground.cells), np.int64))
    assert (ground.cells == before).all()
    return found


def test_a_player_is_alone_where_no_living_other_stands_beside_its_space() -> None:
    assert not alone(OPEN)
    assert alone(CLOSED)
    assert alone(WALLED), "the other is behind its own trail"
    dead = duplicate(OPEN)
    dead.players[1, FELL] = 2
    assert alone(dead)


def test_usual_parameters_hold_against_one_that_neither_hunts_nor_flees() -> None:
    assert adapted(USUAL, others=1, hunting=0.5, alone=False) == USUAL


def test_hunters_and_crowds_make_careful() -> None:
    for others, hunting in ((5, 0.5), (1, 1.0)):
        careful = adapted(USUAL, others, hunting, alone=False)
        assert careful.start_probability < USUAL.start_probability
    assert adapted(USUAL, 1, 1.0, alone=False).minimax_distance > USUAL.minimax_distance
    assert adapted(USUAL, 1, 0.0, alone=False).minimax_distance < USUAL.minimax_distance


def test_alone_only_long_paths_count() -> None:
    settings = adapted(USUAL, 3, 0.9, alone=True)
    assert (settings.risk, settings.minimax_distance, settings.alone) == (1.0, 0.0, True)
    assert settings.filter > USUAL.filter


def test_who_comes_nearer_is_a_hunter() -> None:
    game = Speed(players=3, width=40, height=40)
    state, opponents = game.start(new_rng(1)), Opponents(3)
    for turn in range(20):
        state.players[0, :2], state.players[1, :2], state.players[2, :2] = (20, 0), (20, 39 - turn), (20 - turn % 20, 5)
        opponents.watch(state, 0)
    assert opponents.hunting[1] > 0.8
    assert opponents.hunting[2] < 0.2


@pytest.mark.parametrize("players", [2, 6])
def test_combi_plays_with_the_parameters_of_the_moment(players: int) -> None:
    state = game_from(f"speed:players={players},width=40,height=40").start(new_rng(3))
    plain, adapting = Combi(simulations=50), Combi(simulations=50, adapt=True)
    for agent in (plain, adapting):
        agent.begin(Speed(players=players), 0, 1)
    assert not any(name.startswith("adapted") for name in plain.choose(View(state, 0), Clock()).metrics)
    metrics = adapting.choose(View(state, 0), Clock()).metrics
    assert metrics["adapted_start_probability"] == pytest.approx(2.0 / np.sqrt(players - 1))


def test_combi_alone_searches_no_more_than_paths() -> None:
    agent = Combi(simulations=50, adapt=True)
    agent.begin(Speed(players=2), 0, 1)
    for _ in range(2):
        metrics = agent.choose(View(CLOSED, 0), Clock()).metrics
    assert metrics["adapted_alone"]
    assert metrics["table_depth"] == 0
    assert "minimax_depth" not in metrics
