"""Roll-outs: the first move of most of the longest random paths."""

from typing import ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.agents.layers import HEAT, scaled
from ludus.contests.speed.agents.agent import TimedAgent
from ludus.contests.speed.agents.analysis import any_safe
from ludus.contests.speed.agents.sampling import Sampler
from ludus.contests.speed.agents.walking import board_of
from ludus.core.kinds import MOST_COUNT
from ludus.core.spec import param
from ludus.games.game import Game


class Rollouts(TimedAgent):
    """Walks at random until it is stuck, again and again, and plays the first move of most of the longest paths.

    Others are assumed to stand still: it looks far ahead and sees nobody coming.
    """

    name: ClassVar[str] = "speed.rollouts"

    simulations: int | None = param(None, "paths to walk for a move", low=1, high=MOST_COUNT)
    filter: float = param(0.69, "minimum length of counted paths, relative to the longest", low=0.0, high=1.0)
    kept: int = param(256, "long paths kept for the next round", low=0, high=10_000)
    unrepeated: bool = param(False, "do not repeat paths in a round, in each thread")
    threads: int = param(1, "parallel threads", low=1, high=256)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self._seed = seed

    def _make_room(self) -> None:
        self._sampler = Sampler(self._ground, self.filter, self.kept, self.unrepeated, self.threads, self._seed)

    def choose(self, view: View, clock: Clock) -> Choice:
        until = self.until(clock, self.simulations)
        self.look(view)
        found = self._sampler.sample(
            self._ground, self._head, self._now, self._mark, self.simulations, until, surveyed=self.layers
        )
        if not found.paths:
            return self.answer(any_safe(self._ground, self._head, self._now), found.metrics(), ())
        action = int(np.lexsort((found.lengths, found.counts))[-1])
        layers = {HEAT: board_of(self._ground, scaled(self._sampler.heat()))} if self.layers else {}
        value = {"value": float(found.counts[action] / found.counts.sum())}
        return self.answer(action, value | found.metrics(), found.path(action), **layers)
