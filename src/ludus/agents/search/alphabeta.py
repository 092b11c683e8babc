"""Minimax and alpha-beta for two players, and the paranoid search that sees any number of opponents as one.

All of them are one search: the searching player maximises its own value, everybody else minimises it.
"""

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
    FIRST_MOVE,
    HORIZON,
    NEXT,
    ORDER,
    SEARCHED,
    TABLE_HITS,
    Deepening,
    budget_is_spent,
    play_next,
    touched,
)
from ludus.core.spec import param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, below
from ludus.kernel.rules import (
    MOST_PLAYERS,
    Array,
    State,
    at,
    duplicate,
    heuristic,
    kernel_for,
    key,
    legal,
    movers,
    order,
    over,
    play,
    scores,
)

_TABLE_BITS = 20
_HISTORY_MASK = 0xFFF
_TO_THE_END = 255  # a table entry's depth when no leaf below it was cut off

# What a table entry's value is.
_EXACT, _AT_LEAST, _AT_MOST = range(3)
# Options beyond the common ones.
ME, PRUNE, TABLE, EQUAL_DEPTH_ONLY, KILLERS, HISTORY, SHUFFLE, EPOCH = range(COMMON_OPTIONS, COMMON_OPTIONS + 8)
# Fields of a frame beyond the common ones.
_MAXIMISES, _KEY, _HINT, _RANKED, _CUT_SHORT = range(COMMON_FIELDS, COMMON_FIELDS + 5)
_ALPHA, _BETA, _VALUE = range(3)
# Where moves are shuffled: nowhere, at the root, or below it.
_NOWHERE, _AT_ROOT, _BELOW_ROOT = range(3)
_SHUFFLED = {"no": _NOWHERE, "yes": _AT_ROOT, "inner": _BELOW_ROOT}


class Workspace(NamedTuple):
    """Everything a search writes to, allocated once for an agent; [ply] unless said otherwise."""

    moves: Array  # int64[ply, move]
    ranks: Array  # int64[ply, move]: what is tried first
    frames: Array  # int64[ply, field]
    bounds: Array  # float64[ply, 3]: alpha, beta, best
    variation: Array  # int64[ply, ply]: the principal variation from each ply on
    killers: Array  # int64[ply, 2]
    history: Array  # int64[side, move]
    table_keys: Array  # int64[slot]
    table_info: Array  # int64[slot, 2]: move; epoch, depth and kind of bound packed
    table_values: Array  # float64[slot]
    counts: Array  # int64[count]
    scores: Array  # float64[player]
    who: Array  # int64[player]
    chosen: Array  # int64[player]
    watch: Array


@compiled
def search(stack: State, space: Workspace, options: Array, rng: Rng) -> float:
    """The value of stack[0] for player ME at a fixed depth; counts and best move are left in the workspace."""
    counts, frames, bounds = space.counts, space.frames, space.bounds
    last = options[DEPTH]
    ply = 0
    entering = True
    value = 0.0
    cut_short = 0
    while True:
        state = at(stack, ply)
        if entering:
            if budget_is_spent(space, options):
                return bounds[0, _VALUE]
            space.variation[ply, ply] = -1
            leaf = False
            cut_short = 0
            if over(state):
                scores(state, space.scores)
                value = space.scores[options[ME]]
                leaf = True
            elif ply == last:
                value = heuristic(state, options[ME])
                leaf = True
                cut_short = 1
            else:
                bounds[ply, _ALPHA] = bounds[ply - 1, _ALPHA] if ply > 0 else -np.inf
                bounds[ply, _BETA] = bounds[ply - 1, _BETA] if ply > 0 else np.inf
                frames[ply, _HINT] = options[FIRST_MOVE] if ply == 0 else -1
                if options[TABLE]:
                    frames[ply, _KEY] = key(state)
                    leaf = probe(space, options, ply, last - ply) and ply > 0
                    if leaf:
                        counts[TABLE_HITS] += 1
                        value = bounds[ply, _VALUE]
                        cut_short = frames[ply, _CUT_SHORT]
            if not leaf:
                movers(state, space.who)
                player = space.who[0]
                frames[ply, _MAXIMISES] = player == options[ME]
                frames[ply, _CUT_SHORT] = 0
                frames[ply, BEST] = -1
                frames[ply, NEXT] = 0
                bounds[ply, _VALUE] = -np.inf if frames[ply, _MAXIMISES] else np.inf
                moves = space.moves[ply]
                n = legal(state, player, moves)
                if options[SHUFFLE] == (_AT_ROOT if ply == 0 else _BELOW_ROOT):
                    shuffle(moves, n, rng)
                if options[ORDER]:
                    n = order(state, player, moves, n)
                frames[ply, COUNT] = n
                rank(space, options, ply)
        else:
            # `value` is that of the child at ply + 1, `cut_short` whether its horizon was reached.
            frames[ply, _CUT_SHORT] |= cut_short
            move = space.moves[ply, frames[ply, NEXT] - 1]
            if ply == 0:
                counts[SEARCHED] = frames[0, NEXT]
            better = value > bounds[ply, _VALUE] if frames[ply, _MAXIMISES] else value < bounds[ply, _VALUE]
            if better or frames[ply, BEST] < 0:
                bounds[ply, _VALUE] = value
                frames[ply, BEST] = move
                remember_variation(space, ply, move)
            if options[PRUNE]:
                if frames[ply, _MAXIMISES]:
                    bounds[ply, _ALPHA] = max(bounds[ply, _ALPHA], value)
                else:
                    bounds[ply, _BETA] = min(bounds[ply, _BETA], value)
                if bounds[ply, _ALPHA] >= bounds[ply, _BETA] and frames[ply, NEXT] < frames[ply, COUNT]:
                    counts[CUTOFFS] += 1
                    frames[ply, COUNT] = frames[ply, NEXT]
                    if options[KILLERS] and space.killers[ply, 0] != move:
                        space.killers[ply, 1] = space.killers[ply, 0]
                        space.killers[ply, 0] = move
                    if options[HISTORY]:
                        space.history[frames[ply, _MAXIMISES], move & _HISTORY_MASK] += (last - ply) ** 2
        if not (entering and leaf):
            if frames[ply, NEXT] < frames[ply, COUNT]:
                pick_next(space, ply)
                play_next(stack, space, ply)
                ply += 1
                entering = True
                continue
            value = bounds[ply, _VALUE]
            cut_short = frames[ply, _CUT_SHORT]
            if options[TABLE]:
                store(space, options, ply, last - ply)
        if ply == 0:
            break
        ply -= 1
        entering = False
    counts[HORIZON] = cut_short
    return value


@compiled
def shuffle(moves: Array, n: int, rng: Rng) -> None:
    """Bring moves[:n] into a random order."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        moves[i], moves[j] = moves[j], moves[i]


@compiled
def rank(space: Workspace, options: Array, ply: int) -> None:
    """Decide what is tried first: the table's move, the killers, then by history, then in the order given."""
    n = space.frames[ply, COUNT]
    space.frames[ply, _RANKED] = 0
    hint = space.frames[ply, _HINT]
    ranked = False
    for i in range(n):
        move = space.moves[ply, i]
        worth = -i
        if options[HISTORY]:
            worth += space.history[space.frames[ply, _MAXIMISES], move & _HISTORY_MASK] << 10
        if options[KILLERS]:
            if move == space.killers[ply, 0]:
                worth = 1 << 61
            elif move == space.killers[ply, 1]:
                worth = 1 << 60
        if move == hint:
            worth = 1 << 62
        space.ranks[ply, i] = worth
        ranked |= worth > 0
    space.frames[ply, _RANKED] = ranked


@compiled
def pick_next(space: Workspace, ply: int) -> None:
    """Bring the best of the moves not yet tried to its turn."""
    if not space.frames[ply, _RANKED]:
        return
    first = space.frames[ply, NEXT]
    best = first
    for i in range(first + 1, space.frames[ply, COUNT]):
        if space.ranks[ply, i] > space.ranks[ply, best]:
            best = i
    moves, ranks = space.moves, space.ranks
    moves[ply, first], moves[ply, best] = moves[ply, best], moves[ply, first]
    ranks[ply, first], ranks[ply, best] = ranks[ply, best], ranks[ply, first]


@compiled
def remember_variation(space: Workspace, ply: int, move: int) -> None:
    """The best line from here is this move and then the child's best line."""
    line = space.variation
    line[ply, ply] = move
    at_ply = ply + 1
    while line[ply + 1, at_ply] >= 0:
        line[ply, at_ply] = line[ply + 1, at_ply]
        at_ply += 1
    line[ply, at_ply] = -1


@compiled
def probe(space: Workspace, options: Array, ply: int, remaining: int) -> bool:
    """Look the position up: its best move becomes the hint; true if its value settles this node."""
    slot = space.frames[ply, _KEY] & ((1 << _TABLE_BITS) - 1)
    info = space.table_info[slot, 1]
    if space.table_keys[slot] != space.frames[ply, _KEY] or info >> 16 != options[EPOCH]:
        return False
    if space.frames[ply, _HINT] < 0:
        space.frames[ply, _HINT] = space.table_info[slot, 0]
    depth = (info >> 8) & 0xFF
    if depth != remaining and (options[EQUAL_DEPTH_ONLY] or depth < remaining):
        return False
    value = space.table_values[slot]
    kind = info & 3
    space.bounds[ply, _VALUE] = value
    space.frames[ply, _CUT_SHORT] = depth != _TO_THE_END
    if kind == _EXACT:
        return True
    if kind == _AT_LEAST:
        return value >= space.bounds[ply, _BETA]
    return value <= space.bounds[ply, _ALPHA]


@compiled
def store(space: Workspace, options: Array, ply: int, remaining: int) -> None:
    """Keep a finished node in the table. Its window is the parent's: its own has moved."""
    frames = space.frames
    value = space.bounds[ply, _VALUE]
    alpha = space.bounds[ply - 1, _ALPHA] if ply > 0 else -np.inf
    beta = space.bounds[ply - 1, _BETA] if ply > 0 else np.inf
    kind = _EXACT
    if options[PRUNE]:
        kind = _AT_LEAST if value >= beta else _AT_MOST if value <= alpha else _EXACT
    depth = remaining
    if not frames[ply, _CUT_SHORT] and not options[EQUAL_DEPTH_ONLY]:
        depth = _TO_THE_END
    slot = frames[ply, _KEY] & ((1 << _TABLE_BITS) - 1)
    space.table_keys[slot] = frames[ply, _KEY]
    space.table_info[slot, 0] = frames[ply, BEST]
    space.table_info[slot, 1] = (options[EPOCH] << 16) | (depth << 8) | kind
    space.table_values[slot] = value


def new_workspace(shape: tuple[int, int], *, table: bool) -> Workspace:
    """Room for searches of up to that many plies with that many moves each."""
    plies = shape[0]
    slots = 1 << _TABLE_BITS if table else 1
    return Workspace(
        moves=np.zeros(shape, np.int64),
        ranks=np.zeros(shape, np.int64),
        frames=np.zeros((plies, 8), np.int64),
        bounds=np.zeros((plies, 3)),
        variation=np.full((plies + 1, plies + 2), -1),
        killers=np.full((plies, 2), -1),
        history=np.zeros((2, _HISTORY_MASK + 1), np.int64),
        table_keys=touched(slots, np.int64),
        table_info=touched((slots, 2), np.int64),
        table_values=touched(slots),
        counts=np.zeros(COUNTERS, np.int64),
        scores=np.zeros(MOST_PLAYERS),
        who=np.zeros(MOST_PLAYERS, np.int64),
        chosen=np.zeros(MOST_PLAYERS, np.int64),
        watch=new_watch(FOREVER),
    )


class Minimax(Deepening):
    """Looks at every line of play to a fixed depth, or as deep as time allows."""

    name: ClassVar[str] = "minimax"
    most_players: ClassVar[int] = 2
    prunes: ClassVar[bool] = False
    killers: bool = False
    history: bool = False

    table: str = param("on", "transposition table; equal: entries of equal depth only", choices=("on", "equal", "off"))
    shuffle: str = param(
        "yes",
        "yes: shuffle the moves at hand, so that equally good ones take turns; inner: those of later positions",
        choices=tuple(_SHUFFLED),
    )

    def is_deterministic(self, game: Game) -> bool:
        return self.shuffle == "no" and super().is_deterministic(game)

    def _workspace(self, seat: int) -> Workspace:
        options = self._options
        self._epoch = getattr(self, "_epoch", 0) + 1
        options[ME] = seat
        options[PRUNE] = self.prunes
        options[TABLE] = self.table != "off"
        options[EQUAL_DEPTH_ONLY] = self.table == "equal"
        options[KILLERS] = self.killers
        options[HISTORY] = self.history
        options[SHUFFLE] = _SHUFFLED[self.shuffle]
        options[EPOCH] = self._epoch
        space: Workspace | None = getattr(self, "_space", None)
        shape = (self._deepest + 1, self._facts.most_moves)
        if space is None or space.moves.shape != shape:
            space = new_workspace(shape, table=self.table != "off")
        space.killers.fill(-1)
        space.history.fill(0)
        return space

    def _forget(self) -> bool:
        if self._turns == 0 or self.table != "on":
            return False
        self._turns = 0
        self._epoch += 1
        self._options[EPOCH] = self._epoch
        return True

    def _search(self, state: State) -> float:
        return float(kernel_for(state, search)(self._stack, self._space, self._options, self._rng))

    def _line(self) -> list[int]:
        line = self._space.variation[0]
        return [int(move) for move in line[: int(np.argmax(line < 0))]]

    def _more_metrics(self, state: State, line: list[int]) -> dict[str, Any]:
        return {
            "cutoffs": int(self._space.counts[CUTOFFS]),
            "table_hits": int(self._space.counts[TABLE_HITS]),
            "line": line_text(self._game, state, line),
        }


class AlphaBeta(Minimax):
    """Minimax that skips branches which cannot change the result, and tries promising moves first."""

    name: ClassVar[str] = "alphabeta"
    prunes: ClassVar[bool] = True

    killers: bool = param(True, "first try moves that refuted others at the same depth")
    history: bool = param(True, "first try moves that refuted others anywhere")


class Paranoid(AlphaBeta):
    """Alpha-beta for several players that treats all opponents as one."""

    name: ClassVar[str] = "paranoid"
    most_players: ClassVar[int] = MOST_PLAYERS


def line_text(game: Game, state: State, line: list[int], most: int = 8) -> str:
    """The first moves of a line of play as text."""
    state = duplicate(state)
    words = []
    for move in line[:most]:
        words.append(game.format(state, game.movers(state)[0], move))
        play(state, np.array([move]))
    return " ".join(words)
