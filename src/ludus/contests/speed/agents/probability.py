"""Probability tables: forecasts of the others' places, and an agent that avoids them."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.agents.layers import PROBABILITY, scaled
from ludus.contests.speed.agents.agent import TimedAgent
from ludus.contests.speed.agents.analysis import action_between, any_safe, nearest
from ludus.contests.speed.agents.tables import (
    DEEPEST,
    Trees,
    chance_on_way,
    grow_tables,
    new_tables,
    survivors,
    trees_for,
)
from ludus.contests.speed.agents.walking import Ground, board_of, stand, survives
from ludus.contests.speed.game import ACTIONS, FELL, SpeedState
from ludus.core.spec import param
from ludus.games.game import Game
from ludus.kernel.deadline import new_watch


class Forecaster:
    """Forecasts for one player in one episode."""

    def __init__(self, ground: Ground, trees: Trees, start_probability: float, habit: float) -> None:
        height, width = board_of(ground, ground.cells).shape
        players = len(trees.nodes)
        self._space = new_tables(width, height, trees)
        self.start = start_probability
        """The start value of its own forecast."""
        self._habit = habit
        self._heads = np.zeros((players, 3), np.int64)
        self._done = np.zeros((players, len(ACTIONS)), np.int64)
        self._last_heads, self._last_now = np.zeros((players, 3), np.int64), -1
        self.survivors = np.zeros(len(ACTIONS), np.int64)
        """Number of ways to survive the forecast that begin with each action."""
        self.nodes = 0
        self.table = np.zeros(len(ground.cells))
        """For each place, the probability of others reaching it."""

    def look_ahead(
        self, state: SpeedState, me: int, others: Sequence[int], ground: Ground, depth: int | None, until: int
    ) -> int:
        """Forecast the places of these opponents, until a moment or to a depth; return the number of rounds."""
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
        levels = int(grow_tables(ground, self._heads, len(players), now, depth or DEEPEST, self.start, space))
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


class Probability(TimedAgent):
    """Forecasts the places of others, and takes the safe move whose cells they are least likely to reach.

    Among equal moves it takes the one with the most ways to survive the forecast. Such tables are meant as a part of
    `speed.combi`, and see no further than the forecast.
    """

    name: ClassVar[str] = "speed.probability"

    depth: int | None = param(None, "rounds to look ahead", low=1, high=DEEPEST)
    start_probability: float = param(
        2.0,
        "start value of its own forecast: the higher, the more it relies on others to keep away",
        low=0.0,
        high=100.0,
    )
    habit: float = param(0.0, "weight of the others' habits: 0 makes all their moves equally likely", low=0.0, high=1.0)

    def is_deterministic(self, game: Game) -> bool:
        return self.time is None and self.depth is not None

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self._trees = trees_for(game.seats, getattr(self, "_trees", None))

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        # Functions that need a forecast, which an expired clock leaves no time for.
        survives(self._ground, self._head, 0, self._now)
        chance_on_way(self._ground, self._head, 0, self._now, self._forecaster.table)

    def _make_room(self) -> None:
        self._forecaster = Forecaster(self._ground, self._trees, self.start_probability, self.habit)

    def choose(self, view: View, clock: Clock) -> Choice:
        until = self.until(clock, self.depth)
        self.look(view)
        ahead = self._forecaster
        others = [other for _, other in nearest(view.state, view.seat)]
        levels = ahead.look_ahead(view.state, view.seat, others, self._ground, self.depth, until)
        action = any_safe(self._ground, self._head, self._now)
        best = (np.inf, 0)
        for each in range(len(ACTIONS)):
            if levels > 0 and survives(self._ground, self._head, each, self._now):
                chance = float(chance_on_way(self._ground, self._head, each, self._now, ahead.table))
                worth = (chance, -int(ahead.survivors[each]))
                action, best = (each, worth) if worth < best else (action, best)
        metrics = {"depth": levels, "nodes": ahead.nodes} | ({"value": -best[0]} if np.isfinite(best[0]) else {})
        layers = {PROBABILITY: board_of(self._ground, scaled(ahead.table))} if self.layers else {}
        return self.answer(action, metrics, [action], **layers)
