"""Where episodes begin: the start of a game, a position, random moves from there."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from ludus.errors import LudusError
from ludus.games.base import Game
from ludus.record import FROM_THE_START, Opening
from ludus.rng import new_rng
from ludus.rules import CHANCE, MOST_PLAYERS, State, duplicate, movers, over, play, sample


class Setting(NamedTuple):
    """What all episodes of a game share."""

    spec: str
    start: State | None  # None where the start is random


_settings: WeakKeyDictionary[Game, Setting] = WeakKeyDictionary()


def setting(game: Game) -> Setting:
    """What all episodes of this game share, worked out once."""
    found = _settings.get(game)
    if found is None:
        rng = new_rng(0)
        before = rng[0]
        start = game.start(rng)
        found = _settings[game] = Setting(game.spec(), start if rng[0] == before else None)
    return found


def start_state(game: Game, opening: Opening = FROM_THE_START) -> State:
    """The state before the moves of an opening: a new one."""
    if opening.position is None:
        start = setting(game).start
        return game.start(new_rng(opening.seed)) if start is None else duplicate(start)
    state = game.load(opening.position)
    if over(state):
        raise LudusError(f"The position {opening.position} is the end of a game: there is nothing to play.")
    return state


def random_opening(game: Game, plies: int, seed: int, position: str | None = None) -> Opening:
    """Random moves of all players for that many plies, drawn again where they end the game."""
    rng = new_rng(seed, "opening")
    who, chosen = np.zeros(MOST_PLAYERS, np.int64), np.zeros(MOST_PLAYERS, np.int64)
    for _ in range(1000):
        state = start_state(game, Opening(position, seed))
        steps: list[list[str]] = []
        played = 0
        while played < plies and not over(state):
            n = movers(state, who)
            for i in range(n):
                chosen[i] = sample(state, who[i], rng)
            steps.append([game.format(state, int(who[i]), int(chosen[i])) for i in range(n)])
            played += who[0] != CHANCE
            play(state, chosen)
        if not over(state):
            return Opening(position, seed, steps)
    raise LudusError(f"{plies} random plies always end {game.name}: take fewer.")
