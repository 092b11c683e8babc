"""Simulations a second of MCTS from the start, each time with a new tree, beside OpenSpiel's C++ MCTS."""

import time
from collections.abc import Callable, Iterator

import pyspiel

from ludus.agents.agent import Clock, View, agent_from
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from side_by_side import Row, compare, main, pin

GAMES = [("connect-four", "connect_four", 15.0), ("othello", "othello", None), ("hex", "hex(board_size=11)", None)]
LEAST_SECONDS = 0.2


def ludus_simulations(spec: str, simulations: int) -> Callable[[], float]:
    """Timed around `choose` alone: `begin`, which makes room for the tree, comes before any clock."""
    game, agent = game_from(spec), agent_from(f"mcts:simulations={simulations}")
    state = game.start(new_rng(0))

    def run() -> float:
        done, spent = 0, 0.0
        while spent < LEAST_SECONDS:
            agent.begin(game, 0, done)
            begin = time.perf_counter()
            choice = agent.choose(View(state, 0), Clock())
            spent += time.perf_counter() - begin
            done += choice.metrics["simulations"]
        return done / spent

    return run


def openspiel_simulations(name: str, simulations: int) -> Callable[[], float]:
    """Timed around `mcts_search` alone; without its solver, which is faster."""
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, simulations, 1000, False, 1, False)

    def run() -> float:
        done, spent = 0, 0.0
        while spent < LEAST_SECONDS:
            begin = time.perf_counter()
            bot.mcts_search(state)
            spent += time.perf_counter() - begin
            done += simulations
        return done / spent

    return run


def measure() -> Iterator[Row]:
    pin()
    for spec, name, goal in GAMES:
        for simulations in (1_000, 10_000):
            yield compare(
                f"{spec}, {simulations:,} simulations",
                ludus_simulations(spec, simulations),
                openspiel_simulations(name, simulations),
                "simulations/s",
                "OpenSpiel, C++ MCTS",
                goal,
            )


if __name__ == "__main__":
    main("MCTS from the start", measure)
