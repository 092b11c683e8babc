"""The base of the agents of spe_ed."""

import pytest

from contests.speed.drawn import drawn
from ludus import Clock, View
from ludus.agents.agent import agent_from
from ludus.agents.layers import unpack
from ludus.contests.speed.game import ACTIONS, Speed
from ludus.core.errors import LudusError
from ludus.episode.driver import play_episode
from ludus.episode.finished import course
from ludus.episode.local_player import player_for
from ludus.episode.record import Ending, Opening
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import duplicate

AGENTS = [
    "speed.straight",
    "speed.basic",
    "speed.dont-hit",
    "speed.dont-hit:order=random",
    "speed.dont-hit:order=semi-random",
    "speed.branch-and-bound:nodes=2000",
    "speed.branch-and-bound:nodes=2000,order=fixed,jumps=no",
    "speed.danger-fields:depth=8,time=10m",
    "speed.danger-fields:fallback=dont-hit,time=10m",
]


@pytest.mark.parametrize("spec", AGENTS)
def test_agent_suits_spe_ed_alone(spec: str) -> None:
    assert agent_from(spec).unsuited(game_from("speed:players=6")) is None
    assert agent_from(spec).unsuited(game_from("connect-four")) == "plays only spe_ed"


SURE = [
    "speed.straight",
    "speed.basic",
    "speed.dont-hit",
    "speed.branch-and-bound:nodes=500,order=fixed",
    "speed.probability:depth=2",
]


@pytest.mark.parametrize("spec", SURE)
def test_deterministic_agents_repeat_an_episode_whatever_their_seeds(spec: str) -> None:
    game = Speed(players=2, width=12, height=12)
    agent = agent_from(spec)
    assert agent.is_deterministic(game)
    seated = [player_for(agent), player_for(agent_from("speed.basic"))]
    records = [play_episode(game, seated, opening=Opening(seed=3), agents_seed=seed) for seed in (1, 2)]
    assert course(records[0]) == course(records[1])


@pytest.mark.parametrize("spec", [spec for spec in AGENTS if spec not in SURE])
def test_other_agents_count_as_random(spec: str) -> None:
    fixed = "order=fixed" in spec
    assert agent_from(spec).is_deterministic(Speed(players=2)) == fixed


@pytest.mark.parametrize("spec", AGENTS)
def test_agent_answers_at_once_when_it_has_no_time_and_leaves_the_state_alone(spec: str) -> None:
    game = Speed(players=3)
    state = game.start(new_rng(3))
    before, agent = duplicate(state), agent_from(spec)
    agent.begin(game, 1, 1)
    for clock in (Clock(move=0), Clock(move=5_000_000)):
        choice = agent.choose(View(state, 1), clock)
        assert 0 <= choice.move < len(ACTIONS)
        assert all((one == other).all() for one, other in zip(state, before, strict=True))


@pytest.mark.parametrize("spec", AGENTS)
def test_one_seed_gives_one_game(spec: str) -> None:
    game = Speed(players=3, width=14, height=11)
    records = []
    for _ in range(2):
        players = [player_for(agent_from(spec)) for _ in range(3)]
        records.append(play_episode(game, players, seed=4, opening=Opening(seed=4)))
    first, again = ([[move.move for move in step] for step in record.steps] for record in records)
    assert first == again
    assert records[0].ending is Ending.RULES


@pytest.mark.parametrize("spec", AGENTS)
def test_episodes_on_boards_of_other_sizes_follow_each_other(spec: str) -> None:
    game = Speed()
    players = [player_for(agent_from(spec)), player_for(agent_from("speed.basic"))]
    for seed in range(3):
        assert play_episode(game, players, seed=seed, opening=Opening(seed=seed)).ending is Ending.RULES


def test_layers_are_kept_only_if_they_are_wanted() -> None:
    state = drawn("1..... ...... 2.....", "0,0,right,2", "0,2,right,1")
    for wanted in ("no", "yes"):
        agent = agent_from(f"speed.basic:layers={wanted}")
        agent.begin(Speed(), 0, 1)
        metrics = agent.choose(View(state, 0), Clock()).metrics
        assert ("layers" in metrics) == (wanted == "yes")
    path = unpack(metrics["layers"]["path"])
    assert path.shape == (3, 6)
    assert (path > 0).tolist() == [[False, True, True, False, False, False], [False] * 6, [False] * 6]
    assert path[0, 1] > path[0, 2]


def test_path_that_leaves_the_board_is_cut_there() -> None:
    state = drawn("....1. ...... 2.....", "4,0,right,4", "0,2,right,1")
    agent = agent_from("speed.straight:layers=yes")
    agent.begin(Speed(), 0, 1)
    path = unpack(agent.choose(View(state, 0), Clock()).metrics["layers"]["path"])
    assert path.nonzero()[1].tolist() == [5]


@pytest.mark.parametrize("text", ["", "left", "turn_left-turn_left", "turn_left--turn_right", "0-1-2"])
@pytest.mark.parametrize("name", ["speed.dont-hit", "speed.branch-and-bound"])
def test_priorities_that_are_no_list_of_actions_are_refused(name: str, text: str) -> None:
    with pytest.raises(LudusError, match=f"{name}: priorities={text} is not a list of actions"):
        agent_from(f"{name}:priorities={text}")
