"""Straight on, whatever comes."""

import time
from typing import ClassVar

from ludus.agents.agent import Choice, Clock, View
from ludus.contests.speed.agents.agent import SpeedAgent
from ludus.contests.speed.game import CHANGE_NOTHING
from ludus.core.spec import Duration, param
from ludus.games.game import Game
from ludus.kernel.rng import new_rng


class Straight(SpeedAgent):
    """Changes nothing, ever: for trying out connections and, with a delay, deadlines.

    It waits out its delay whatever the clock says: a delay longer than the deadline is how to see what happens then.
    """

    name: ClassVar[str] = "speed.straight"

    delay: Duration = param(0, "time that it waits before each answer", low=0)

    def prepare(self, game: Game) -> None:
        """As others do, but without the delay."""
        self.begin(game, 0, 0)
        self._go_on(View(game.start(new_rng(0)), 0))

    def choose(self, view: View, clock: Clock) -> Choice:
        time.sleep(self.delay / 1e9)
        return self._go_on(view)

    def _go_on(self, view: View) -> Choice:
        if self.layers:
            self.look(view)
        return self.answer(CHANGE_NOTHING, {}, [CHANGE_NOTHING])
