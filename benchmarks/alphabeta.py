"""Nodes a second of alpha-beta in early positions, and whole searches beside OpenSpiel's, which are in Python."""

import time
from collections.abc import Callable, Iterator

import numpy as np
import pyspiel
from open_spiel.python.algorithms import minimax

from ludus.agents.agent import Clock, View, agent_from
from ludus.games.game import game_from
from ludus.kernel.rng import below, new_rng
from ludus.kernel.rules import order, play
from side_by_side import Row, compare, main, pin

SEARCHES = {"gomoku": "alphabeta:nodes=652148", "connect-four": "alphabeta:depth=12", "othello": "alphabeta:depth=10"}
RANDOM_PLIES = 6
PUBLISHED = 652_148 / 1.740
"""Nodes a second of the Gomoku bot of a bachelor's thesis of 2024, on its author's machine: 652,148 in 1,740 ms."""
LEAST_SECONDS = 0.3


def ludus_search(spec: str, agent_spec: str, figure: str, random_plies: int = 0) -> Callable[[], float]:
    """A measurement of nodes, or of whole searches, a second; some random plies from the start."""
    game, agent = game_from(spec), agent_from(agent_spec)
    rng = new_rng("alphabeta")
    state = game.start(rng)
    for _ in range(random_plies):
        moves = np.array(game.moves(state, game.movers(state)[0]))
        moves = moves[: order(state, game.movers(state)[0], moves, len(moves))]
        play(state, moves[below(rng, len(moves)) :])

    def run() -> float:
        done, spent = 0, 0.0
        while spent < LEAST_SECONDS:
            agent.begin(game, 0, 1)
            begin = time.perf_counter()
            choice = agent.choose(View(state, 0), Clock())
            spent += time.perf_counter() - begin
            done += choice.metrics["nodes"] if figure == "nodes" else 1
        return done / spent

    return run


def openspiel_search(name: str, depth: int) -> Callable[[], float]:
    game = pyspiel.load_game(name)

    def run() -> float:
        begin = time.perf_counter()
        minimax.alpha_beta_search(game, maximum_depth=depth)
        return 1 / (time.perf_counter() - begin)

    return run


def measure() -> Iterator[Row]:
    pin()
    for spec, agent in SEARCHES.items():
        run = ludus_search(spec, agent, "nodes", RANDOM_PLIES)
        name = f"{spec}, {agent}"
        if spec == "gomoku":
            yield compare(name, run, lambda: PUBLISHED, "nodes/s", "published figure", 5.0)
        else:
            run()
            yield Row(name, sorted(run() for _ in range(5))[2], None, "nodes/s", None)
    ours, theirs = ludus_search("tic-tac-toe", "alphabeta:depth=9", "searches"), openspiel_search("tic_tac_toe", 9)
    yield compare("tic-tac-toe, to the end", ours, theirs, "searches/s", "OpenSpiel, Python alpha-beta")


if __name__ == "__main__":
    main("Alpha-beta", measure)
