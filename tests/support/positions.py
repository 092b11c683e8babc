"""Positions to search in: reached by random moves, so that tests see more than openings."""

import numpy as np

from ludus.games.game import Game
from ludus.kernel import rules
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import State


def random_position(game: Game, plies: int, seed: int) -> State:
    """A position that is not over, that many random plies from the start, and the dice that follow them."""
    rng = new_rng(game.name, plies, seed)
    while True:
        state = game.start(rng)
        played = 0
        while not rules.over(state) and (played < plies or game.movers(state) == [rules.CHANCE]):
            moves = [rules.sample(state, player, rng) for player in game.movers(state)]
            rules.play(state, np.array(moves))
            played += 1
        if not rules.over(state):
            return state
