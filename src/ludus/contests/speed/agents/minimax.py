"""Minimax against the nearest opponents: stay free whatever they do."""

from typing import ClassVar

from ludus.agents.agent import Choice, Clock, View
from ludus.contests.speed.agents.adversaries import DEEPEST, MOST_ADVERSARIES
from ludus.contests.speed.agents.analysis import any_safe, nearest
from ludus.contests.speed.agents.deepening import Deepening
from ludus.contests.speed.agents.thinking import Thinker
from ludus.core.spec import param
from ludus.kernel.rng import below


class Minimax(Thinker):
    """Looks ahead against the nearest opponents, and keeps as many actions open as they cannot take from it.

    Who is near is told by the distance divided by both speeds. It searches deeper and deeper as long as there is time.
    """

    name: ClassVar[str] = "speed.minimax"

    depth: int | None = param(None, "rounds to look ahead", low=1, high=DEEPEST)
    opponents: int = param(1, "how many opponents it reckons with, the nearest ones", low=0, high=MOST_ADVERSARIES)
    aggression: float = param(0.0, "weight of the opponents' freedom", low=0.0, high=10.0)
    threads: int = param(1, "threads that search at once, each after other first moves", low=1, high=5)

    def _make_room(self) -> None:
        self._search = Deepening(self._ground, self.aggression, self.threads)

    def choose(self, view: View, clock: Clock) -> Choice:
        until = self.until(clock, self.depth)
        self.look(view)
        others = [other for _, other in nearest(view.state, view.seat)[: self.opponents]]
        seen = self._search.search(view.state, view.seat, others, self._ground, self.depth, until)
        if seen.good:
            action = seen.good[below(self._rng, len(seen.good))]
        else:
            action = any_safe(self._ground, self._head, self._now)
        return self.answer(action, seen.metrics(), [action])
