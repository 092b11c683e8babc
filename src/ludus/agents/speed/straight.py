"""Straight on, whatever comes."""

import time
from typing import ClassVar

from ludus.agents.base import Choice, Clock, View
from ludus.agents.speed.base import SpeedAgent
from ludus.games.base import Game
from ludus.games.speed import CHANGE_NOTHING
from ludus.spec import Duration, param


class Straight(SpeedAgent):
    """Changes nothing, ever: for trying out connections and, with a delay, deadlines.

    It waits out its delay whatever the clock says: a delay longer than the deadline is how to see what happens then.
    """

    name: ClassVar[str] = "speed.straight"

    delay: Duration = param(0, "time that it waits before each answer", low=0)

    def prepare(self, game: Game) -> None:
        """Nothing is compiled ahead, and the delay is not waited out for it."""

    def choose(self, view: View, clock: Clock) -> Choice:
        self.look(view)
        time.sleep(self.delay / 1e9)
        return self.answer(CHANGE_NOTHING, {}, [CHANGE_NOTHING])
