"""Forecasts: probability tables round after round, with the habits of the others."""

from collections.abc import Sequence

import numpy as np

from ludus.contests.speed.agents.analysis import action_between
from ludus.contests.speed.agents.tables import DEEPEST, Trees, grow_tables, new_tables, survivors
from ludus.contests.speed.agents.walking import Ground, board_of, stand
from ludus.contests.speed.game import ACTIONS, FELL, SpeedState
from ludus.kernel.deadline import new_watch


class Forecaster:
    """Looks ahead for one player in one episode."""

    def __init__(self, ground: Ground, trees: Trees, start_probability: float, habit: float) -> None:
        height, width = board_of(ground, ground.cells).shape
        players = len(trees.nodes)
        self._space = new_tables(width, height, trees)
        self._start, self._habit = start_probability, habit
        self._heads = np.zeros((players, 3), np.int64)
        self._done = np.zeros((players, len(ACTIONS)), np.int64)
        self._last_heads, self._last_now = np.zeros((players, 3), np.int64), -1
        self.survivors = np.zeros(len(ACTIONS), np.int64)
        """How many ways to survive the forecast begin with each action."""
        self.nodes = 0
        self.table = np.zeros(len(ground.cells))
        """For each place, how likely others are to come there."""

    def look_ahead(
        self, state: SpeedState, me: int, others: Sequence[int], ground: Ground, depth: int | None, until: int
    ) -> int:
        """Forecast where those others will be, until that moment or so many rounds ahead; the number of rounds."""
        now, space = int(state.clock[0]), self._space
        self._watch_habits(state, ground, now)
        players = [me, *others]
        for number, player in enumerate(players):
            stand(state, player, ground, self._heads[number])
            done = self._done[player] + 1
            usual = done / done.sum() if number else 0.0
            habit = self._habit if number else 0.0
            space.habits[number] = (1 - habit) / len(ACTIONS) + habit * usual
        space.watch[:] = new_watch(until)
        levels = int(grow_tables(ground, self._heads, len(players), now, depth or DEEPEST, self._start, space))
        survivors(space, levels, self.survivors)
        self.nodes = int(space.levels[: len(players), levels + 1].sum())
        self.table = space.reached[1 : len(players)].sum(axis=0)
        return levels

    def _watch_habits(self, state: SpeedState, ground: Ground, now: int) -> None:
        heads = np.zeros_like(self._last_heads)
        for player in np.flatnonzero(state.players[:, FELL] == 0):
            stand(state, player, ground, heads[player])
            if now == self._last_now + 1:
                self._done[player, action_between(self._last_heads[player], heads[player])] += 1
        self._last_heads, self._last_now = heads, now
