"""The Basic client: straight on where that is survived, else to the left, else to the right."""

from typing import ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.contests.speed.agents.agent import SpeedAgent
from ludus.contests.speed.agents.walking import first_safe
from ludus.contests.speed.game import CHANGE_NOTHING, TURN_LEFT, TURN_RIGHT

_ORDER = np.array([CHANGE_NOTHING, TURN_LEFT, TURN_RIGHT])


class Basic(SpeedAgent):
    """Goes straight on as long as it can, else to the left, else to the right; never changes its speed."""

    name: ClassVar[str] = "speed.basic"

    def choose(self, view: View, clock: Clock) -> Choice:
        self.look(view)
        safe = int(first_safe(self._ground, self._head, self._now, _ORDER, len(_ORDER)))
        action = CHANGE_NOTHING if safe < 0 else safe
        return self.answer(action, {"trapped": int(safe < 0)}, [action])
