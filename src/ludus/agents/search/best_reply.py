"""Best-reply search: of all opponents, only the one with the strongest reply moves."""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from ludus.agents.search.deepening import (
    BEST,
    COMMON_FIELDS,
    COMMON_OPTIONS,
    COUNT,
    COUNTERS,
    CUTOFFS,
    DEPTH,
    HORIZON,
    NEXT,
    SEARCHED,
    Deepening,
    budget_is_spent,
    moves_in_order,
    play_next,
)
from ludus.kernel.deadline import FOREVER, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rules import (
    MOST_PLAYERS,
    Array,
    State,
    at,
    heuristic,
    kernel_for,
    movers,
    over,
    scores,
    skip,
)

ME = COMMON_OPTIONS
# Fields of a frame beyond the common ones; _MOVER is who replies here at the moment.
_MOVER, _SKIPPED = range(COMMON_FIELDS, COMMON_FIELDS + 2)
_ALPHA, _BETA, _VALUE = range(3)


class Workspace(NamedTuple):
    """Everything a search writes to, allocated once for an agent."""

    moves: Array  # int64[layer, move]
    frames: Array  # int64[layer, field]
    bounds: Array  # float64[layer, 3]: alpha, beta, best
    counts: Array  # int64[count]
    scores: Array  # float64[player]
    who: Array  # int64[player]
    chosen: Array  # int64[player]
    watch: Array


@compiled
def search(stack: State, space: Workspace, options: Array) -> float:
    """The value of stack[0] for player ME, looking ahead DEPTH layers: own moves and best replies in turn."""
    frames, bounds, counts = space.frames, space.bounds, space.counts
    me = options[ME]
    layer = 0
    entering = True
    value = 0.0
    while True:
        state = at(stack, layer)
        if entering:
            if budget_is_spent(space, options):
                return bounds[0, _VALUE]
            leaf = True
            if over(state):
                scores(state, space.scores)
                value = space.scores[me]
            elif layer == options[DEPTH]:
                counts[HORIZON] = 1
                value = heuristic(state, me)
            else:
                leaf = False
                bounds[layer, _ALPHA] = bounds[layer - 1, _ALPHA] if layer > 0 else -np.inf
                bounds[layer, _BETA] = bounds[layer - 1, _BETA] if layer > 0 else np.inf
                frames[layer, BEST] = -1
                frames[layer, _SKIPPED] = 0
                list_moves(state, space, options, layer)
        else:
            move = space.moves[layer, frames[layer, NEXT] - 1]
            mine = frames[layer, _MOVER] == me
            better = value > bounds[layer, _VALUE] if mine else value < bounds[layer, _VALUE]
            if frames[layer, BEST] < 0 or better:
                bounds[layer, _VALUE] = value
                frames[layer, BEST] = move
            if mine:
                bounds[layer, _ALPHA] = max(bounds[layer, _ALPHA], value)
            else:
                bounds[layer, _BETA] = min(bounds[layer, _BETA], value)
            if layer == 0:
                counts[SEARCHED] = frames[0, NEXT]
        if not (entering and leaf):
            if bounds[layer, _ALPHA] >= bounds[layer, _BETA]:
                counts[CUTOFFS] += 1
            elif frames[layer, NEXT] < frames[layer, COUNT] or next_opponent(state, space, options, layer):
                play_next(stack, space, layer)
                if frames[layer, _MOVER] != me:
                    stand_aside(at(stack, layer + 1), space, me, frames[layer, _MOVER])
                layer += 1
                entering = True
                continue
            value = bounds[layer, _VALUE]
        if layer == 0:
            return value
        layer -= 1
        entering = False


@compiled
def list_moves(state: State, space: Workspace, options: Array, layer: int) -> None:
    """The moves of the player to move in this state."""
    movers(state, space.who)
    player = space.who[0]
    space.frames[layer, _MOVER] = player
    space.frames[layer, COUNT] = moves_in_order(state, player, space.moves[layer], options, layer == 0)
    space.frames[layer, NEXT] = 0


@compiled
def next_opponent(state: State, space: Workspace, options: Array, layer: int) -> bool:
    """Let the opponent whose replies are all tried pass; false if no other opponent is left to reply."""
    if space.frames[layer, _MOVER] == options[ME]:
        return False
    skip(state, space.frames[layer, _MOVER])
    space.frames[layer, _SKIPPED] += 1
    if over(state):
        return False
    movers(state, space.who)
    # A game in which a player may move again could come back to one who has replied already.
    if space.who[0] == options[ME] or space.frames[layer, _SKIPPED] >= MOST_PLAYERS:
        return False
    list_moves(state, space, options, layer)
    return space.frames[layer, COUNT] > 0


@compiled
def stand_aside(state: State, space: Workspace, me: int, replier: int) -> None:
    """After a reply, everybody passes until it is my turn, or the replier's once more."""
    for _ in range(MOST_PLAYERS):
        if over(state):
            return
        movers(state, space.who)
        if space.who[0] == me or space.who[0] == replier:
            return
        skip(state, space.who[0])


class BestReply(Deepening):
    """Best-reply search: after each own move only the most dangerous opponent replies; the others pass.

    An opponent passes where the game has a rule `skip`; elsewhere it plays the first move in the game's order.
    """

    name: ClassVar[str] = "brs"

    def _workspace(self, seat: int) -> Workspace:
        self._options[ME] = seat
        layers = self._deepest + 1
        return Workspace(
            moves=np.zeros((layers, self._facts.most_moves), np.int64),
            frames=np.zeros((layers, COMMON_FIELDS + 2), np.int64),
            bounds=np.zeros((layers, 3)),
            counts=np.zeros(COUNTERS, np.int64),
            scores=np.zeros(MOST_PLAYERS),
            who=np.zeros(MOST_PLAYERS, np.int64),
            chosen=np.zeros(MOST_PLAYERS, np.int64),
            watch=new_watch(FOREVER),
        )

    def _search(self, state: State) -> float:
        return float(kernel_for(state, search)(self._stack, self._space, self._options))

    def _more_metrics(self, state: State, line: list[int]) -> dict[str, Any]:
        return {"cutoffs": int(self._space.counts[CUTOFFS])}
