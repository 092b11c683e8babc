"""Rounds a second that roll-outs of spe_ed walk on 60×60 with two players, beside random playouts by the game's rules.

A playout draws any move, so it soon ends in a crash, and copies the board first; a roll-out walks on until it is stuck,
and takes its trail back.
"""

import time
from collections.abc import Callable, Iterator

import numpy as np

from ludus.contests.speed.agents.paths import ROUNDS, new_paths, sample_paths
from ludus.contests.speed.agents.walking import lay_out, new_ground, stand
from ludus.games.game import game_from
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import Array, State, copy, duplicate, playout
from side_by_side import Row, compare, main, new_scores, pin

SIDE = 60
PATHS, PLAYOUTS = 20_000, 200_000
"""In one turn."""
FILTER = 0.69
GOAL = 3e6


@compiled
def rounds_of_playouts(start: State, work: State, rng: Rng, out: Array, n: int) -> int:
    """The rounds of n random playouts."""
    rounds = 0
    for _ in range(n):
        copy(start, work)
        playout(work, rng, out)
        rounds += work.clock[0] - start.clock[0]
    return rounds


def walked(kept: int, unrepeated: bool, surveyed: bool) -> Callable[[], float]:
    """A measurement of the roll-outs."""
    state = game_from(f"speed:width={SIDE},height={SIDE}").start(new_rng(0))
    ground, head = new_ground(SIDE, SIDE), np.zeros(3, np.int64)
    lay_out(state, ground)
    stand(state, 0, ground, head)
    space, rng, table = new_paths(SIDE, SIDE, kept, unrepeated), new_rng(1), np.zeros(len(ground.cells))
    options = np.array([1, 1, PATHS, 0, surveyed, unrepeated])

    def measure() -> float:
        begin = time.perf_counter()
        sample_paths(ground, head, table, space, options, FILTER, rng)
        return float(space.counters[ROUNDS] / (time.perf_counter() - begin))

    return measure


def played() -> Callable[[], float]:
    """A measurement of the playouts."""
    start = game_from(f"speed:width={SIDE},height={SIDE}").start(new_rng(0))
    work, rng, out = duplicate(start), new_rng(1), new_scores()

    def measure() -> float:
        begin = time.perf_counter()
        rounds = rounds_of_playouts(start, work, rng, out, PLAYOUTS)
        return float(rounds / (time.perf_counter() - begin))

    return measure


def measure() -> Iterator[Row]:
    pin()
    beside = "the game's own playouts"
    plain = compare("roll-outs", walked(0, False, False), played(), "rounds/s", beside)
    yield plain
    yield Row("roll-outs, as such", plain.ludus, None, plain.unit, None, GOAL)
    yield compare("paths kept", walked(256, False, False), played(), "rounds/s", beside)
    yield compare("paths kept, weighed by tables", walked(256, False, True), played(), "rounds/s", beside)
    yield compare("no path twice", walked(256, True, False), played(), "rounds/s", beside)


if __name__ == "__main__":
    main("Roll-outs of spe_ed", measure)
