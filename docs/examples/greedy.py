"""An agent that plays the move after which the game's own evaluation is best."""

import numpy as np

from ludus import Agent, Choice, Clock, Game, View, param
from ludus.kernel.rules import duplicate, heuristic, over, play


class Greedy(Agent):
    """Looks one move ahead."""

    name = "greedy"
    takes_chance = takes_simultaneous = False

    noise: float = param(0.0, "largest random number added to each value", low=0.0)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Start an episode."""
        self.game = game
        self.rng = np.random.default_rng(seed)

    def choose(self, view: View, clock: Clock) -> Choice:
        """Return the legal move with the highest value."""
        moves = self.game.moves(view.state, view.seat)
        values = [self.value(view, move) + self.noise * self.rng.random() for move in moves]
        best = int(np.argmax(values))
        return Choice(moves[best], {"value": values[best], "nodes": len(moves)})

    def value(self, view: View, move: int) -> float:
        """Evaluate the position after a move."""
        after = duplicate(view.state)
        play(after, np.array([move]))
        return self.game.scores(after)[view.seat] if over(after) else float(heuristic(after, view.seat))
