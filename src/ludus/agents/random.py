"""Random moves: the baseline of every comparison."""

from typing import ClassVar

from ludus.agents.agent import Agent, Choice, Clock, View
from ludus.games.game import Game
from ludus.kernel.jit import compiled, entry
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import State, kernel_for, sample


class Random(Agent):
    """Chooses any legal move with equal probability."""

    name: ClassVar[str] = "random"
    takes_hidden: ClassVar[bool] = True

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._rng = new_rng(seed)
        self._state: State = None

    def choose(self, view: View, clock: Clock) -> Choice:
        if view.state is not self._state:  # usually the same object in a whole episode
            self._state = view.state
            self._draw = entry(kernel_for(view.state, draw), view.state, view.seat, self._rng)
        return Choice(int(self._draw(view.state, view.seat, self._rng)))


@compiled
def draw(state: State, player: int, rng: Rng) -> int:
    """A random move of a player."""
    return sample(state, player, rng)
