"""The search of `speed.territory`: both players move simultaneously, and the rival is assumed to know my move.

A node is a round: each of my moves has the value after the rival's best answer. The value of a position is the share of
the territory that I reach first, from −1 to 1; wins and losses are outside this range, sooner ones further.
"""

from typing import NamedTuple

import numpy as np

from ludus.contests.speed.agents.voronoi import CELLS, EDGES, MEETS, Field, divide, flip_way
from ludus.contests.speed.agents.walking import PACE, PLACE, Ground, survives, unwalk, walk
from ludus.contests.speed.game import ACTIONS, SPEED_UP, TOP_SPEED
from ludus.kernel.deadline import FOREVER, expired, new_watch
from ludus.kernel.jit import compiled
from ludus.kernel.rules import Array

MOST_DEPTH = 64
WON, LOST, BOTH_LOST = 2.0, -2.0, -0.6
_SOONER = 0.01
_TEMPER = 0.5  # randomness of the rival: 0 would always make the best move
_DANGER = 0.5  # maximum cost of going where another player may go
_NOT_YET = 9.0

# Options of one search, in int64.
ME, RIVAL, DEPTH, NODE_LIMIT, NOW, FIRST_MOVE, TOP_PACE = range(7)
OPTIONS = 7
# Counters of a search, in int64.
NODES, STOPPED, SEARCHED, HORIZON = range(4)
# Fields of a frame, in int64: my moves, the rival's, and the current ones.
_MINE, _THEIRS, _I, _J = range(4)
# Fields of a frame, in float64: bounds for me and for the rival; my best move; the current one.
_ALPHA, _BETA, _VALUE, _ANSWERED = range(4)


class Duel(NamedTuple):
    """Working memory of the search, except for the board."""

    heads: Array  # int64[ply, player, 3]
    moves: Array  # int64[ply, 2, move]: mine, the rival's
    frames: Array  # int64[ply, 4]
    bounds: Array  # float64[ply, 4]
    lines: Array  # int64[ply, 2, ply]: number of my moves from there on, and the moves: best and current line
    handicap: Array  # float64[move]: added to each of my moves at the root
    values: Array  # float64[move]: the results of my moves there
    matrix: Array  # float64[move, move]: the results of pairs of moves there
    counts: Array  # int64[4]
    watch: Array


def new_duel(players: int) -> Duel:
    """Memory for searches with that many players."""
    return Duel(
        heads=np.zeros((MOST_DEPTH + 1, players, 3), np.int64),
        moves=np.zeros((MOST_DEPTH + 1, 2, len(ACTIONS)), np.int64),
        frames=np.zeros((MOST_DEPTH + 1, 4), np.int64),
        bounds=np.zeros((MOST_DEPTH + 1, 4)),
        lines=np.zeros((MOST_DEPTH + 2, 2, MOST_DEPTH + 2), np.int64),
        handicap=np.zeros(len(ACTIONS)),
        values=np.zeros(len(ACTIONS)),
        matrix=np.zeros((len(ACTIONS), len(ACTIONS))),
        counts=np.zeros(4, np.int64),
        watch=new_watch(FOREVER),
    )


@compiled
def safe_moves(ground: Ground, head: Array, now: int, first: int, top: int, out: Array) -> int:
    """Write the actions that survive if nobody else moves, with `first` at the front if it is among them."""
    n = 0
    for i in range(5):
        action = (i + 4) % 5
        if (action != SPEED_UP or head[PACE] < top) and survives(ground, head, action, now):
            out[n] = action
            if action == first:
                out[0], out[n] = action, out[0]
            n += 1
    return n


@compiled
def worth(ground: Ground, field: Field, heads: Array, me: int, now: int) -> float:
    """My share of the territory minus the average share of the others, strictly between −1 and 1."""
    divide(ground, field, heads, now, me)
    mine = theirs = 0.0
    others = 0
    for player in range(len(heads)):
        if heads[player, PLACE] > 0:
            speed = heads[player, PACE]
            size = (field.sizes[player, CELLS] + 3.5 * field.sizes[player, EDGES]) / 8.0
            size = max(0.0, size - (speed - 1) * speed / 2)
            if player == me:
                mine = size
            else:
                theirs += size
                others += 1
    if others == 0:
        return 0.99
    theirs /= others
    ahead = (mine - theirs) / (mine + theirs + 1.0)
    if field.sizes[me, MEETS]:
        return 0.8 * ahead
    return 0.95 * ahead / (abs(ahead) + 0.1)


@compiled
def decide(ground: Ground, field: Field, duel: Duel, options: Array, caution: float) -> int:
    """My best move at a fixed depth, −1 if none was evaluated in time; `values` holds the value of each.

    At the root, where the rival does not know my move, the value of a move is between its worst result and its average
    result against a rival that favours moves good for itself. Without a rival, RIVAL is −1, and only I move. All other
    players stay in place, but going where they may go next has a cost.
    """
    heads, counts, moves, matrix = duel.heads, duel.counts, duel.moves[0], duel.matrix
    me, rival, now = options[ME], options[RIVAL], options[NOW]
    counts[STOPPED] = counts[SEARCHED] = counts[HORIZON] = 0
    mine = safe_moves(ground, heads[0, me], now, options[FIRST_MOVE], options[TOP_PACE], moves[0])
    theirs = 0
    if rival >= 0:
        theirs = safe_moves(ground, heads[0, rival], now, -1, TOP_SPEED, moves[1])
    if theirs == 0:
        # Stay in place, to die there.
        theirs = 1
        options[RIVAL] = rival = -1
    best = -1
    _see_dangers(ground, duel, options)
    for i in range(mine):
        duel.lines[0, 1, 0] = 0
        worst = _NOT_YET
        for j in range(theirs):
            value = BOTH_LOST
            duel.lines[1, 0, 0] = 0
            if _go(ground, field, duel, options, 0, moves[0, i], moves[1, j]):
                duel.bounds[1, _ALPHA], duel.bounds[1, _BETA] = -_NOT_YET, _NOT_YET
                value = search(ground, field, duel, options)
                _take_back(ground, field, duel, options, 0)
                if counts[STOPPED]:
                    return best
            matrix[i, j] = value
            if value < worst:
                worst = value
                _note_line(duel, 0, 1, moves[0, i])
        duel.values[i] = caution * worst + duel.handicap[moves[0, i]]
        likely = total = 0.0
        for j in range(theirs):
            likelihood = np.exp(-matrix[i, j] / _TEMPER) if matrix[i, j] != BOTH_LOST else 1.0
            total += likelihood
            likely += likelihood * matrix[i, j]
        duel.values[i] += (1.0 - caution) * likely / total
        counts[SEARCHED] += 1
        if best < 0 or duel.values[i] > duel.values[best]:
            best = i
            for k in range(duel.lines[0, 1, 0] + 1):
                duel.lines[0, 0, k] = duel.lines[0, 1, k]
    return best


@compiled
def _see_dangers(ground: Ground, duel: Duel, options: Array) -> None:
    """Find my moves that might meet those of players who stay in place in the search."""
    me, now, mine = options[ME], options[NOW], duel.heads[1, 0]
    for action in range(len(duel.handicap)):
        duel.handicap[action] = 0.0
        if not walk(ground, duel.heads[0, me], action, now, me + 1, mine):
            continue
        for player in range(duel.heads.shape[1]):
            head = duel.heads[0, player]
            if player == me or player == options[RIVAL] or head[PLACE] == 0:
                continue
            possible = crossing = 0
            for other in range(len(duel.handicap)):
                unwalk(ground, mine, now)
                possible += survives(ground, head, other, now)
                walk(ground, duel.heads[0, me], action, now, me + 1, mine)
                crossing += not survives(ground, head, other, now)
            crossing -= len(duel.handicap) - possible
            duel.handicap[action] -= _DANGER * crossing / max(1, possible)
        unwalk(ground, mine, now)


@compiled
def search(ground: Ground, field: Field, duel: Duel, options: Array) -> float:
    """The value of the position for me after one round, searched to DEPTH."""
    frames, bounds, heads, counts = duel.frames, duel.bounds, duel.heads, duel.counts
    me, rival = options[ME], options[RIVAL]
    ply = 1
    entering = True
    while True:
        frame, bound = frames[ply], bounds[ply]
        now = options[NOW] + ply
        value = _NOT_YET
        if entering:
            entering = False
            if counts[NODES] >= options[NODE_LIMIT] or expired(duel.watch):
                counts[STOPPED] = 1
            counts[NODES] += 1
            duel.lines[ply, 0, 0] = 0
            frame[_I] = frame[_J] = 0
            bound[_VALUE], bound[_ANSWERED] = -_NOT_YET, _NOT_YET
            if ply == options[DEPTH] or counts[STOPPED]:
                value = worth(ground, field, heads[ply], me, now)
                counts[HORIZON] = 1
            else:
                frame[_MINE] = safe_moves(ground, heads[ply, me], now, -1, options[TOP_PACE], duel.moves[ply, 0])
                frame[_THEIRS] = 1
                if rival >= 0:
                    frame[_THEIRS] = safe_moves(ground, heads[ply, rival], now, -1, TOP_SPEED, duel.moves[ply, 1])
                if frame[_MINE] == 0:
                    value = BOTH_LOST if frame[_THEIRS] == 0 else LOST + _SOONER * ply
                elif frame[_THEIRS] == 0:
                    value = WON - _SOONER * ply
                    if len(heads[ply]) > 2:
                        place = heads[ply, rival, PLACE]
                        heads[ply, rival, PLACE] = 0
                        value = 0.5 + 0.5 * worth(ground, field, heads[ply], me, now)
                        heads[ply, rival, PLACE] = place
        elif frame[_I] == frame[_MINE] or bound[_VALUE] >= bound[_BETA] or counts[STOPPED]:
            value = bound[_VALUE]
        if value != _NOT_YET:
            if ply == 1:
                return value
            ply -= 1
            _take_back(ground, field, duel, options, ply)
            _answer(duel, ply, value)
        elif _go(ground, field, duel, options, ply, duel.moves[ply, 0, frame[_I]], duel.moves[ply, 1, frame[_J]]):
            bounds[ply + 1, _ALPHA] = max(bound[_ALPHA], bound[_VALUE])
            bounds[ply + 1, _BETA] = min(bound[_BETA], bound[_ANSWERED])
            ply += 1
            entering = True
        else:
            duel.lines[ply + 1, 0, 0] = 0
            _answer(duel, ply, BOTH_LOST)


@compiled
def _go(ground: Ground, field: Field, duel: Duel, options: Array, ply: int, mine: int, theirs: int) -> bool:
    """Play a pair of moves that are safe separately; false, with nothing changed, if they meet."""
    heads, me, rival, now = duel.heads, options[ME], options[RIVAL], options[NOW] + ply
    for player in range(heads.shape[1]):
        for part in range(3):
            heads[ply + 1, player, part] = heads[ply, player, part]
    walk(ground, heads[ply, me], mine, now, me + 1, heads[ply + 1, me])
    if rival >= 0:
        if not walk(ground, heads[ply, rival], theirs, now, rival + 1, heads[ply + 1, rival]):
            unwalk(ground, heads[ply + 1, me], now)
            return False
        flip_way(ground, field, heads[ply + 1, rival], now)
    flip_way(ground, field, heads[ply + 1, me], now)
    return True


@compiled
def _take_back(ground: Ground, field: Field, duel: Duel, options: Array, ply: int) -> None:
    now = options[NOW] + ply
    for player in (options[RIVAL], options[ME]):
        if player >= 0:
            flip_way(ground, field, duel.heads[ply + 1, player], now)
            unwalk(ground, duel.heads[ply + 1, player], now)


@compiled
def _answer(duel: Duel, ply: int, value: float) -> None:
    """Note the result of a pair of moves."""
    frame, bound = duel.frames[ply], duel.bounds[ply]
    action = duel.moves[ply, 0, frame[_I]]
    if value < bound[_ANSWERED]:
        bound[_ANSWERED] = value
        _note_line(duel, ply, 1, action)
    frame[_J] += 1
    if frame[_J] == frame[_THEIRS] or bound[_ANSWERED] <= max(bound[_ALPHA], bound[_VALUE]):
        if bound[_ANSWERED] > bound[_VALUE]:
            bound[_VALUE] = bound[_ANSWERED]
            for i in range(duel.lines[ply, 1, 0] + 1):
                duel.lines[ply, 0, i] = duel.lines[ply, 1, i]
        frame[_I] += 1
        frame[_J] = 0
        bound[_ANSWERED] = _NOT_YET


@compiled
def _note_line(duel: Duel, ply: int, which: int, action: int) -> None:
    line, deeper = duel.lines[ply, which], duel.lines[ply + 1, 0]
    line[0], line[1] = deeper[0] + 1, action
    for i in range(deeper[0]):
        line[i + 2] = deeper[i + 1]
