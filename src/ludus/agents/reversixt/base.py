"""What the agents of ReversiXT share: how moves are sorted, and opponents that can do no harm for now."""

from typing import Any

import numpy as np

from ludus.agents.base import Choice, Clock, View
from ludus.agents.deepening import Deepening
from ludus.compiling import compiled
from ludus.games.base import Game
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.rules import (
    BOMBING,
    EXTENDED,
    GONE,
    HARMLESS,
    PLAIN,
    SPECIALS,
    UNSORTED,
    ReversiXtState,
    captured,
)
from ludus.rules import Array, State, legal
from ludus.spec import param

_SORTINGS = {"none": UNSORTED, "plain": PLAIN, "extended": EXTENDED}


class ReversiXtSearch(Deepening):
    """A search in the manner of the course's clients, mixed into one that there is for every game."""

    sort: str = param(
        "extended",
        "how moves are sorted; plain: by their fields; extended: also by their lines, without those that can be "
        "countered",
        choices=tuple(_SORTINGS),
    )
    harmless: bool = param(True, "let opponents that cannot take a stone of ours now have but one move each")

    def unsuited(self, game: Game) -> str | None:
        return super().unsuited(game) if isinstance(game, ReversiXT) else "plays reversixt alone"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        super().begin(game, seat, seed)
        self._manner = np.array([_SORTINGS[self.sort], 0])
        self._moves = np.zeros(self._facts.most_moves, np.int64)

    def own(self, game: Game, state: State) -> State:
        return super().own(game, state)._replace(manner=self._manner)

    def choose(self, view: View, clock: Clock) -> Choice:
        self._manner[HARMLESS] = self._harmless_ones(view) if self.harmless else 0
        return super().choose(view, clock)

    def _harmless_ones(self, view: View) -> int:
        """The opponents, as bits, that could take none of our stones if it were their turn."""
        state, bits = view.state, 0
        if state.turn[BOMBING]:
            return 0
        for player in range(len(state.players)):
            is_here = player != view.seat and not state.players[player, GONE]
            if is_here and not threatens(state, player, view.seat, self._moves):
                bits |= 1 << player
        return bits

    def _more_metrics(self, state: State, line: list[int]) -> dict[str, Any]:
        return super()._more_metrics(state, line) | {"harmless": int(self._manner[HARMLESS]).bit_count()}


@compiled
def threatens(state: ReversiXtState, player: int, victim: int, moves: Array) -> bool:
    """Whether a player could take a stone of another one, if it were its turn in phase 1."""
    for i in range(legal(state, player, moves)):
        field = moves[i] // SPECIALS
        if state.cells[field] == victim + 1:
            return True
        for direction in range(8):
            way = state.ways[field, direction]
            for _ in range(captured(state, player, field, direction)):
                if state.cells[way >> 3] == victim + 1:
                    return True
                way = state.ways[way >> 3, way & 7]
    return False
