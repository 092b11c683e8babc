"""The base of agents of spe_ed: the board prepared for walking, recorded layers, and thinking time."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludus.agents.agent import Agent, Choice, Clock, View, deadline
from ludus.agents.layers import LAYERS, PATH, pack, path_layer
from ludus.contests.speed.agents.walking import Ground, cell_of, lay_out, new_ground, stand, trace
from ludus.contests.speed.game import ACTIONS, CHANGE_NOTHING, TOP_SPEED, Speed
from ludus.core.errors import InvalidError
from ludus.core.spec import Duration, param
from ludus.games.game import Game
from ludus.kernel.deadline import FOREVER
from ludus.kernel.rng import Rng, new_rng
from ludus.kernel.state import Array


class SpeedAgent(Agent):
    """An agent that plays spe_ed and nothing else.

    `look` prepares a view: then `_ground`, `_head`, `_now` and `_mark` hold the board, the player's own head as in
    `walking`, the number of the round, and the value of its trail.
    """

    layers: bool = param(False, "record layers of the board with each move")

    def unsuited(self, game: Game) -> str | None:
        return super().unsuited(game) if isinstance(game, Speed) else "plays only spe_ed"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._rng: Rng = new_rng(seed)
        self._ground: Ground = new_ground(0, 0)
        self._head = np.zeros(3, np.int64)
        self._now = self._mark = 0
        self._size = (0, 0)

    def look(self, view: View) -> None:
        """Prepare a view for walking."""
        height, width = view.state.cells.shape
        if self._size != (width, height):
            self._size = (width, height)
            self._ground = new_ground(width, height)
            self._make_room()
        lay_out(view.state, self._ground)
        stand(view.state, view.seat, self._ground, self._head)
        self._now, self._mark = int(view.state.clock[0]), view.seat + 1

    def _make_room(self) -> None:
        """Allocate memory that depends on the size of the ground, which is known from the first view on."""

    def answer(self, action: int, metrics: Mapping[str, Any], path: Sequence[int], **layers: Array) -> Choice:
        """The choice, with layers if requested: the path of these actions, and others as [y, x]."""
        if not self.layers:
            return Choice(action, dict(metrics))
        packed = {PATH: pack(self.path_layer(path))} | {name: pack(layer) for name, layer in layers.items()}
        return Choice(action, {**metrics, LAYERS: packed})

    def path_layer(self, actions: Sequence[int]) -> Array:
        """The cells on the board that these actions touch from this round on."""
        width, height = self._size
        places = np.zeros(TOP_SPEED * len(actions), np.int64)
        n = trace(self._ground, self._head, np.array(actions, np.int64), self._now, places)
        cells = [cell_of(self._ground, place) for place in places[:n].tolist()]
        return path_layer(height, width, [(x, y) for x, y in cells if 0 <= x < width and 0 <= y < height])


def priorities_from(text: str, name: str) -> Array:
    """Parse a list of different actions such as `change_nothing-turn_right`; `name` is the agent's."""
    words = text.lower().split("-")
    if len(set(words)) < len(words) or not set(words) <= set(ACTIONS):
        raise InvalidError(
            f"{name}: priorities={text} is not a list of actions: write some of {', '.join(ACTIONS)}, each once, with "
            "'-' between them, as in change_nothing-turn_right-turn_left."
        )
    return np.array([ACTIONS.index(word) for word in words])


_FOR_LAYERS = 10_000_000
"""Nanoseconds reserved for the layers of a move, at most half of its time."""


class TimedAgent(SpeedAgent):
    """An agent that uses the time it is given."""

    time: Duration | None = param(None, "time for a move", low=0)

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        if self.layers:
            self.path_layer([CHANGE_NOTHING])

    def until(self, clock: Clock, limit: Any) -> int:
        """The moment to stop thinking; `limit` is the agent's other limit, None if it has none."""
        moment = deadline(self.time, clock, limited=limit is not None)
        if not self.layers or moment >= FOREVER:
            return moment
        return moment - min(_FOR_LAYERS, max(0, moment - time.monotonic_ns()) // 2)
