"""Costs of the rules of a game, measured in compiled loops over positions of random games."""

from typing import Any

import numpy as np

from ludus.check.playthrough import Caller, Position, snapshots
from ludus.games.game import Game
from ludus.kernel.deadline import now
from ludus.kernel.dispatch import allocates, rule_names
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import (
    CHANCE,
    MOST_PLAYERS,
    Array,
    State,
    at,
    copy,
    heuristic,
    is_array_state,
    kernel_for,
    key,
    legal,
    most_moves,
    movers,
    order,
    over,
    play,
    playout,
    sample,
    stack_of,
)
from ludus.kernel.state import changing_fields

_TIMED = ("over", "movers", "legal", "sample", "copy", "play", "heuristic", "key", "order", "playout")
_OVER, _MOVERS, _LEGAL, _SAMPLE, _COPY, _PLAY, _HEURISTIC, _KEY, _ORDER, _PLAYOUT = range(10)
_POSITIONS, _PLAYOUTS = 64, 8
_NANOSECONDS = 20_000_000
"""Time spent on each rule."""


def measure(game: Game) -> tuple[list[str], dict[str, Any]]:
    """Measure nanoseconds of each rule, playouts a second, and the size of a state."""
    positions = _positions(game)
    first = positions[0].state
    array_state = is_array_state(type(first))
    stack = stack_of(first, 2 * len(positions) + 1)
    for i, position in enumerate(positions):
        copy(position.state, at(stack, i))
    copy(game.start(new_rng(0)), at(stack, 2 * len(positions)))
    players = np.array([position.movers[0] for position in positions])
    chosen = np.array([[*(m[0] for m in p.moves), *[0] * (MOST_PLAYERS - len(p.moves))] for p in positions])
    moves = np.zeros(max(MOST_PLAYERS, most_moves(first)), np.int64)
    kernel = kernel_for(first, time_rules)
    rounds, spent = np.ones(len(_TIMED), np.int64), np.zeros(len(_TIMED), np.int64)
    calls = np.array([len(positions)] * _PLAYOUT + [_PLAYOUTS])
    copies = np.isin(np.arange(len(_TIMED)), (_PLAY, _PLAYOUT))
    for _ in range(3 if array_state else 2):  # the first rounds warm up and set the number of the next
        kernel(stack, players, chosen, rounds, spent, moves, np.zeros(MOST_PLAYERS), np.zeros(2, np.int64), new_rng(0))
        each = spent / rounds / calls
        taken = spent + copies * (rounds * calls * each[_COPY]).astype(np.int64)
        rounds = np.maximum(1, _NANOSECONDS * rounds // np.maximum(taken, 1))
    each[_ORDER] -= each[_LEGAL]
    figures: dict[str, Any] = {name: round(max(0.0, float(value)), 1) for name, value in zip(_TIMED, each, strict=True)}
    notes = [", ".join(f"{name} {figures[name]:,.0f} ns" for name in _TIMED[:_PLAYOUT])]
    notes.append(f"{1e9 / figures['playout']:,.0f} playouts a second")
    if array_state:
        changing = sum(getattr(first, name).nbytes for name in changing_fields(type(first)))
        shared = sum(array.nbytes for array in first) - changing
        figures |= {"bytes": changing, "shared_bytes": shared}
        notes.append(f"a state is {changing:,} bytes, plus {shared:,} shared by all copies")
        for name in (name for name in rule_names() if allocates(type(first), name)):
            price = f": {figures[name]:,.0f} ns a call" if name in figures else ""
            notes.append(f"{name} allocates{price}; room(n) would be several times as fast")
    return notes, figures


def _positions(game: Game) -> list[Position]:
    """Positions of random games, all of one size if a game draws its size at random."""
    found: list[Position] = []
    for seed in range(20):
        seen = [p for p in snapshots(game, seed, Caller()) if p.movers != [CHANCE]]
        found += [p for p in seen if _sizes(p.state) == _sizes((found or seen)[0].state)]
        if len(found) >= 2 * _POSITIONS:
            break
    spread = found[:: max(1, len(found) // _POSITIONS)]
    return (spread * _POSITIONS)[:_POSITIONS]


def _sizes(state: State) -> list[tuple[int, ...]]:
    return [array.shape for array in state] if is_array_state(type(state)) else []


@compiled
def time_rules(
    stack: State,
    players: Array,
    chosen: Array,
    rounds: Array,
    spent: Array,
    out: Array,
    points: Array,
    timespec: Array,
    rng: Rng,
) -> float:
    """Write the nanoseconds that each rule takes for its rounds over the first places of a stack.

    As many places to work on follow, and then the start. The caller provides the output arrays, so that nothing is
    optimised away.
    """
    n = len(players)
    start = at(stack, 2 * n)
    total = 0.0  # returned for the same reason
    begin = now(timespec)
    for _ in range(rounds[_OVER]):
        for i in range(n):
            total += over(at(stack, i))
    spent[_OVER], begin = now(timespec) - begin, now(timespec)
    for _ in range(rounds[_MOVERS]):
        for i in range(n):
            total += movers(at(stack, i), out)
    spent[_MOVERS], begin = now(timespec) - begin, now(timespec)
    for _ in range(rounds[_LEGAL]):
        for i in range(n):
            total += legal(at(stack, i), players[i], out)
    spent[_LEGAL], begin = now(timespec) - begin, now(timespec)
    for _ in range(rounds[_SAMPLE]):
        for i in range(n):
            total += sample(at(stack, i), players[i], rng)
    spent[_SAMPLE], begin = now(timespec) - begin, now(timespec)
    for _ in range(rounds[_COPY]):
        for i in range(n):
            copy(at(stack, i), at(stack, n + i))
    spent[_COPY] = now(timespec) - begin
    spent[_PLAY] = 0
    for _ in range(rounds[_PLAY]):
        for i in range(n):
            copy(at(stack, i), at(stack, n + i))
        begin = now(timespec)
        for i in range(n):
            play(at(stack, n + i), chosen[i])
        spent[_PLAY] += now(timespec) - begin
    begin = now(timespec)
    for _ in range(rounds[_HEURISTIC]):
        for i in range(n):
            total += heuristic(at(stack, i), players[i])
    spent[_HEURISTIC], begin = now(timespec) - begin, now(timespec)
    for _ in range(rounds[_KEY]):
        for i in range(n):
            total += key(at(stack, i)) & 1
    spent[_KEY], begin = now(timespec) - begin, now(timespec)
    for _ in range(rounds[_ORDER]):
        for i in range(n):
            total += order(at(stack, i), players[i], out, legal(at(stack, i), players[i], out))
    spent[_ORDER] = now(timespec) - begin
    spent[_PLAYOUT] = 0
    for _ in range(rounds[_PLAYOUT]):
        for i in range(_PLAYOUTS):
            copy(start, at(stack, n + i))
        begin = now(timespec)
        for i in range(_PLAYOUTS):
            playout(at(stack, n + i), rng, points)
        spent[_PLAYOUT] += now(timespec) - begin
    return total
