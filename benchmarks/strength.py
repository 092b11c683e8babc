"""Strength of agents: the comparisons behind docs/strength.md, with error bars. Takes about a quarter of an hour.

Each line plays pairs of episodes with the same random opening and the seats swapped. `python benchmarks/strength.py`
prints the tables of docs/strength.md.
"""

import argparse
import math
import statistics
from collections.abc import Iterable
from typing import Any, ClassVar

import pyspiel

from ludus import Agent, Choice, Clock, Game, View, param
from ludus.agents.agent import agent_from
from ludus.core.seeds import seed_from
from ludus.episode.driver import play_episode
from ludus.episode.local_player import player_for
from ludus.episode.opening import random_opening
from ludus.episode.seating import prepare
from ludus.games.game import game_from

OPENING_PLIES = 2
SPIEL_NAMES = {"connect-four": "connect_four", "hex": "hex", "othello": "othello"}


class OpenSpielMCTS(Agent):
    """OpenSpiel's own MCTS in C++, at the same table."""

    name: ClassVar[str] = "openspiel-mcts"

    simulations: int = param(1000, "simulations for a move")
    c: float = param(1.4, "exploration")
    solve: bool = param(True, "prove wins and losses")

    def begin(self, game: Game, seat: int, seed: int) -> None:
        size = f"(board_size={game.size})" if game.name == "hex" else ""  # type: ignore[attr-defined]
        self._spiel = pyspiel.load_game(SPIEL_NAMES[game.name] + size)
        self._state = self._spiel.new_initial_state()
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed % 2**31)
        self._bot = pyspiel.MCTSBot(
            self._spiel, evaluator, self.c, self.simulations, 1000, self.solve, seed % 2**31, False
        )

    def choose(self, view: View, clock: Clock) -> Choice:
        for (move,) in view.since:
            self._state.apply_action(move)
        return Choice(int(self._bot.step(self._state)))


def scores_of_pairs(game: Game, first: Agent, second: Agent, pairs: int, opening_plies: int) -> list[float]:
    """The mean score of `first` in each pair of episodes, from 0 to 1."""
    players = [player_for(first, "first"), player_for(second, "second")]
    means = []
    for pair in range(pairs):
        seed = seed_from("strength", game.spec(), pair)
        opening = random_opening(game, opening_plies, seed)
        straight = play_episode(game, players, seed=seed, opening=opening)
        swapped = play_episode(game, players[::-1], seed=seed + 1, opening=opening)
        means.append((straight.scores[0] + swapped.scores[1] + 2.0) / 4.0)
    return means


def with_error(values: list[float]) -> tuple[float, float]:
    """Mean and half of its 95 % interval; where all are equal, others may still come as often as 1 − 0.025 ** (1/n)."""
    mean, error = statistics.fmean(values), 1.96 * statistics.stdev(values) / math.sqrt(len(values))
    return mean, error or (1 - 0.025 ** (1 / len(values))) * max(mean, 1 - mean)


def elo(score: float) -> str:
    """The difference in Elo that a score stands for."""
    return f"{-400 * math.log10(1 / score - 1):+.0f}" if 0.0 < score < 1.0 else "won all" if score else "won none"


def comparisons() -> Iterable[tuple[str, str, Agent, Agent]]:
    """Heading, game, and the two agents."""
    games = ("connect-four", "hex:size=7", "othello")
    for game in games:
        for shallow, deep in ((1, 3), (3, 5)):
            yield "Deeper beats shallower", game, *_two(f"alphabeta:depth={deep}", f"alphabeta:depth={shallow}")
    for game in games:
        for few, many in ((100, 400), (400, 1600)):
            yield "More simulations beat fewer", game, *_two(f"mcts:simulations={many}", f"mcts:simulations={few}")
    # As many roll-outs for a move as MCTS has simulations: flat Monte Carlo counts them for each legal move.
    for game, iterations in zip(games, (143, 20, 100), strict=True):
        heading = "MCTS beats flat Monte Carlo beats random, about 1,000 roll-outs a move"
        flat = f"mc:iterations={iterations}"
        yield heading, game, *_two("mcts:simulations=1000", flat)
        yield heading, game, *_two(flat, "random")
    for game, simulations in (("connect-four", 1000), ("connect-four", 10_000), ("hex:size=7", 1000), ("othello", 300)):
        heading = "MCTS against OpenSpiel's C++ MCTS, equal simulations, c = 1.4, wins proven, no tree kept"
        ours = agent_from(f"mcts:simulations={simulations},keep=no")
        yield heading, game, ours, OpenSpielMCTS(simulations=simulations)


def _two(first: str, second: str) -> tuple[Agent, Agent]:
    return agent_from(first), agent_from(second)


def points(agent: Agent, episodes: int) -> list[float]:
    """Points of an agent in 2048."""
    game = game_from("2048")
    prepare(game, [agent])
    return [play_episode(game, [player_for(agent)], seed=seed_from("2048", n)).scores[0] for n in range(episodes)]


def main() -> None:
    """Play everything and print Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100, help="pairs of episodes for each line")
    parser.add_argument("--only", default="", help="only headings that contain this")
    options: Any = parser.parse_args()
    heading = ""
    for title, spec, first, second in comparisons():
        if options.only.lower() not in title.lower():
            continue
        if title != heading:
            heading = title
            print(f"\n## {title}\n\n| game | first | second | score of first | Elo |\n| --- | --- | --- | --- | --- |")
        game = game_from(spec)
        prepare(game, [first, second])
        mean, error = with_error(scores_of_pairs(game, first, second, options.pairs, OPENING_PLIES))
        row = [spec, first.spec(), second.spec(), f"{mean:.3f} ± {error:.3f}", elo(mean)]
        print("| " + " | ".join(row) + " |", flush=True)
    if options.only.lower() in "2048":
        print("\n## 2048\n\n| agent | episodes | mean points | median | best |\n| --- | --- | --- | --- | --- |")
        for spec, episodes in (("random", 200), ("mcts:simulations=300", 10), ("expectimax:depth=2", 50)):
            found = points(agent_from(spec), episodes)
            mean, error = with_error(found)
            middle, best = statistics.median(found), max(found)
            print(f"| {spec} | {episodes} | {mean:,.0f} ± {error:,.0f} | {middle:,.0f} | {best:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
