"""Monte Carlo tree search: upper confidence bounds (UCT), and regret matching for simultaneous moves."""

import time
from typing import Any, ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, Evaluator, View, deadline
from ludus.agents.montecarlo import decoupled, tree
from ludus.agents.montecarlo.rollout import depth_of
from ludus.core.kinds import MOST_COUNT
from ludus.core.spec import Duration, param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER, new_watch
from ludus.kernel.rng import Rng, new_rng, unit
from ludus.kernel.rules import MOST_PLAYERS, Array, State, duplicate, kernel_for, sample

MOST_SHOWN = 400
"""Maximum number of moves with reported visits, the most visited ones, since writing them takes time."""


class MCTS(Evaluator):
    """Grows a tree of promising lines, evaluated by random games from its leaves."""

    name: ClassVar[str] = "mcts"

    simulations: int | None = param(None, "simulations for a move", low=1, high=MOST_COUNT)
    time: Duration | None = param(None, "time for a move", low=0)
    c: float = param(1.4, "exploration: preference for rarely tried moves", low=0.0, high=100.0)
    tree_depth: int = param(200, "maximum depth of the tree in moves", low=1, high=1000)
    rollout_depth: int | None = param(None, "moves in a roll-out; by default to the end", low=0, high=MOST_COUNT)
    keep: bool = param(True, "keep the tree between the moves of an episode")
    solve: bool = param(True, "prove wins and losses in the tree (two players, no chance)")
    simultaneous: str = param(
        "regret", "selection among simultaneous moves: regret matching, or uct", choices=("regret", "uct")
    )
    opponents: int | None = param(
        None,
        "opponents that select simultaneous moves, the next seats first; others move at random",
        low=0,
        high=MOST_PLAYERS,
    )

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._game = game
        self._facts = facts = game.facts()
        self._rng: Rng = new_rng(seed)
        self._fresh = True
        if getattr(self, "_made_for", None) != facts:
            self._trees = [self._new_tree() for _ in range(2 if self.keep else 1)]
            self._made_for = facts

    def _new_tree(self) -> Any:
        facts = self._facts
        if facts.simultaneous:
            nodes = decoupled.MOST_NODES if self.simulations is None else 2 * self.simulations + 1
            return decoupled.new_tree(facts.most_moves, facts.players, min(decoupled.MOST_NODES, nodes))
        width = max(facts.most_moves, facts.most_outcomes)
        nodes = tree.MOST_NODES if self.simulations is None else (self.simulations + 1) * width * 2
        return tree.new_tree(facts.most_moves, facts.most_outcomes, min(tree.MOST_NODES, nodes + 1))

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        for since in ([[0] * game.seats], []):  # compiles the code for keeping a tree
            self._take_root(since, FOREVER)

    def choose(self, view: View, clock: Clock) -> Choice:
        until = deadline(self.time, clock, limited=self.simulations is not None)
        self._take_root(view.since, until)
        root = self.own(self._game, view.state)
        grown = self._trees[0]
        grown.watch[:] = new_watch(until)
        if self._facts.simultaneous:
            return self._choose_mixed(view, root, grown)
        grow = kernel_for(root, tree.grow)
        grow(root, duplicate(root), grown, self._options(tree, root), self.c, self._rng)
        moves, visits, values = tree.root_moves(grown)
        if not visits.any():
            return self._any_move(view, grown)
        # A proven win comes first, a proven loss last; then the most visits, then the higher mean.
        best = np.lexsort((values, visits, np.where(np.isinf(values), values, 0.0)))[-1]
        return Choice(int(moves[best]), self._metrics(view, grown, moves, visits, values[best]))

    def _choose_mixed(self, view: View, root: State, grown: decoupled.Tree) -> Choice:
        grow = kernel_for(root, decoupled.grow)
        options = self._options(decoupled, root)
        options[decoupled.UCT] = self.simultaneous == "uct"
        options[decoupled.ME] = view.seat
        options[decoupled.OPPONENTS] = self._facts.players if self.opponents is None else self.opponents
        grow(root, duplicate(root), grown, options, self.c, self._rng)
        moves, visits, values, strategy = decoupled.root_moves(grown, view.seat)
        if not visits.any():
            return self._any_move(view, grown)
        if self.simultaneous == "uct":
            best = np.lexsort((values, visits))[-1]
            return Choice(int(moves[best]), self._metrics(view, grown, moves, visits, values[best]))
        shares = np.cumsum(strategy)
        drawn = int(np.searchsorted(shares, unit(self._rng) * shares[-1], side="right"))
        mean = float(values @ strategy / shares[-1])
        return Choice(int(moves[drawn]), self._metrics(view, grown, moves, visits, mean))

    def _options(self, module: Any, root: State) -> Array:
        options = np.zeros(7, np.int64)
        options[module.SIMULATIONS] = FOREVER if self.simulations is None else self.simulations
        options[module.TREE_DEPTH] = self.tree_depth
        options[module.ROLLOUT_DEPTH] = depth_of(self.rollout_depth, root)
        options[module.PLAYERS] = self._facts.players
        if module is tree:
            options[module.SOLVE] = self.solve and self._facts.players == 2 and self._facts.deterministic
        return options

    def _any_move(self, view: View, grown: Any) -> Choice:
        """Choose a move when there was no time to try any."""
        nothing = np.zeros(0)
        metrics = self._metrics(view, grown, nothing, nothing, 0.0)
        return Choice(int(sample(view.state, view.seat, self._rng)), metrics)

    def _take_root(self, since: list[list[int]], until: int) -> None:
        """Keep the part of the tree below the moves since the last turn, or start a new one.

        Keeping it may take a quarter of the time.
        """
        module: Any = decoupled if self._facts.simultaneous else tree
        node = -1 if self._fresh or not self.keep else 0
        for moves in since:
            if node >= 0:
                node = int(module.child_of(self._trees[0], node, np.array(moves)))
        if self.keep:
            self._trees.reverse()
        module.clear(self._trees[0])
        if node >= 0:
            now = time.monotonic_ns()
            self._trees[0].watch[:] = new_watch(until if until >= FOREVER else now + (until - now) // 4)
            if not module.transplant(self._trees[1], node, self._trees[0]):
                module.clear(self._trees[0])
        self._fresh = False

    def _metrics(self, view: View, grown: Any, moves: Array, visits: Array, value: float) -> dict[str, Any]:
        shown = np.argsort(-visits, kind="stable")[:MOST_SHOWN]
        return {
            "simulations": int(grown.counts[0]),
            "nodes": int(grown.counts[1]),
            "value": float(np.clip(value, self._facts.lowest_score, self._facts.highest_score)),
            "visits": {self._game.format(view.state, view.seat, int(moves[i])): int(visits[i]) for i in shown},
        }
