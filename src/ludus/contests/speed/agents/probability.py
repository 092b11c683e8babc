"""Probability tables on their own: go where others are least likely to come."""

from typing import ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.agents.layers import PROBABILITY, scaled
from ludus.contests.speed.agents.analysis import any_safe, nearest
from ludus.contests.speed.agents.forecast import Forecaster
from ludus.contests.speed.agents.tables import DEEPEST, chance_on_way, trees_for
from ludus.contests.speed.agents.thinking import Thinker
from ludus.contests.speed.agents.walking import board_of, survives
from ludus.contests.speed.game import ACTIONS
from ludus.core.spec import param
from ludus.games.game import Game


class Probability(Thinker):
    """Forecasts where others may come to, and takes the safe move whose cells they are least likely to reach.

    Where moves are equal in that, the one with the most ways to survive the forecast is taken. Such tables are meant as
    a part of `speed.combi`, and see no further than the forecast.
    """

    name: ClassVar[str] = "speed.probability"

    depth: int | None = param(None, "rounds to look ahead", low=1, high=DEEPEST)
    start_probability: float = param(
        2.0, "where its own forecast begins: the higher, the more it counts on others to keep away", low=0.0, high=100.0
    )
    habit: float = param(0.0, "how far others do as they did before: 0 is any move alike", low=0.0, high=1.0)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self._trees = trees_for(game.seats, getattr(self, "_trees", None))

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        # What is called once there is a forecast, for which a clock that has run out leaves no time.
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
