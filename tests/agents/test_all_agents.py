"""Requirements of every agent on every game that it suits."""

import subprocess
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module

import pytest

from ludus import Agent, Clock, View
from ludus.agents.agent import agent_from
from ludus.core.kinds import MOST_COUNT
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
SHORT_DEPTH, SHORT_COUNT = 2, 20
DEEPEST = 64
"""The highest depth that a search may be given."""


def quick(cls: type[Agent]) -> str:
    """The spec of an agent that thinks for a short while, and always equally long.

    The parameters that limit its work are known by their declarations: counts without a bound, and depths of searches.
    """
    counts = {p.name: SHORT_COUNT for p in cls.parameters() if p.high == MOST_COUNT}
    depths = {p.name: SHORT_DEPTH for p in cls.parameters() if p.name.endswith("depth") and (p.high or 0) <= DEEPEST}
    return f"{cls.name}:{','.join(f'{name}={value}' for name, value in (counts | depths).items())}".removesuffix(":")


QUICK = {
    name: quick(cls)
    for name, cls in classes(Agent).items()
    if not cls.person and not any(parameter.required for parameter in cls.parameters())
}
SEARCHES = [name for name, cls in classes(Agent).items() if hasattr(import_module(cls.__module__), "kernel_for")]


@cache
def suited(name: str) -> list[str]:
    """All games that an agent can play."""
    agent = agent_from(name)
    return [game for game in GAMES if agent.unsuited(game_from(game)) is None]


@cache
def _chosen() -> dict[str, list[str]]:
    """Two games for each agent and two agents for each game, as far as they suit each other."""
    chosen: dict[str, list[str]] = {name: [] for name in QUICK}
    players = dict.fromkeys(GAMES, 0)

    def choose(name: str, game: str) -> None:
        chosen[name].append(game)
        players[game] += 1

    for name in QUICK:
        for game in sorted(suited(name), key=lambda game: players[game])[:2]:
            choose(name, game)
    for game in GAMES:
        others = [name for name in QUICK if game in suited(name) and game not in chosen[name]]
        for name in sorted(others, key=lambda name: len(chosen[name]))[: max(0, 2 - players[game])]:
            choose(name, game)
    return chosen


def a_few(name: str) -> list[str]:
    """The games of an agent that are enough from day to day."""
    return _chosen()[name]


some_or_all_games = pytest.mark.parametrize(
    "games", [a_few, pytest.param(suited, marks=pytest.mark.nightly)], ids=["a few games", "every game"]
)


def moves_of(record: Record) -> list[list[str]]:
    return [[move.move for move in step] for step in record.steps]


@some_or_all_games
@pytest.mark.parametrize("name", QUICK)
def test_an_episode_depends_on_its_seed_and_on_no_earlier_episode(name: str, games: Callable[[str], list[str]]) -> None:
    for spec in games(name):
        game = game_from(spec)
        used, fresh = ([player_for(agent_from(QUICK[name])) for _ in range(game.seats)] for _ in range(2))
        limits = Limits(plies=6 if spec == "chess" else 24)
        play_episode(game, used, seed=1, limits=limits)
        records = [play_episode(game, players, seed=2, limits=limits) for players in (used, fresh)]
        assert records[0].ending in (Ending.RULES, Ending.PLIES), spec
        assert moves_of(records[0]) == moves_of(records[1]), spec
        assert records[0].scores == records[1].scores, spec


def test_every_game_is_played_by_two_agents() -> None:
    games = [game for name in QUICK for game in a_few(name)]
    assert {game: games.count(game) for game in GAMES if games.count(game) < 2} == {}


@pytest.mark.parametrize("name", SEARCHES)
def test_an_interpreted_search_chooses_like_the_compiled_one(name: str) -> None:
    small = ["connect-four:rows=4,columns=4,length=3", "goofspiel:cards=4,prizes=descending", "nim:players=3"]
    games = [game for game in map(game_from, small) if agent_from(name).unsuited(game) is None]
    assert games
    for game in games:
        choices = []
        for twin in (False, True):
            agent = agent_from(QUICK[name])
            with pytest.MonkeyPatch.context() as patch:
                if twin:
                    module = type(agent).__module__
                    patch.setattr(f"{module}.kernel_for", lambda state, search: interpreted(search))
                agent.begin(game, 0, 5)
                choices.append(agent.choose(View(game.start(new_rng(0)), 0), Clock()))
        assert choices[0] == choices[1], game.spec()


@some_or_all_games
@pytest.mark.parametrize("name", QUICK)
def test_a_clock_that_has_run_out_still_gets_a_legal_move(name: str, games: Callable[[str], list[str]]) -> None:
    agent = agent_from(name)
    for spec in games(name):
        game = game_from(spec)
        state = random_position(game, 2, 1)
        agent.prepare(game)
        agent.begin(game, game.movers(state)[0], 1)
        choice = agent.choose(View(state, game.movers(state)[0]), Clock(move=0))
        assert choice.move in game.moves(state, game.movers(state)[0]), spec


@pytest.mark.slow
@pytest.mark.slow
def test_another_process_chooses_the_same() -> None:
    command = [sys.executable, "-m", "ludus", "play", "othello:size=6", "mcts:simulations=50", "alphabeta:depth=2"]
    command += ["--seed", "3", "--json"]
    runs = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    records = [Record.from_json(run) for run in runs]
    assert moves_of(records[0]) == moves_of(records[1])
