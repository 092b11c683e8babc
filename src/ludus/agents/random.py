"""Random moves: the floor of every comparison."""

from typing import ClassVar

from ludus import rules
from ludus.agents.base import Agent, Choice, Clock, View
from ludus.games.base import Game
from ludus.rng import new_rng


class Random(Agent):
    """Any legal move, each equally likely."""

    name: ClassVar[str] = "random"
    takes_hidden: ClassVar[bool] = True

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._rng = new_rng(seed)

    def choose(self, view: View, clock: Clock) -> Choice:
        return Choice(int(rules.sample(view.state, view.seat, self._rng)))
