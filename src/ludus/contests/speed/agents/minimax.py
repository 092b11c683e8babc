"""Minimax against the nearest opponents with increasing depth: stay free whatever they do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.contests.speed.agents.adversaries import (
    DEEPEST,
    HORIZON,
    MOST_ADVERSARIES,
    NODES,
    STOPPED,
    lay_ready,
    new_space,
    weigh_actions,
)
from ludus.contests.speed.agents.agent import TimedAgent
from ludus.contests.speed.agents.analysis import any_safe, nearest
from ludus.contests.speed.agents.sampling import in_threads
from ludus.contests.speed.agents.walking import Ground, board_of, stand
from ludus.contests.speed.game import ACTIONS, SpeedState
from ludus.core.spec import param
from ludus.kernel.deadline import FOREVER, new_watch
from ludus.kernel.rng import below
from ludus.kernel.state import Array


@dataclass(frozen=True)
class Seen:
    """The result of a search: the value of each action at the completed depth, −inf for a fatal one."""

    values: Array  # float64[action]
    depth: int
    nodes: int
    good: list[int]
    """The best actions, and those within the slack that survive within the search, if any do."""

    def metrics(self) -> dict[str, Any]:
        """Metrics of the search."""
        value = float(self.values.max())
        return {"nodes": self.nodes, "depth": self.depth} | ({"value": value} if np.isfinite(value) else {})


class Deepening:
    """Searches for one player in one episode; `positions` is the limit per thread for a move."""

    def __init__(
        self, ground: Ground, aggression: float, threads: int, slack: float = 0.0, positions: int = FOREVER
    ) -> None:
        height, width = board_of(ground, ground.cells).shape
        self._spaces = [new_space(width, height) for _ in range(threads)]
        self._aggression, self._slack, self._positions = aggression, slack, positions
        self._heads = np.zeros((MOST_ADVERSARIES + 1, 3), np.int64)

    def search(
        self, state: SpeedState, me: int, others: Sequence[int], ground: Ground, depth: int | None, until: int
    ) -> Seen:
        """Search against these opponents to a depth in rounds, or until a moment."""
        for number, player in enumerate((me, *others)):
            stand(state, player, ground, self._heads[number])
        for space in self._spaces:
            lay_ready(ground, self._heads, space, len(others))
            space.counters[NODES] = 0
            space.watch[:] = new_watch(until)
        values, reached, threads = np.full(len(ACTIONS), -np.inf), 0, len(self._spaces)
        for next_depth in range(1, (depth or DEEPEST) + 1):
            order = np.argsort(-values, kind="stable")
            options = np.array([state.clock[0], next_depth, len(others), self._positions])

            def run(thread: int, order: Array = order, options: Array = options) -> None:
                space = self._spaces[thread]
                space.values[:] = -np.inf
                weigh_actions(space, options, order[thread::threads].copy(), self._aggression, self._slack)

            in_threads(run, threads)
            if any(space.counters[STOPPED] for space in self._spaces):
                break
            values = np.max([space.values for space in self._spaces], axis=0)
            reached = next_depth
            if not any(space.counters[HORIZON] for space in self._spaces):
                break
        return Seen(values, reached, sum(int(space.counters[NODES]) for space in self._spaces), self._good(values))

    def _good(self, values: Array) -> list[int]:
        top, alive = values.max(), -self._aggression * len(ACTIONS)
        least = max(top - self._slack, alive) if top >= alive else top
        return np.flatnonzero((values >= least) & np.isfinite(values)).tolist()


class Minimax(TimedAgent):
    """Looks ahead against the nearest opponents, and keeps as many actions open as they cannot take away.

    The nearest have the smallest distance divided by both speeds. The depth increases while there is time.
    """

    name: ClassVar[str] = "speed.minimax"

    depth: int | None = param(None, "rounds to look ahead", low=1, high=DEEPEST)
    opponents: int = param(1, "number of opponents considered, the nearest ones", low=0, high=MOST_ADVERSARIES)
    aggression: float = param(0.0, "weight of the opponents' freedom", low=0.0, high=10.0)
    threads: int = param(1, "parallel threads, each for different first moves", low=1, high=5)

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
