"""The minimax search of spe_ed, deeper and deeper, one tree for each first action."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

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
from ludus.contests.speed.agents.sampling import in_threads
from ludus.contests.speed.agents.walking import Ground, board_of, stand
from ludus.contests.speed.game import ACTIONS, SpeedState
from ludus.kernel.deadline import FOREVER, new_watch
from ludus.kernel.state import Array


@dataclass(frozen=True)
class Seen:
    """What a search saw: the value of each action at the depth that it completed, −inf for one that is not survived."""

    values: Array  # float64[action]
    depth: int
    nodes: int
    good: list[int]
    """The best actions; and those within the slack that are survived as far as the search goes, if any is."""

    def metrics(self) -> dict[str, Any]:
        """What is worth telling of it."""
        value = float(self.values.max())
        return {"nodes": self.nodes, "depth": self.depth} | ({"value": value} if np.isfinite(value) else {})


class Deepening:
    """Searches for one player in one episode; `positions` is the most that a thread looks at for a move."""

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
        """Search against those others, so many rounds ahead or until that moment."""
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
