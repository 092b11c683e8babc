"""Combi: roll-outs weighed by probability tables, and minimax where others are near."""

import time
from typing import ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.agents.layers import HEAT, PROBABILITY, scaled
from ludus.contests.speed.agents import adversaries, tables
from ludus.contests.speed.agents.agent import TimedAgent
from ludus.contests.speed.agents.analysis import any_safe, nearest, pressure
from ludus.contests.speed.agents.minimax import Deepening, Seen
from ludus.contests.speed.agents.probability import Forecaster
from ludus.contests.speed.agents.sampling import Found, Sampler
from ludus.contests.speed.agents.walking import board_of
from ludus.contests.speed.game import ACTIONS, X, Y
from ludus.core.kinds import MOST_COUNT
from ludus.core.spec import param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER
from ludus.kernel.rng import new_rng
from ludus.kernel.state import Array

_LEAST_FORECAST = 2
"""Opponents in the tables, however far they are."""
_MOST_POSITIONS = 1_000_000
"""For minimax in one thread: against several it would never be done, and roll-outs need the time more."""
_TABLES_UNTIL, _MINIMAX_UNTIL = 0.25, 0.5
"""The parts of the time at which tables and minimax end at the latest; the rest is for roll-outs."""


class Combi(TimedAgent):
    """Roll-outs for the long run, probability tables for where others will be, and minimax where they are near.

    Minimax, if the neighbourhood is busy, says which moves come into question. Of these the one is played that long
    paths begin with and others' ways cross least: by `risk` the number of paths counts, by the rest the tables.
    """

    name: ClassVar[str] = "speed.combi"

    simulations: int | None = param(None, "paths to walk for a move", low=1, high=MOST_COUNT)
    filter: float = param(0.69, "paths count from this part of the length of the longest", low=0.0, high=1.0)
    kept: int = param(256, "long paths that are kept for the next round", low=0, high=10_000)
    unrepeated: bool = param(False, "walk no path twice in a round, in each thread")
    start_probability: float = param(
        2.0, "where its own forecast begins: the higher, the more it counts on others to keep away", low=0.0, high=100.0
    )
    habit: float = param(0.0, "how far others do as they did before: 0 is any move alike", low=0.0, high=1.0)
    risk: float = param(0.5, "weight of roll-outs against tables, from 0 to 1", low=0.0, high=1.0)
    minimax_activation: float = param(
        0.001, "how likely others must be to come to a cell near the head to call for minimax", low=0.0, high=100.0
    )
    aggression: float = param(0.0, "weight of the opponents' freedom in minimax", low=0.0, high=10.0)
    slack: float = param(
        5.0, "freedom that a move may have less than the best one in minimax and still be played", low=0.0, high=5.0
    )
    square: int = param(10, "cells to each side of the head that count as near it", low=0, high=1000)
    table_distance: float = param(30.0, "weighted distance up to which others enter the tables", low=0.0, high=1e6)
    minimax_distance: float = param(15.0, "weighted distance up to which others enter minimax", low=0.0, high=1e6)
    table_depth: int = param(7, "rounds that tables look ahead", low=1, high=tables.DEEPEST)
    minimax_depth: int = param(6, "rounds that minimax looks ahead", low=1, high=adversaries.DEEPEST)
    threads: int = param(1, "threads that walk or search at once", low=1, high=256)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self._seed = seed
        self._trees = tables.trees_for(game.seats, getattr(self, "_trees", None))

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        state = game.start(new_rng(0))
        self.look(View(state, 0))
        self._search.search(state, 0, [1], self._ground, 1, 0)  # which the first rounds do without

    def _make_room(self) -> None:
        ground = self._ground
        self._forecaster = Forecaster(ground, self._trees, self.start_probability, self.habit)
        self._sampler = Sampler(ground, self.filter, self.kept, self.unrepeated, self.threads, self._seed)
        threads = min(self.threads, len(ACTIONS))
        self._search = Deepening(ground, self.aggression, threads, self.slack, _MOST_POSITIONS)

    def choose(self, view: View, clock: Clock) -> Choice:
        start, until = time.monotonic_ns(), self.until(clock, self.simulations)
        self.look(view)
        state, me, ground = view.state, view.seat, self._ground
        x, y = int(state.players[me, X]), int(state.players[me, Y])
        # The table is still the one of the last round.
        busy = pressure(board_of(ground, self._forecaster.table), state.cells, x, y, self.square)
        near = nearest(state, me)
        listed = [other for _, other in near[:_LEAST_FORECAST]]
        listed += [other for distance, other in near[_LEAST_FORECAST:] if distance < self.table_distance]
        soon = _part(start, until, _TABLES_UNTIL)
        levels = self._forecaster.look_ahead(state, me, listed, ground, self.table_depth, soon)
        feared = [other for distance, other in near if distance < self.minimax_distance]
        seen = None
        if feared and busy > self.minimax_activation:
            soon = _part(start, until, _MINIMAX_UNTIL)
            seen = self._search.search(state, me, feared, ground, self.minimax_depth, soon)
        table = self._forecaster.table
        found = self._sampler.sample(ground, self._head, self._now, self._mark, self.simulations, until, table)
        scores = evaluate(found.counts, found.risks, self.risk)
        action = self._pick(scores, found, seen)
        metrics = found.metrics() | {"busy": busy, "table_depth": levels}
        if np.isfinite(scores[action]):
            metrics["value"] = float(-scores[action])
        metrics |= {f"minimax_{name}": figure for name, figure in (seen.metrics() if seen else {}).items()}
        layers = {}
        if self.layers:
            layers[HEAT] = board_of(ground, scaled(self._sampler.heat()))
            layers[PROBABILITY] = board_of(ground, scaled(table))
        return self.answer(action, metrics, found.path(action), **layers)

    def _pick(self, scores: Array, found: Found, seen: Seen | None) -> int:
        """The best action of those that minimax leaves; without a long path, the one with the longest."""
        possible = (seen.good if seen else []) or np.flatnonzero(found.lengths).tolist()
        if not possible:
            return any_safe(self._ground, self._head, self._now)
        return int(min(possible, key=lambda action: (scores[action], -found.lengths[action])))


def evaluate(counts: Array, risks: Array, risk: float) -> Array:
    """The score of each first action, the lower the better: others' share in its paths, and how few paths it has.

    `counts` says how many long paths there are, `risks` how likely others are to be on them; `risk` weighs the former
    against the latter. An action without a path has inf.
    """
    risks = np.where(counts > 0, risks, 0.0)
    crossed = risks / max(risks.sum(), 1e-300)
    rare = 1 - counts / max(counts.sum(), 1)
    return np.where(counts > 0, 2 * ((1 - risk) * crossed + risk * rare), np.inf)


def _part(start: int, until: int, part: float) -> int:
    """The moment when that part of the time has passed."""
    return until if until >= FOREVER else start + int((until - start) * part)
