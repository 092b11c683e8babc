"""Time by which agents exceed their limit for a move, in milliseconds."""

import random
import resource
import time
from collections.abc import Iterator

import numpy as np

from ludus.agents.agent import Clock, View, agent_from
from ludus.games.game import game_from
from ludus.kernel import rules
from ludus.kernel.rng import new_rng
from side_by_side import Row, main, pin

AGENTS = ["mcts:time=20ms", "alphabeta:time=20ms"]
GAMES = ["connect-four", "othello", "hex", "gomoku"]
MOVES = 100


def overruns(agent_spec: str, game_spec: str) -> tuple[list[float], list[float]]:
    """Milliseconds beyond the limit in random games: of undisturbed moves, and of disturbed ones."""
    game, agent = game_from(game_spec), agent_from(agent_spec)
    agent.prepare(game)
    limit = agent.time  # type: ignore[attr-defined]
    chooser = random.Random(1)
    found: tuple[list[float], list[float]] = ([], [])
    while len(found[0]) < MOVES and len(found[1]) < 2 * MOVES:
        state = game.start(new_rng(0))
        agent.begin(game, 0, len(found[0]))
        since: list[list[int]] = []
        while not rules.over(state):
            seat = game.movers(state)[0]
            switches = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
            begin = time.monotonic_ns()
            agent.choose(View(state, seat, since), Clock())
            beyond = (time.monotonic_ns() - begin - limit) / 1e6
            if beyond > -1.0:
                found[resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw > switches].append(beyond)
            since = [[chooser.choice(game.moves(state, seat))]]
            rules.play(state, np.array(since[0]))
    return found


def measure() -> Iterator[Row]:
    pin()
    for agent_spec in AGENTS:
        for game_spec in GAMES:
            calm, disturbed = overruns(agent_spec, game_spec)
            busy = len(calm) < MOVES // 5
            beside = f"{len(calm)} moves, {len(disturbed)} disturbed {'counted too' if busy else 'left out'}"
            median, high, worst = np.quantile(calm + disturbed if busy else calm, [0.5, 0.99, 1.0])
            for part, value in (("median", median), ("99 %", high), ("worst", worst)):
                name = f"{agent_spec} on {game_spec}, {part}"
                yield Row(name, float(value), None, "ms over", None, 1.0, beside, less_is_better=True)


if __name__ == "__main__":
    main("Beyond the deadline", measure)
