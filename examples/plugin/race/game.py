"""The game, as rules and a class for what people read and write; and an agent."""

from typing import NamedTuple

import numpy as np

from ludus import Agent, Choice, Clock, Game, View
from ludus.kernel.rng import Rng
from ludus.kernel.rules import Array, rule

TOTAL, MOVER = range(2)
GOAL, MOST = 21, 3


class RaceState(NamedTuple):
    race: Array


@rule
def most_moves(state: RaceState) -> int:
    return MOST


@rule
def movers(state: RaceState, out: Array) -> int:
    out[0] = state.race[MOVER]
    return 1


@rule
def legal(state: RaceState, player: int, out: Array) -> int:
    out[0], out[1], out[2] = 1, 2, 3
    return min(MOST, GOAL - state.race[TOTAL])


@rule
def play(state: RaceState, moves: Array) -> None:
    state.race[TOTAL] += moves[0]
    state.race[MOVER] = 1 - state.race[MOVER]


@rule
def over(state: RaceState) -> bool:
    return state.race[TOTAL] == GOAL


@rule
def scores(state: RaceState, out: Array) -> None:
    out[state.race[MOVER]], out[1 - state.race[MOVER]] = -1.0, 1.0


class Race(Game):
    """Add 1, 2 or 3 in turn; the player that reaches 21 wins. A position is the total and the mover, as in `5/0`."""

    name = "race"
    board = "track"

    def start(self, rng: Rng) -> RaceState:
        return RaceState(np.array([0, 0]))

    def draw(self, state: RaceState) -> str:
        return f"{state.race[TOTAL]} of {GOAL}"

    def save(self, state: RaceState) -> str:
        return f"{state.race[TOTAL]}/{state.race[MOVER]}"

    def load(self, text: str) -> RaceState:
        return RaceState(np.array([int(part) for part in text.split("/")]))


class Perfect(Agent):
    """Leaves a multiple of four to the goal where that can be done."""

    name = "race.perfect"

    def begin(self, game: Game, seat: int, seed: int) -> None: ...

    def choose(self, view: View, clock: Clock) -> Choice:
        return Choice(int(GOAL - view.state.race[TOTAL]) % (MOST + 1) or 1)
