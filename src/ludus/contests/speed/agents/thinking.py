"""What the agents of spe_ed that think as long as they may have in common."""

import time
from typing import Any

from ludus.agents.agent import Clock, deadline
from ludus.contests.speed.agents.agent import SpeedAgent
from ludus.contests.speed.game import CHANGE_NOTHING
from ludus.core.spec import Duration, param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER

_FOR_LAYERS = 10_000_000
"""Nanoseconds that the layers of a move may take, less where that would be over half of the time."""


class Thinker(SpeedAgent):
    """An agent that uses the time it is given."""

    time: Duration | None = param(None, "time for a move", low=0)

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        if self.layers:
            self.path_layer([CHANGE_NOTHING])

    def until(self, clock: Clock, limit: Any) -> int:
        """The moment to stop thinking; `limit` is the agent's other limit, None if it has none."""
        moment = deadline(self.time, clock, limited=limit is not None)
        if not self.layers or moment >= FOREVER:
            return moment
        return moment - min(_FOR_LAYERS, max(0, moment - time.monotonic_ns()) // 2)
