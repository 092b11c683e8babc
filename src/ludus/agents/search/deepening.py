"""The base of searches to a depth: their limits, and the loop that looks one move further each time."""

from typing import Any, ClassVar

import numpy as np

from ludus.agents.agent import Choice, Clock, Evaluator, View, deadline
from ludus.core.kinds import MOST_COUNT
from ludus.core.spec import Duration, param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import Array, State, at, copy, legal, order, play, sample, stack_of

MOST_DEPTH = 64

# What a search counts, in int64: SEARCHED is the number of root moves done, HORIZON tells whether depth cut a line off.
NODES, CUTOFFS, TABLE_HITS, STOPPED, HORIZON, SEARCHED = range(6)
COUNTERS = 6
# The options that every search has, in int64; each adds its own behind them.
DEPTH, NODE_LIMIT, ORDER, FIRST_MOVE = range(4)
COMMON_OPTIONS = 4
# The first fields of a frame, in int64: moves of this ply, the next to try, the best so far.
COUNT, NEXT, BEST = range(3)
COMMON_FIELDS = 3


class Deepening(Evaluator):
    """A search to a fixed depth, or deeper and deeper as time or nodes allow."""

    least_players: ClassVar[int] = 2
    takes_chance: ClassVar[bool] = False
    takes_simultaneous: ClassVar[bool] = False

    depth: int | None = param(None, "moves to look ahead", low=1, high=MOST_DEPTH)
    time: Duration | None = param(None, "time for a move: deepens until it is used up", low=0)
    nodes: int | None = param(None, "positions to look at for a move", low=1, high=MOST_COUNT)
    order: bool = param(True, "try moves in the game's own order, and only those that it thinks worth trying")

    def is_deterministic(self, game: Game) -> bool:
        return self.time is None and (self.depth is not None or self.nodes is not None)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._game = game
        self._facts = game.facts()
        self._rng: Rng = new_rng(seed)
        self._stack: State = None
        self._deepest = self.depth or MOST_DEPTH
        self._options = np.zeros(16, np.int64)
        self._options[NODE_LIMIT] = FOREVER if self.nodes is None else self.nodes
        self._options[ORDER] = self.order
        self._turns = 0
        self._space: Any = self._workspace(seat)

    def _workspace(self, seat: int) -> Any:
        """Room for a search, the one of the last episode if it fits; and the options beyond the common ones."""
        raise NotImplementedError

    def _search(self, state: State) -> float:
        """The value of the position at the bottom of the stack; counts and frames are left in the workspace."""
        raise NotImplementedError

    def _forget(self) -> bool:
        """Forget what earlier turns left behind, if they left what can end a search; whether they did."""
        return False

    def choose(self, view: View, clock: Clock) -> Choice:
        """Search one move deeper at a time: the best move of one search is tried first in the next.

        A win ends it at the smallest depth that shows it; in a lost position the move that held out longest is kept.
        That a position is lost may be known from earlier turns, but not how long each move holds out: then what they
        left is forgotten, and it begins again.
        """
        limited = self.depth is not None or self.nodes is not None
        space, options = self._space, self._options
        space.watch[:] = new_watch(deadline(self.time, clock, limited=limited))
        space.counts[:] = 0
        root = self.own(self._game, view.state)
        if self._stack is None:
            self._stack = stack_of(root, len(space.frames))
        best, value, reached = -1, 0.0, 0
        line: list[int] = []
        depth = 0
        while depth < self._deepest:
            depth += 1
            options[DEPTH], options[FIRST_MOVE] = depth, best
            space.counts[[STOPPED, HORIZON, SEARCHED]] = 0
            copy(root, at(self._stack, 0))
            found = float(self._search(root))
            if space.counts[STOPPED] and space.counts[SEARCHED] == 0:
                break
            value = found
            if best < 0 or found > self._facts.lowest_score:
                best = int(space.frames[0, BEST])
                line = self._line()
            if space.counts[STOPPED]:
                break
            reached = depth
            if found == self._facts.lowest_score and self._forget():
                depth = 0
            elif not space.counts[HORIZON] or found in (self._facts.lowest_score, self._facts.highest_score):
                break
        self._turns += 1
        if best < 0:
            best = int(sample(view.state, view.seat, self._rng))
        metrics = {"nodes": int(space.counts[NODES]), "depth": reached, "value": value}
        return Choice(best, metrics | self._more_metrics(view.state, line))

    def _line(self) -> list[int]:
        """The principal variation of the last search, if it keeps one."""
        return []

    def _more_metrics(self, state: State, line: list[int]) -> dict[str, Any]:
        return {}


def touched(shape: int | tuple[int, ...], dtype: Any = np.float64) -> Array:
    """Zeros whose memory is really there: else the first search would pay for each page that it touches."""
    array = np.empty(shape, dtype)
    array.fill(0)
    return array


@compiled
def budget_is_spent(space: Any, options: Array) -> bool:
    """Count a position; or true, and noted, if as many as allowed are counted, or time is up."""
    if space.counts[NODES] == options[NODE_LIMIT] or expired(space.watch):
        space.counts[STOPPED] = 1
        return True
    space.counts[NODES] += 1
    return False


@compiled
def moves_in_order(state: State, player: int, moves: Array, options: Array, at_root: bool) -> int:
    """List the moves worth trying; at the root, that of the last search is the first."""
    n = legal(state, player, moves)
    if options[ORDER]:
        n = order(state, player, moves, n)
    if at_root:
        bring_to_front(moves, n, options[FIRST_MOVE])
    return int(n)


@compiled
def play_next(stack: State, space: Any, ply: int) -> None:
    """Play the next move of a frame: the state after it is the one above in the stack."""
    child = at(stack, ply + 1)
    copy(at(stack, ply), child)
    space.chosen[0] = space.moves[ply, space.frames[ply, NEXT]]
    play(child, space.chosen)
    space.frames[ply, NEXT] += 1


@compiled
def bring_to_front(moves: Array, n: int, move: int) -> None:
    """Swap a move, if it is among moves[:n], to the first place."""
    for i in range(1, n):
        if moves[i] == move:
            moves[0], moves[i] = moves[i], moves[0]
