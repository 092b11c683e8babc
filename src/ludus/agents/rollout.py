"""The roll-out that Monte Carlo agents share."""

from ludus.compiling import compiled
from ludus.rng import Rng
from ludus.rules import CHANCE, MOST_PLAYERS, Array, State, heuristic, movers, over, play, playout, room, sample, scores

TO_THE_END = -1


@compiled
def rollout(state: State, rng: Rng, depth: int, players: int, out: Array) -> None:
    """Play at random for `depth` moves, or TO_THE_END, and write the scores, or the evaluation where it stopped."""
    if depth == TO_THE_END:
        playout(state, rng, out)
        return
    who = room(MOST_PLAYERS)
    chosen = room(MOST_PLAYERS)
    left = depth
    while left > 0 and not over(state):
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
