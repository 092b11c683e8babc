"""The move after which the game's own evaluation is best, with no look ahead."""

import numpy as np

from ludus import Agent, Choice, Clock, Game, View, param
from ludus.kernel.rules import duplicate, heuristic, over, play


class Greedy(Agent):
    """Looks one move ahead."""

    name = "greedy"
    takes_chance = takes_simultaneous = False

    noise: float = param(0.0, "how much chance there is in it", low=0.0)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """An episode begins: forget the last one."""
        self.game = game
        self.rng = np.random.default_rng(seed)

    def choose(self, view: View, clock: Clock) -> Choice:
        """One of the legal moves, within clock.limit() nanoseconds."""
        moves = self.game.moves(view.state, view.seat)
        worths = [self.worth(view, move) + self.noise * self.rng.random() for move in moves]
        best = int(np.argmax(worths))
        return Choice(moves[best], {"value": worths[best], "nodes": len(moves)})

    def worth(self, view: View, move: int) -> float:
        """What a move leads to."""
        after = duplicate(view.state)
        play(after, np.array([move]))
        return self.game.scores(after)[view.seat] if over(after) else float(heuristic(after, view.seat))
