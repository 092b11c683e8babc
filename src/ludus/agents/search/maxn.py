"""MaxN for any number of players, and expectimax, which is the same search, averaging over chance events."""

from typing import Any, ClassVar, NamedTuple

import numpy as np

from ludus.agents.search.deepening import (
    BEST,
    COMMON_FIELDS,
    COMMON_OPTIONS,
    COUNT,
    COUNTERS,
    DEPTH,
    HORIZON,
    NEXT,
    SEARCHED,
    TABLE_HITS,
    Deepening,
    budget_is_spent,
    moves_in_order,
    play_next,
    touched,
)
from ludus.core.spec import param
from ludus.kernel.deadline import FOREVER, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rules import (
    CHANCE,
    MOST_PLAYERS,
    Array,
    State,
    at,
    chance,
    heuristic,
    kernel_for,
    key,
    movers,
    over,
    scores,
)

_TABLE_BITS = 18

# Options beyond the common ones.
ME, PLAYERS, TABLE, EPOCH = range(COMMON_OPTIONS, COMMON_OPTIONS + 4)
# Fields of a frame beyond the common ones; _LEFT is the number of decisions still looked ahead.
_MOVER, _KEY, _LEFT, _CUT_SHORT = range(COMMON_FIELDS, COMMON_FIELDS + 4)


class Workspace(NamedTuple):
    """Everything a search writes to, allocated once for an agent."""

    moves: Array  # int64[ply, move]
    frames: Array  # int64[ply, field]
    values: Array  # float64[ply, player]: the best so far, or the expectation so far
    probabilities: Array  # float64[ply, outcome]
    table_keys: Array  # int64[slot]
    table_info: Array  # int64[slot]: epoch, depth and whether it was cut short, packed
    table_values: Array  # float64[slot, player]
    counts: Array  # int64[count]
    value: Array  # float64[player]: of the node just left
    who: Array  # int64[player]
    chosen: Array  # int64[player]
    watch: Array


@compiled
def search(stack: State, space: Workspace, options: Array, highest: float) -> float:
    """The value of stack[0] for player ME; the best move is left in the frame of ply 0."""
    frames, counts, values = space.frames, space.counts, space.values
    players = options[PLAYERS]
    ply = 0
    entering = True
    cut_short = 0  # whether depth cut off a line below the node just left
    frames[0, _LEFT] = options[DEPTH]
    while True:
        state = at(stack, ply)
        if entering:
            if budget_is_spent(space, options):
                return values[0, options[ME]]
            leaf = True
            cut_short = 0
            if over(state):
                scores(state, space.value)
            elif at_horizon(state, space, ply):
                cut_short = 1
                for player in range(players):
                    space.value[player] = heuristic(state, player)
            elif options[TABLE] and found_in_table(state, space, options, ply):
                cut_short = frames[ply, _CUT_SHORT]
            else:
                leaf = False
                open_node(state, space, options, ply)
        else:
            frames[ply, _CUT_SHORT] |= cut_short
            move = space.moves[ply, frames[ply, NEXT] - 1]
            mover = frames[ply, _MOVER]
            if mover == CHANCE:
                for player in range(players):
                    values[ply, player] += space.probabilities[ply, move] * space.value[player]
            elif frames[ply, BEST] < 0 or space.value[mover] > values[ply, mover]:
                frames[ply, BEST] = move
                for player in range(players):
                    values[ply, player] = space.value[player]
                if space.value[mover] >= highest:
                    frames[ply, COUNT] = frames[ply, NEXT]
            if ply == 0:
                counts[SEARCHED] = frames[0, NEXT]
        if not (entering and leaf):
            if frames[ply, NEXT] < frames[ply, COUNT]:
                play_next(stack, space, ply)
                frames[ply + 1, _LEFT] = frames[ply, _LEFT] - (frames[ply, _MOVER] != CHANCE)
                ply += 1
                entering = True
                continue
            cut_short = frames[ply, _CUT_SHORT]
            for player in range(players):
                space.value[player] = values[ply, player]
            if options[TABLE] and frames[ply, _MOVER] != CHANCE:
                store(space, options, ply)
        if ply == 0:
            counts[HORIZON] = cut_short
            return space.value[options[ME]]
        ply -= 1
        entering = False


@compiled
def at_horizon(state: State, space: Workspace, ply: int) -> bool:
    """True if the search stops here: never before chance decides, since only decisions are valued. Notes who moves."""
    movers(state, space.who)
    space.frames[ply, _MOVER] = space.who[0]
    return (space.frames[ply, _LEFT] == 0 and space.who[0] != CHANCE) or ply == len(space.frames) - 1


@compiled
def open_node(state: State, space: Workspace, options: Array, ply: int) -> None:
    """List the moves or outcomes of a node."""
    frames = space.frames
    mover = frames[ply, _MOVER]
    frames[ply, NEXT] = 0
    frames[ply, BEST] = -1
    frames[ply, _CUT_SHORT] = 0
    moves = space.moves[ply]
    if mover == CHANCE:
        n = chance(state, space.probabilities[ply])
        for outcome in range(n):
            moves[outcome] = outcome
        for player in range(options[PLAYERS]):
            space.values[ply, player] = 0.0
    else:
        n = moves_in_order(state, mover, moves, options, ply == 0)
    frames[ply, COUNT] = n


@compiled
def found_in_table(state: State, space: Workspace, options: Array, ply: int) -> bool:
    """True if the table knows the values of this position at this very depth; never at the root."""
    frames = space.frames
    frames[ply, _KEY] = key(state)
    slot = frames[ply, _KEY] & ((1 << _TABLE_BITS) - 1)
    if ply == 0 or space.table_keys[slot] != frames[ply, _KEY]:
        return False
    if space.table_info[slot] >> 1 != (options[EPOCH] << 16 | frames[ply, _LEFT]):
        return False
    space.counts[TABLE_HITS] += 1
    frames[ply, _CUT_SHORT] = space.table_info[slot] & 1
    for player in range(options[PLAYERS]):
        space.value[player] = space.table_values[slot, player]
    return True


@compiled
def store(space: Workspace, options: Array, ply: int) -> None:
    """Keep a finished node in the table."""
    slot = space.frames[ply, _KEY] & ((1 << _TABLE_BITS) - 1)
    space.table_keys[slot] = space.frames[ply, _KEY]
    space.table_info[slot] = (options[EPOCH] << 16 | space.frames[ply, _LEFT]) << 1 | space.frames[ply, _CUT_SHORT]
    for player in range(options[PLAYERS]):
        space.table_values[slot, player] = space.value[player]


def new_workspace(shape: tuple[int, int], *, table: bool) -> Workspace:
    """Room for searches of up to that many plies with that many moves or outcomes each."""
    plies = shape[0]
    slots = 1 << _TABLE_BITS if table else 1
    return Workspace(
        moves=np.zeros(shape, np.int64),
        frames=np.zeros((plies, COMMON_FIELDS + 4), np.int64),
        values=np.zeros((plies, MOST_PLAYERS)),
        probabilities=np.zeros(shape),
        table_keys=touched(slots, np.int64),
        table_info=touched(slots, np.int64),
        table_values=touched((slots, MOST_PLAYERS)),
        counts=np.zeros(COUNTERS, np.int64),
        value=np.zeros(MOST_PLAYERS),
        who=np.zeros(MOST_PLAYERS, np.int64),
        chosen=np.zeros(MOST_PLAYERS, np.int64),
        watch=new_watch(FOREVER),
    )


class MaxN(Deepening):
    """Each player maximises their own score: minimax for any number of players."""

    name: ClassVar[str] = "maxn"

    table: bool = param(True, "hash table of positions, used at equal depth")

    def _workspace(self, seat: int) -> Workspace:
        facts, options = self._facts, self._options
        self._epoch = getattr(self, "_epoch", 0) + 1
        options[ME] = seat
        options[PLAYERS] = facts.players
        options[TABLE] = self.table
        options[EPOCH] = self._epoch
        plies = 1 + self._deepest * (2 if facts.chance else 1)
        shape = (plies, max(facts.most_moves, facts.most_outcomes))
        space: Workspace | None = getattr(self, "_space", None)
        if space is None or space.moves.shape != shape:
            space = new_workspace(shape, table=self.table)
        return space

    def _search(self, state: State) -> float:
        return float(kernel_for(state, search)(self._stack, self._space, self._options, self._facts.highest_score))

    def _more_metrics(self, state: State, line: list[int]) -> dict[str, Any]:
        return {"table_hits": int(self._space.counts[TABLE_HITS])}


class Expectimax(MaxN):
    """MaxN with chance: averages over chance events. For one player and for several."""

    name: ClassVar[str] = "expectimax"
    least_players: ClassVar[int] = 1
    takes_chance: ClassVar[bool] = True
