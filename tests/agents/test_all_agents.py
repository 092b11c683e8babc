"""Requirements of every agent on every game that it suits."""

import subprocess
import sys

import pytest

from ludus import Agent, Clock, View
from ludus.agents.agent import agent_from
from ludus.core.registry import classes
from ludus.episode.driver import play_episode
from ludus.episode.limits import Limits
from ludus.episode.local_player import player_for
from ludus.episode.record import Ending, Record
from ludus.games.game import game_from
from ludus.kernel.jit import interpreted
from ludus.kernel.rng import new_rng
from support.installed_games import installed
from support.positions import random_position

GAMES = installed(
    [
        "tic-tac-toe",
        "connect-four",
        "hex:size=5,swap=yes",
        "gomoku:size=9",
        "othello:size=6",
        "2048",
        "nim:players=3",
        "nim:players=4,misere=yes",
        "goofspiel:cards=5",
        "goofspiel:cards=4,players=3,prizes=descending",
        "speed:width=14,height=11",
        "speed:players=3,width=14,height=11",
        "chess",
        "openspiel:breakthrough,rows=5,columns=5",
        "openspiel:pig",
        "openspiel:goofspiel,num_cards=4",
    ]
)
SMALL = {
    "depth": 2,
    "iterations": 3,
    "minimax_depth": 2,
    "nodes": 300,
    "rollout_depth": 5,
    "simulations": 30,
    "table_depth": 2,
}
"""Parameters that limit an agent's thinking."""


def quick(cls: type[Agent]) -> str:
    """The spec of an agent that thinks for a short while, and always equally long."""
    options = [f"{p.name}={SMALL[p.name]}" for p in cls.parameters() if p.name in SMALL]
    return f"{cls.name}:{','.join(options)}".removesuffix(":")


QUICK = {
    name: quick(cls)
    for name, cls in classes(Agent).items()
    if not cls.person and not any(parameter.required for parameter in cls.parameters())
}


def episode(agent: Agent, game_spec: str, seed: int) -> Record:
    game = game_from(game_spec)
    players = [player_for(agent_from(agent.spec())) for _ in range(game.seats)]
    return play_episode(game, players, seed=seed, limits=Limits(plies=6 if game_spec == "chess" else 24))


def moves_of(record: Record) -> list[list[str]]:
    return [[move.move for move in step] for step in record.steps]


@pytest.mark.parametrize(
    "game", installed(["2048", "connect-four", "goofspiel:cards=5", "nim:players=3", "speed:width=14,height=11"])
)
@pytest.mark.parametrize("name", QUICK)
def test_nothing_is_known_from_an_earlier_episode(name: str, game: str) -> None:
    agent, made = agent_from(QUICK[name]), game_from(game)
    if reason := agent.unsuited(made):
        pytest.skip(f"{name} {reason}")
    used, fresh = ([player_for(agent_from(QUICK[name])) for _ in range(made.seats)] for _ in range(2))
    limits = Limits(plies=40)
    play_episode(made, used, seed=1, limits=limits)
    records = [play_episode(made, players, seed=2, limits=limits) for players in (used, fresh)]
    assert moves_of(records[0]) == moves_of(records[1])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", QUICK)
def test_an_agent_plays_every_game_that_it_suits(name: str, game: str) -> None:
    agent = agent_from(QUICK[name])
    if reason := agent.unsuited(game_from(game)):
        pytest.skip(f"{name} {reason}")
    first = episode(agent, game, 1)
    assert first.ending in (Ending.RULES, Ending.PLIES)
    again = episode(agent, game, 1)
    assert moves_of(again) == moves_of(first)
    assert again.scores == first.scores


@pytest.mark.parametrize("spec", ["connect-four:rows=4,columns=4,length=3", "goofspiel:cards=4,prizes=descending"])
@pytest.mark.parametrize("name", [name for name in QUICK if name not in ("minimax", "random")])
def test_an_interpreted_search_chooses_like_the_compiled_one(
    name: str, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_from(spec)
    if reason := agent_from(name).unsuited(game):
        pytest.skip(f"{name} {reason}")
    choices = []
    for twin in (False, True):
        agent = agent_from(QUICK[name])
        if twin:
            monkeypatch.setattr(f"{type(agent).__module__}.kernel_for", lambda state, search: interpreted(search))
        agent.begin(game, 0, 5)
        choices.append(agent.choose(View(game.start(new_rng(0)), 0), Clock()))
    assert choices[0] == choices[1]


@pytest.mark.parametrize("name", QUICK)
def test_a_clock_that_has_run_out_still_gets_a_legal_move(name: str) -> None:
    agent = agent_from(name)
    for spec in installed(["connect-four", "2048", "goofspiel:cards=5", "chess", "speed"]):
        game = game_from(spec)
        if agent.unsuited(game) is None:
            state = random_position(game, 6, 1)
            agent.prepare(game)
            agent.begin(game, game.movers(state)[0], 1)
            choice = agent.choose(View(state, game.movers(state)[0]), Clock(move=0))
            assert choice.move in game.moves(state, game.movers(state)[0])


def test_another_process_chooses_the_same() -> None:
    command = [sys.executable, "-m", "ludus", "play", "othello:size=6", "mcts:simulations=50", "alphabeta:depth=2"]
    command += ["--seed", "3", "--json"]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    records = [Record.from_json(run) for run in runs]
    assert moves_of(records[0]) == moves_of(records[1])
