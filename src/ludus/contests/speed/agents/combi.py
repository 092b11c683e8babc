"""Combi: roll-outs weighted by probability tables, and minimax against nearby players."""

import time
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, View
from ludus.agents.layers import HEAT, PROBABILITY, scaled
from ludus.contests.speed.agents import adversaries, tables
from ludus.contests.speed.agents.adapting import Opponents, Settings, adapted, is_alone
from ludus.contests.speed.agents.agent import TimedAgent
from ludus.contests.speed.agents.analysis import any_safe, nearest, pressure
from ludus.contests.speed.agents.minimax import Deepening, Seen
from ludus.contests.speed.agents.probability import Forecaster
from ludus.contests.speed.agents.sampling import Found, Sampler
from ludus.contests.speed.agents.walking import PLACE, board_of, reachable, unwalk, walk
from ludus.contests.speed.game import ACTIONS, CHANGE_NOTHING, SpeedState, X, Y
from ludus.core.kinds import MOST_COUNT
from ludus.core.spec import param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER
from ludus.kernel.rng import new_rng
from ludus.kernel.state import Array

_LEAST_FORECAST = 2
"""Minimum number of opponents in the tables, however far away."""
_MOST_POSITIONS = 1_000_000
"""Limit for minimax in one thread: against several opponents it would never finish, and roll-outs need the time more.
"""
_TABLES_UNTIL, _MINIMAX_UNTIL = 0.25, 0.5
"""Parts of the time by which tables and minimax must end; the rest is for roll-outs."""


class Combi(TimedAgent):
    """Roll-outs for the long run, probability tables for where others may be, and minimax against nearby ones.

    In a busy neighbourhood, minimax selects the acceptable moves. Of these it plays the one that begins many long paths
    and whose paths others are unlikely to cross: `risk` is the weight of the number of paths, the tables get the
    remaining weight.
    """

    name: ClassVar[str] = "speed.combi"

    simulations: int | None = param(None, "paths to walk for a move", low=1, high=MOST_COUNT)
    filter: float = param(0.69, "minimum length of counted paths, relative to the longest", low=0.0, high=1.0)
    kept: int = param(256, "long paths kept for the next round", low=0, high=10_000)
    unrepeated: bool = param(False, "do not repeat paths in a round, in each thread")
    start_probability: float = param(
        2.0,
        "start value of its own forecast: the higher, the more it relies on others to keep away",
        low=0.0,
        high=100.0,
    )
    habit: float = param(0.0, "weight of the others' habits: 0 makes all their moves equally likely", low=0.0, high=1.0)
    risk: float = param(0.5, "weight of roll-outs against tables, from 0 to 1", low=0.0, high=1.0)
    minimax_activation: float = param(
        0.001, "probability of others reaching a cell near the head from which minimax is used", low=0.0, high=100.0
    )
    aggression: float = param(0.0, "weight of the opponents' freedom in minimax", low=0.0, high=10.0)
    slack: float = param(
        5.0, "maximum loss of freedom in minimax, compared with the best move, of an acceptable move", low=0.0, high=5.0
    )
    square: int = param(10, "cells to each side of the head that count as near", low=0, high=1000)
    table_distance: float = param(30.0, "maximum weighted distance of others in the tables", low=0.0, high=1e6)
    minimax_distance: float = param(15.0, "maximum weighted distance of others in minimax", low=0.0, high=1e6)
    table_depth: int = param(7, "rounds that tables look ahead", low=1, high=tables.DEEPEST)
    minimax_depth: int = param(6, "rounds that minimax looks ahead", low=1, high=adversaries.DEEPEST)
    adapt: bool = param(False, "change parameters with the players, their habits and the space")
    threads: int = param(1, "parallel threads", low=1, high=256)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self._seed = seed
        self._trees = tables.trees_for(game.seats, getattr(self, "_trees", None))
        self._opponents = Opponents(game.seats)

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        state = game.start(new_rng(0))
        self.look(View(state, 0))
        self._search.search(state, 0, [1], self._ground, 1, 0)  # not used in the first rounds, so compile it here
        self._space_after(CHANGE_NOTHING)
        self._adapted(state, 0, [(1.0, 1)])

    def _make_room(self) -> None:
        ground = self._ground
        self._forecaster = Forecaster(ground, self._trees, self.start_probability, self.habit)
        self._sampler = Sampler(ground, self.filter, self.kept, self.unrepeated, self.threads, self._seed)
        threads = min(self.threads, len(ACTIONS))
        self._search = Deepening(ground, self.aggression, threads, self.slack, _MOST_POSITIONS)
        self._queue = np.zeros(len(ground.cells), np.int32)

    def choose(self, view: View, clock: Clock) -> Choice:
        start, until = time.monotonic_ns(), self.until(clock, self.simulations)
        self.look(view)
        state, me, ground = view.state, view.seat, self._ground
        x, y = int(state.players[me, X]), int(state.players[me, Y])
        # The table is still that of the last round.
        busy = pressure(board_of(ground, self._forecaster.table), state.cells, x, y, self.square)
        near = nearest(state, me)
        chosen = self._adapted(state, me, near) if self.adapt else self._usual
        self._forecaster.start, self._sampler.least = chosen.start_probability, chosen.filter
        listed = [other for _, other in near[:_LEAST_FORECAST]]
        listed += [other for distance, other in near[_LEAST_FORECAST:] if distance < self.table_distance]
        soon = _part(start, until, _TABLES_UNTIL)
        levels = 0
        if not chosen.alone:
            levels = self._forecaster.look_ahead(state, me, listed, ground, self.table_depth, soon)
        feared = [other for distance, other in near if distance < chosen.minimax_distance]
        seen = None
        if feared and busy > self.minimax_activation:
            soon = _part(start, until, _MINIMAX_UNTIL)
            seen = self._search.search(state, me, feared, ground, self.minimax_depth, soon)
        table = self._forecaster.table
        found = self._sampler.sample(ground, self._head, self._now, self._mark, self.simulations, until, table)
        scores = evaluate(found.counts, found.risks, chosen.risk)
        action = self._pick(scores, found, seen)
        metrics = found.metrics() | {"busy": busy, "table_depth": levels}
        if np.isfinite(scores[action]):
            metrics["value"] = float(-scores[action])
        if self.adapt:
            metrics |= {f"adapted_{name}": value for name, value in chosen._asdict().items()}
        metrics |= {f"minimax_{name}": figure for name, figure in (seen.metrics() if seen else {}).items()}
        layers = {}
        if self.layers:
            layers[HEAT] = board_of(ground, scaled(self._sampler.heat()))
            layers[PROBABILITY] = board_of(ground, scaled(table))
        return self.answer(action, metrics, found.path(action), **layers)

    @property
    def _usual(self) -> Settings:
        return Settings(self.filter, self.start_probability, self.risk, self.minimax_distance)

    def _adapted(self, state: SpeedState, me: int, near: Sequence[tuple[float, int]]) -> Settings:
        self._opponents.watch(state, me)
        alone = is_alone(state, me, self._ground, int(self._head[PLACE]), self._queue)
        hunting = self._opponents.hunting[near[0][1]] if near else 0.0
        return adapted(self._usual, len(near), float(hunting), alone)

    def _pick(self, scores: Array, found: Found, seen: Seen | None) -> int:
        """The best action among those accepted by minimax; of equal ones that with the longest path, then most space.

        Without a long path, all scores are equal.
        """
        possible = (seen.good if seen else []) or np.flatnonzero(found.lengths).tolist()
        if not possible:
            return any_safe(self._ground, self._head, self._now)
        ranks = {action: (scores[action], -found.lengths[action]) for action in possible}
        equal = [action for action in possible if ranks[action] == min(ranks.values())]
        return equal[0] if len(equal) == 1 else max(equal, key=self._space_after)

    def _space_after(self, action: int) -> int:
        """The number of cells that can be reached after an action, −1 if it is fatal."""
        ground, head = self._ground, np.zeros(3, np.int64)
        if not walk(ground, self._head, action, self._now, self._mark, head):
            return -1
        space = int(reachable(ground, head[PLACE], self._queue))
        unwalk(ground, head, self._now)
        return space


def evaluate(counts: Array, risks: Array, risk: float) -> Array:
    """The score of each first action, lower is better: the risk from others on its paths, and the lack of paths.

    `counts` are the numbers of long paths, `risks` the probabilities of others on them; `risk` is the weight of the
    former. An action without a path has inf.
    """
    risks = np.where(counts > 0, risks, 0.0)
    crossed = risks / max(risks.sum(), 1e-300)
    rare = 1 - counts / max(counts.sum(), 1)
    return np.where(counts > 0, 2 * ((1 - risk) * crossed + risk * rare), np.inf)


def _part(start: int, until: int, part: float) -> int:
    """The moment when this part of the time has passed."""
    return until if until >= FOREVER else start + int((until - start) * part)
