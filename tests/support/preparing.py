"""A program that prints what agents compile or load after their preparation, each in a process of its own.

Its arguments are agents and their games in turn; it prints a line for each agent: the functions, or nothing.
"""

import os
import sys
from typing import Any

import numpy as np

from ludus import Clock, View
from ludus.agents.agent import agent_from
from ludus.games.game import game_from
from ludus.kernel.jit import SignatureCache
from ludus.kernel.rng import below, new_rng
from ludus.kernel.rules import over, play

ROUNDS = 10
MOVE = 20_000_000


def compiled_late(agent_spec: str, game_spec: str) -> list[str]:
    """The functions of agents that an agent needs in its first rounds and did not have after getting ready."""
    agent, game, rng = agent_from(agent_spec), game_from(game_spec), new_rng(1)
    agent.prepare(game)
    late: list[str] = []
    load = SignatureCache.load_overload

    def noted(self: Any, signature: Any, context: Any) -> Any:
        if self._function.__module__.startswith(("ludus.agents", "ludus.contests.speed.agents")):
            late.append(self._function.__name__)
        return load(self, signature, context)

    SignatureCache.load_overload = noted  # type: ignore[method-assign]
    agent.begin(game, 0, 1)
    state = game.start(rng)
    for _ in range(ROUNDS):
        if over(state):
            break
        moves = {}
        for seat in game.movers(state):
            legal = game.moves(state, seat)
            moves[seat] = legal[below(rng, len(legal))]
            if seat == 0:
                moves[seat] = agent.choose(View(state, seat), Clock(move=MOVE)).move
        play(state, np.array(list(moves.values())))
    return late


if __name__ == "__main__":
    for agent_spec, game_spec in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
        if os.fork() == 0:
            print(*compiled_late(agent_spec, game_spec), flush=True)
            os._exit(0)
        os.wait()
