"""Coverage of the 95 % intervals of ratings, by simulation: how often they contain the true rating.

    python benchmarks/interval_coverage.py [--quick] [--fields 1000] [--seconds 1700]

Every cell simulates fields of agents with known ratings and rates them as `ludus results` does. The tables show, over
the cells of a row, the lowest mean over the agents, the lowest of any agent, and the highest mean over the fields in
which all agents were linked by results: where a group won or lost everything, an interval has to be wide. Only cells
with ten games or more of each pairing count for the highest. It ends when the time is over, and says what it left out.
"""

import argparse
import itertools
import multiprocessing
import time
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ludus.stats.ratings.bradley_terry import bradley_terry
from ludus.stats.ratings.estimate import Estimate, is_linked
from ludus.stats.ratings.plackett_luce import plackett_luce
from ludus.stats.ratings.scale import POINTS_PER_NAT

Floats = npt.NDArray[np.float64]

SPREADS = (300, 600, 1200, 1500, 2500)
GAMES = (1, 2, 5, 10, 20, 50, 200)


class Cell(NamedTuple):
    """A kind of field: players of a game, agents, true ratings, and how they meet."""

    players: int
    agents: int
    spread: int
    """Elo points between the best agent and the last."""
    games: int
    """Games of each seating; of each set of agents with three players or more."""
    outlier: bool = False
    """True if the best is far ahead, and the others lie within a fifth of the spread."""
    draws: float = 0.0
    """The share of draws between equals; with three players or more, between the last two."""
    advantage: float = 0.0

    @property
    def truth(self) -> Floats:
        """The true ratings, with mean 0."""
        if self.outlier:
            ratings = np.append(np.linspace(0, 0.2, self.agents - 1), 1.0) * self.spread
        else:
            ratings = np.linspace(0, 1, self.agents) * self.spread
        return np.asarray(ratings - ratings.mean(), np.float64)


class Coverage(NamedTuple):
    """Shares of intervals that contain the truth: each agent's, and the mean in fields that are linked by results."""

    cell: Cell
    agents: list[float]
    linked: float | None


def cells(quick: bool) -> Iterator[Cell]:
    """The grid, in an order that covers it evenly at any time."""
    grid = [
        Cell(2, agents, spread, games, outlier, draws, advantage)
        for (agents, draws, advantage), spread, games, outlier in itertools.product(
            ((4, 0.0, 0.0), (6, 0.4, 0.0), (6, 0.0, 200.0), (4, 0.2, 200.0)), SPREADS, GAMES, (False, True)
        )
    ]
    grid += [
        Cell(players, agents, spread, games, outlier, draws)
        for (players, agents, draws), spread, games, outlier in itertools.product(
            ((3, 5, 0.0), (4, 6, 0.4)), SPREADS, (1, 5, 20), (False, True)
        )
    ]
    np.random.default_rng(1).shuffle(grid)
    yield from grid[:40] if quick else grid


def drawn(rng: np.random.Generator, cell: Cell) -> Estimate:
    """The estimate of a simulated field."""
    return _games(rng, cell) if cell.players == 2 else _rankings(rng, cell)


def _games(rng: np.random.Generator, cell: Cell) -> Estimate:
    first, second = np.array([*itertools.permutations(range(cell.agents), 2)]).T
    score = 1 / (1 + 10 ** (-(cell.truth[first] - cell.truth[second] + cell.advantage) / 400))
    draw = 4 * cell.draws * score * (1 - score)
    wins, ties, losses = rng.multinomial(
        cell.games, np.clip(np.stack([score - draw / 2, draw, 1 - score - draw / 2], 1), 0, 1)
    ).T
    return bradley_terry(cell.agents, first, second, wins, ties, losses)


def _rankings(rng: np.random.Generator, cell: Cell) -> Estimate:
    rankings: dict[tuple[tuple[int, ...], ...], int] = {}
    for agents in itertools.combinations(range(cell.agents), cell.players):
        noisy = cell.truth[list(agents)] / POINTS_PER_NAT + rng.gumbel(size=(cell.games, cell.players))
        orders = np.array(agents)[np.argsort(-noisy, 1)].tolist()
        for order, chance in zip(orders, rng.random(cell.games), strict=True):
            *_, above, last = order
            surprise = 1 / (1 + 10 ** ((cell.truth[above] - cell.truth[last]) / 400))
            places: tuple[tuple[int, ...], ...] = tuple((agent,) for agent in order)
            if chance < 2 * cell.draws * surprise:  # an order becomes a draw as often as the other one
                places = (*places[:-2], (above, last))
            rankings[places] = rankings.get(places, 0) + 1
    return plackett_luce(cell.agents, [*rankings], [*rankings.values()])


def simulated(task: tuple[Cell, int]) -> Coverage:
    """The coverage in a cell over a number of fields."""
    cell, fields = task
    rng = np.random.default_rng(zlib.crc32(repr(cell).encode()))
    inside, linked = np.zeros((fields, cell.agents), bool), np.zeros(fields, bool)
    for number in range(fields):
        found = drawn(rng, cell)
        low, high = found.intervals
        truth = cell.truth - found.shares @ cell.truth
        inside[number] = (low <= truth) & (truth <= high)
        linked[number] = is_linked(found.outcomes.ahead)
    met = 2 * cell.games if cell.players == 2 else cell.games * (cell.agents - 2)
    counts = met >= 10 and linked.sum() >= fields / 5
    return Coverage(cell, inside.mean(0).tolist(), float(inside[linked].mean()) if counts else None)


def report(found: list[Coverage], title: str) -> None:
    """A table in Markdown, with a row for each spread and number of games."""
    print(f"\n{title}: {len(found)} cells\n")
    print("| spread | games | lowest mean | lowest agent | highest mean |\n| --- | --- | --- | --- | --- |")
    for spread in SPREADS:
        for games in (range(1, 5), range(5, 20), range(20, 1000)):
            row = [one for one in found if one.cell.spread == spread and one.cell.games in games]
            if not row:
                continue
            highest = [one.linked for one in row if one.linked is not None]
            span = f"{min(one.cell.games for one in row)}–{max(one.cell.games for one in row)}"
            print(
                f"| {spread:,} | {span} | {min(float(np.mean(one.agents)) for one in row):.3f} "
                f"| {min(min(one.agents) for one in row):.3f} | {f'{max(highest):.3f}' if highest else '–'} |"
            )
    means = [float(np.mean(one.agents)) for one in found]
    print(f"\nMean over all cells: {np.mean(means):.3f}.")
    for one in found:
        mean = float(np.mean(one.agents))
        if mean < 0.94 or min(one.agents) < 0.92 or (one.linked or 0) > 0.97:
            print(f"- {one.cell}: mean {mean:.3f}, lowest {min(one.agents):.3f}, linked {one.linked or 0:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="40 cells, 200 fields each")
    parser.add_argument("--fields", type=int, default=0, help="simulated fields in each cell (1,000)")
    parser.add_argument("--seconds", type=float, default=1700, help="the time after which no cell begins")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    end, found = time.monotonic() + options.seconds, []
    planned = [(cell, options.fields or (200 if options.quick else 1000)) for cell in cells(options.quick)]
    with multiprocessing.Pool(options.workers) as pool:
        for coverage in pool.imap(simulated, planned):
            found.append(coverage)
            if time.monotonic() > end:
                print(f"Time is over: {len(planned) - len(found)} of {len(planned)} cells are left out.")
                break
    for title, several in (("Bradley–Terry, two players", False), ("Plackett–Luce, three and four players", True)):
        report([one for one in found if (one.cell.players > 2) == several], title)


if __name__ == "__main__":
    main()
