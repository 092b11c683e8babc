"""Positions a second of branch and bound in spe_ed, beside the published figure of the program that it follows."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from ludus.agents.agent import Clock, View, agent_from
from ludus.contests.speed.game import SpeedState
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import over, play
from side_by_side import Row, compare, main, pin

PLAYERS, SIDE, ROUNDS = 4, 60, 150
NODES = 1_000_000
PUBLISHED = 10_000
"""Calls a second of recursiveBnB at depth 30, in JavaScript and on its authors' machine: 9,924 on average."""
GOAL = 5_000_000 / PUBLISHED
LEAST_SECONDS = 0.3


def middle_game() -> SpeedState:
    """A board some way into a game, with the first player still alive."""
    game = game_from(f"speed:players={PLAYERS},width={SIDE},height={SIDE}")
    for seed in range(1000):
        state = game.start(new_rng(seed))
        agents = [agent_from("speed.dont-hit:order=semi-random") for _ in range(PLAYERS)]
        for seat, agent in enumerate(agents):
            agent.begin(game, seat, seed)
        while not over(state) and 0 in game.movers(state) and state.clock[0] < ROUNDS:
            moves = [agents[seat].choose(View(state, seat), Clock()).move for seat in game.movers(state)]
            play(state, np.array(moves))
        if state.clock[0] == ROUNDS and not over(state) and 0 in game.movers(state):
            return state
    raise AssertionError("no game lasts that long")


def search(state: SpeedState, order: str) -> Callable[[], float]:
    """A measurement of positions a second, in a search for a path that is too long to be found."""
    game = game_from(f"speed:players={PLAYERS},width={SIDE},height={SIDE}")
    agent = agent_from(f"speed.branch-and-bound:depth=1000,order={order},nodes={NODES}")

    def run() -> float:
        done, spent = 0, 0.0
        while spent < LEAST_SECONDS:
            agent.begin(game, 0, 1)
            begin = time.perf_counter()
            done += agent.choose(View(state, 0), Clock()).metrics["nodes"]
            spent += time.perf_counter() - begin
        return done / spent

    return run


def measure() -> Iterator[Row]:
    pin()
    state = middle_game()
    for order in ("fixed", "random"):
        run = search(state, order)
        name = f"{SIDE}×{SIDE}, round {ROUNDS}, {order} priorities"
        yield compare(name, run, lambda: PUBLISHED, "positions/s", "published figure", GOAL)


if __name__ == "__main__":
    main("Branch and bound in spe_ed", measure)
