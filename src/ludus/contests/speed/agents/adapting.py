"""Parameters of combi that follow the game: how many play, who hunts, and whether others can still come near."""

from typing import NamedTuple

import numpy as np

from ludus.contests.speed.agents.walking import FILLED, Ground, ahead, drain, flood, place_of
from ludus.contests.speed.game import FELL, SpeedState, X, Y
from ludus.kernel.jit import compiled
from ludus.kernel.state import Array

_MEMORY = 0.9
"""Weight of the rounds before the last one in a habit."""


class Settings(NamedTuple):
    """The parameters of combi that can change in a game."""

    filter: float
    start_probability: float
    risk: float
    minimax_distance: float
    alone: bool = False
    """True if nobody else needs to be considered."""


class Opponents:
    """The habits of the others in one episode."""

    def __init__(self, players: int) -> None:
        self.hunting = np.full(players, 0.5)
        """For each player, how often it came nearer lately, from 0 to 1."""
        self._before: Array | None = None

    def watch(self, state: SpeedState, me: int) -> None:
        """Note the moves of the last round."""
        players = state.players
        if self._before is not None:
            mine = self._before[me, [X, Y]]
            was, now = (np.abs(heads[:, [X, Y]] - mine).sum(axis=1) for heads in (self._before, players))
            self.hunting += (1 - _MEMORY) * ((now < was) - self.hunting)
        self._before = players.copy()


def adapted(usual: Settings, others: int, hunting: float, alone: bool) -> Settings:
    """The parameters against this many living others, of which the nearest hunts that often.

    Against many, and against a hunter, its own forecast counts for less, so that it keeps away from where they go. A
    hunter is taken into minimax from further away. Alone in a space, it counts only the longest paths.
    """
    if alone:
        return Settings((1 + usual.filter) / 2, usual.start_probability, 1.0, 0.0, alone=True)
    return usual._replace(
        start_probability=usual.start_probability * (1.5 - hunting) / np.sqrt(others),
        minimax_distance=usual.minimax_distance * (0.5 + hunting),
    )


def is_alone(state: SpeedState, me: int, ground: Ground, place: int, queue: Array) -> bool:
    """True if no living other stands beside the space around a place, which others could then enter only by a jump."""
    others = [
        place_of(ground, *player[[X, Y]])
        for seat, player in enumerate(state.players)
        if seat != me and not player[FELL]
    ]
    return not _touches(ground, place, np.array(others, np.int64), queue)


@compiled
def _touches(ground: Ground, place: int, others: Array, queue: Array) -> bool:
    n = flood(ground, place, queue)
    touched = False
    for other in others:
        for heading in range(4):
            touched |= ground.cells[other + ahead(ground, heading)] == FILLED
    drain(ground, queue, n)
    return touched
