"""Ratings: Bradley–Terry for 1,000 agents and 1,000,000 games, and beside choix on a field that choix can still do.

Ludus also finds the advantage of moving first and the error bars, which choix does not. Both get the games one by one.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial

import choix
import numpy as np
import numpy.typing as npt

from ludus.stats.ratings import elo
from ludus.stats.ratings.bradley_terry import bradley_terry
from side_by_side import Row, compare, main, pin

Games = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]


def random_games(agents: int, games: int) -> Games:
    """First player, second player and winner of each game, by ratings that spread over 200 points."""
    rng = np.random.default_rng(agents)
    truth = rng.normal(0, 200, agents)
    first = rng.integers(0, agents, games)
    second = (first + rng.integers(1, agents, games)) % agents
    wins = rng.random(games) < 1 / (1 + 10 ** (-(truth[first] - truth[second] + 30) / 400))
    return first, second, wins.astype(np.int64)


def seconds(work: Callable[[], object]) -> Callable[[], float]:
    """A measurement of one run."""

    def measure() -> float:
        begin = time.perf_counter()
        work()
        return time.perf_counter() - begin

    return measure


def ludus_fit(agents: int, games: Games) -> Callable[[], float]:
    first, second, wins = games
    return seconds(lambda: bradley_terry(agents, first, second, wins, np.zeros_like(wins), 1 - wins))


def alone(name: str, run: Callable[[], float], goal: float) -> Row:
    """The median of five runs, without a peer."""
    run()
    return Row(name, sorted(run() for _ in range(5))[2], None, "s", None, goal, less_is_better=True)


def measure() -> Iterator[Row]:
    pin()
    many = random_games(1000, 1_000_000)
    yield alone("Bradley–Terry, 1,000 agents, 1,000,000 games", ludus_fit(1000, many), 5.0)
    for name, rate in (("FIDE", elo.fide), ("USCF", elo.uscf)):
        yield alone(f"Elo ({name}), 1,000,000 games", seconds(partial(rate, 1000, *many)), 1.0)
    agents, count = 100, 20_000
    first, second, wins = games = random_games(agents, count)
    data = np.where(wins[:, None] == 1, np.column_stack([first, second]), np.column_stack([second, first])).tolist()
    for peer, fit in (("ilsr", choix.ilsr_pairwise), ("opt", choix.opt_pairwise)):
        yield compare(
            f"Bradley–Terry, {agents} agents, {count:,} games",
            ludus_fit(agents, games),
            seconds(partial(fit, agents, data, alpha=0.125)),
            "s",
            f"choix, {peer}_pairwise",
            1.0,
            turns=3,
            less_is_better=True,
        )


if __name__ == "__main__":
    main("Ratings", measure)
