"""Nim: take objects from one pile; taking the last one wins, or in misère play loses."""

from typing import ClassVar, NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.core.spec import param
from ludus.games.game import Game, Weight
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.rules import Array, Constant, rule

MOVER, LEFT = range(2)  # indices of turn: the player to move, objects left
PLAYERS, MISERE, OBJECTS = range(3)  # of shape; OBJECTS at the start
MOST_PILES, LARGEST_PILE = 16, 99


class NimState(NamedTuple):
    """The piles, and the player to move."""

    piles: Array
    turn: Array
    shape: Constant
    weights: Constant


@rule
def most_moves(state: NimState) -> int:
    return state.shape[OBJECTS]


@rule
def movers(state: NimState, out: Array) -> int:
    out[0] = state.turn[MOVER]
    return 1


@rule
def legal(state: NimState, player: int, out: Array) -> int:
    n = 0
    for pile in range(len(state.piles)):
        for take in range(1, state.piles[pile] + 1):
            out[n] = (take - 1) * len(state.piles) + pile
            n += 1
    return n


@rule
def play(state: NimState, moves: Array) -> None:
    take, pile = moves[0] // len(state.piles) + 1, moves[0] % len(state.piles)
    state.piles[pile] -= take
    state.turn[LEFT] -= take
    state.turn[MOVER] = (state.turn[MOVER] + 1) % state.shape[PLAYERS]


@rule
def skip(state: NimState, player: int) -> None:
    state.turn[MOVER] = (state.turn[MOVER] + 1) % state.shape[PLAYERS]


@rule
def over(state: NimState) -> bool:
    return state.turn[LEFT] == 0


@rule
def scores(state: NimState, out: Array) -> None:
    players = state.shape[PLAYERS]
    one = -1.0 if state.shape[MISERE] else 1.0
    for player in range(players):
        out[player] = -one / (players - 1)
    out[(state.turn[MOVER] + players - 1) % players] = one


@rule
def heuristic(state: NimState, player: int) -> float:
    if state.shape[PLAYERS] > 2:
        return 0.0
    largest = 0
    for pile in range(len(state.piles)):
        largest = max(largest, state.piles[pile])
        twins = 0
        for other in range(len(state.piles)):
            twins += state.piles[other] == state.piles[pile]
        if twins % 2 and state.piles[pile] > 0:
            return 0.0
    mirrored = min(max(state.weights[0], -0.999), 0.999)
    if state.shape[MISERE] and largest <= 1:
        mirrored = -mirrored
    return -mirrored if player == state.turn[MOVER] else mirrored


class Nim(Game):
    """Take any number of objects from one pile; the player that takes the last one wins (+1; the others split −1).

    In misère play the player that takes the last one loses. A move is the pile and the number taken, as in `2-3`. A
    position is the piles and the player to move, as in `3-0-7/1`. Piles and players are counted from 1.
    """

    name: ClassVar[str] = "nim"
    board: ClassVar[str] = "heaps"
    most_players: ClassVar[int] = 8
    symbols: ClassVar[tuple[str, ...]] = ()
    weights: ClassVar[dict[str, Weight]] = {
        "mirrored": Weight(0.5, "two players: piles in equal pairs, so that every move has a mirrored answer"),
    }

    piles: str = param("1-3-5-7", "objects in each pile, joined by '-'")
    players: int = param(2, "players", low=2, high=8)
    misere: bool = param(False, "taking the last object loses")

    def __post_init__(self) -> None:
        self._piles = _numbers(self.piles)
        if not 1 <= len(self._piles) <= MOST_PILES or not all(1 <= pile <= LARGEST_PILE for pile in self._piles):
            raise InvalidError(
                f"nim: piles={self.piles} must be up to {MOST_PILES} numbers from 1 to {LARGEST_PILE}, as in 3-5-7."
            )

    def start(self, rng: Rng) -> NimState:
        return NimState(
            piles=np.array(self._piles),
            turn=np.array([0, sum(self._piles)]),
            shape=np.array([self.players, self.misere, sum(self._piles)]),
            weights=self.default_weights(),
        )

    def format(self, state: NimState, player: int, move: int) -> str:
        take, pile = divmod(move, len(self._piles))
        return f"{pile + 1}-{take + 1}"

    def draw(self, state: NimState) -> str:
        return "\n".join(f"{i:2} | {'o ' * int(pile)}".rstrip() for i, pile in enumerate(state.piles, 1))

    def save(self, state: NimState) -> str:
        return f"{'-'.join(str(pile) for pile in state.piles)}/{state.turn[MOVER] + 1}"

    def load(self, text: str) -> NimState:
        left, _, mover = text.strip().partition("/")
        piles, players = _numbers(left), _numbers(mover)
        if len(piles) != len(self._piles) or any(not 0 <= a <= b for a, b in zip(piles, self._piles, strict=True)):
            raise InvalidError(f"nim: '{left}' is not {len(self._piles)} piles of at most {self.piles}.")
        if len(players) != 1 or not 1 <= players[0] <= self.players:
            raise InvalidError(f"nim: '{text.strip()}' must end in the player to move, from /1 to /{self.players}.")
        state = self.start(new_rng(0))
        state.piles[:] = piles
        state.turn[:] = players[0] - 1, sum(piles)
        return state


def _numbers(text: str) -> list[int]:
    """Parse a list like 3-5-7; empty if the text is invalid."""
    parts = [part.strip() for part in text.split("-")]
    return [int(part) for part in parts] if all(part.isdecimal() and len(part) < 10 for part in parts) else []
