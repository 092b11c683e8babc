"""The roll-out shared by all Monte Carlo agents."""

from ludus.kernel.deadline import expired
from ludus.kernel.jit import compiled
from ludus.kernel.rng import Rng
from ludus.kernel.rules import (
    CHANCE,
    MOST_PLAYERS,
    Array,
    State,
    heuristic,
    is_array_state,
    movers,
    over,
    play,
    playout,
    room,
    sample,
    scores,
)

TO_THE_END = -1
_ENDLESS = 2**62


def depth_of(rollout_depth: int | None, state: State) -> int:
    """The depth for `rollout`: by default to the end, checking the clock if the game is interpreted."""
    if rollout_depth is not None:
        return rollout_depth
    return TO_THE_END if is_array_state(type(state)) else _ENDLESS


@compiled
def rollout(state: State, rng: Rng, watch: Array, depth: int, players: int, out: Array) -> bool:
    """Play at random for `depth` moves, or TO_THE_END, and write the scores, or the evaluation at the stopping point.

    Returns False, with nothing written, if time ran out.
    """
    if depth == TO_THE_END:
        playout(state, rng, out)
        return True
    who = room(MOST_PLAYERS)
    chosen = room(MOST_PLAYERS)
    left = depth
    while left > 0 and not over(state):
        if expired(watch):
            return False
        n = movers(state, who)
        for i in range(n):
            chosen[i] = sample(state, who[i], rng)
        play(state, chosen)
        if who[0] != CHANCE:
            left -= 1
    if over(state):
        scores(state, out)
    else:
        for player in range(players):
            out[player] = heuristic(state, player)
    return True
