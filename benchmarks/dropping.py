"""Quality of the ranking by the format `drop` against the games that it saves: the table in docs/tournaments.md.

The matrices are those of a thesis on tournaments: the mean score of the row, which moves first, against the column.
Episodes are drawn with these chances. `python benchmarks/dropping.py` takes three minutes; it needs the folder of
the matrices, ../shared/facts, or another one as its argument.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.stats.ratings.bradley_terry import bradley_terry
from ludus.tournaments.formats import Match, Result, format_from

Floats = NDArray[np.float64]

FOLDER = Path(__file__).parents[2] / "shared" / "facts"
MATRICES = {"Hex": "thesis-hex.csv", "Connect Four": "thesis-connect-four.csv"}
FORMATS = (
    "double-round-robin",
    "variable:fraction=0.75",
    "variable:fraction=0.6",
    "variable:fraction=0.4",
    "swiss:swap=yes,seeding=random",
    "drop:every=3",
    "drop",
    "drop:every=1",
)
EPISODES = 10
"""Episodes of a match, as in the thesis."""
TOURNAMENTS = 200
TOP = 4
"""Number of the best agents that a tournament should find."""


class Quality(NamedTuple):
    """The quality of one tournament, or the means over several; every figure is a share."""

    games: float  # of the full double round robin
    agreement: float  # of the pairs of agents, with the true order
    best: float  # 1 if the best agent is first
    top: float  # of the best agents, those in the same number of first places


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    missing = [name for name in MATRICES.values() if not (folder / name).is_file()]
    if missing:
        sys.exit(f"{folder} lacks {' and '.join(missing)}: give the folder that has the matrices of the thesis.")
    print("| | games | pairs in the true order | best agent first | best four found |")
    print("| --- | --- | --- | --- | --- |")
    for game, name in MATRICES.items():
        matrix = np.genfromtxt(folder / name, delimiter=",")
        for spec in FORMATS:
            found = Quality(*np.mean([measured(matrix, spec, seed) for seed in range(TOURNAMENTS)], axis=0))
            shares = " | ".join(f"{100 * share:.0f} %" for share in found)
            print(f"| {game}: `{spec}` | {shares} |", flush=True)


def measured(matrix: Floats, spec: str, seed: int) -> Quality:
    """Draw one tournament, and compare its ratings with the true mean scores."""
    agents = len(matrix)
    results = [result for results in played(matrix, spec, seed) for result in results]
    first, second = np.array([result.match.seats for result in results]).T
    wins, losses = np.array([result.points for result in results]).T
    ratings = bradley_terry(agents, first, second, wins, np.zeros(len(results)), losses).ratings
    truth = np.nansum(matrix, axis=1) - np.nansum(matrix, axis=0)
    upper = np.triu_indices(agents, 1)
    order = np.subtract.outer(ratings, ratings)[upper] * np.subtract.outer(truth, truth)[upper]
    tops = [set(np.argsort(-values)[:TOP]) for values in (ratings, truth)]
    return Quality(
        len(results) / (agents * (agents - 1)),
        float(np.mean(order > 0)),
        float(ratings.argmax() == truth.argmax()),
        len(tops[0] & tops[1]) / TOP,
    )


def played(matrix: Floats, spec: str, seed: int) -> Iterator[list[Result]]:
    """The results of each round, drawn by the chances of the matrix."""
    rng = np.random.default_rng(seed)
    rounds = format_from(spec).schedule(len(matrix), 2, seed)
    matches: list[Match] = next(rounds)
    while True:
        drawn = [(match, rng.binomial(EPISODES, matrix[match.seats])) for match in matches]
        results = [Result(match, (float(wins), float(EPISODES - wins))) for match, wins in drawn]
        yield results
        try:
            matches = rounds.send(results)
        except StopIteration:
            return


if __name__ == "__main__":
    main()
