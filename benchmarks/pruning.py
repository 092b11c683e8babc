"""What pruning, ordering and the table save: positions looked at by depth, as in docs/speed.md.

The counts are exact, not timings: the mean over twenty positions, four random plies from the start. They include the
shallower searches that come before each depth.
"""

import argparse
import statistics

import numpy as np

from ludus import Clock, View
from ludus.agents.agent import agent_from
from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import play, sample

POSITIONS, RANDOM_PLIES = 20, 4

VARIANTS = {
    "minimax": "minimax:depth={},table=off",
    "alphabeta, no devices": "alphabeta:depth={},table=off,killers=no,history=no,order=no",
    "+ the game's order": "alphabeta:depth={},table=off,killers=no,history=no",
    "+ killers": "alphabeta:depth={},table=off,history=no",
    "+ history": "alphabeta:depth={},table=off",
    "+ table": "alphabeta:depth={}",
}
# Beyond the first number, minimax is left out: it would look at every position there is.
DEPTHS = {"connect-four": (7, 11), "othello": (5, 8), "hex:size=4": (4, 8)}


def nodes(game_spec: str, agent_spec: str) -> float:
    """Positions looked at, on average."""
    game, agent = game_from(game_spec), agent_from(agent_spec)
    counted = []
    for seed in range(POSITIONS):
        state, rng = game.start(new_rng(0)), new_rng("pruning", seed)
        for _ in range(RANDOM_PLIES):
            play(state, np.array([sample(state, game.movers(state)[0], rng)]))
        agent.begin(game, 0, 1)
        counted.append(agent.choose(View(state, 0), Clock()).metrics["nodes"])
    return statistics.fmean(counted)


def main() -> None:
    """Search everything and print Markdown."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    for game, (most_for_minimax, deepest) in DEPTHS.items():
        depths = range(2, deepest + 1)
        print(f"\n**{game}**\n\n| depth | " + " | ".join(map(str, depths)) + " |")
        print("| --- |" + " ---: |" * len(depths))
        for name, spec in VARIANTS.items():
            shown = [d for d in depths if name != "minimax" or d <= most_for_minimax]
            cells = [f"{nodes(game, spec.format(d)):,.0f}" if d in shown else "" for d in depths]
            print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
