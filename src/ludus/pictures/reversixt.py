"""ReversiXT: stones in the colours of the players, special fields by their letters, holes that bombs made."""

import numpy as np

from ludus.agents.layers import PATH
from ludus.games.reversixt.game import ReversiXT
from ludus.games.reversixt.maps import DX, DY
from ludus.games.reversixt.rules import (
    BOMBS,
    BONUS,
    CHOICE,
    EXPANSION,
    GONE,
    HOLE,
    INVERSION,
    LETTERS,
    OVERRIDES,
    ReversiXtState,
)
from ludus.pictures.base import Layer, Painter, cells_of_path, paint_path
from ludus.pictures.canvas import Box, Canvas, Point
from ludus.pictures.colours import FIELD, INK, PAPER, PLAYERS, mixed, on_ramp, readable_on

_SPECIAL = {BONUS: "#f3d27a", CHOICE: "#d9c2ee", INVERSION: "#b6e0d4", EXPANSION: "#c4cad2"}
"""The colours of the special fields."""
_BURNT = mixed(INK, PAPER, 0.25)
_ENDS = ("#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#117a65", "#a04000", "#515a5a")
"""The colours of transitions, so that both ends of one can be found."""
_LEAST_LETTER = 9  # pixels of a field, below which nothing is written on it


class ReversiXtPainter(Painter):
    """Draws ReversiXT."""

    game: ReversiXT

    def shape(self, state: ReversiXtState) -> tuple[int, int]:
        return self.game.chart.height, self.game.chart.width

    def paint(
        self, canvas: Canvas, box: Box, state: ReversiXtState, before: ReversiXtState | None, layer: Layer | None
    ) -> None:
        rows, columns = self.shape(state)
        board = box.fitted(columns, rows)
        self.board, self.size = board, board.width / columns
        heat = layer.values if layer is not None and layer.name != PATH else None
        is_legible = canvas.pixels(self.size) >= _LEAST_LETTER
        for (x, y), what in zip(state.places.tolist(), state.cells.tolist(), strict=True):
            ground = FIELD if heat is None else on_ramp(float(heat[y, x]))
            self._paint_field(canvas, x, y, what, ground, is_legible)
        self._paint_transitions(canvas)
        if before is not None:
            self._mark_changes(canvas, state, before)
        if layer is not None and layer.name == PATH:
            paint_path(canvas, [self._centre(*cell) for cell in cells_of_path(layer.values)], self.size)

    def _centre(self, x: int, y: int) -> Point:
        return self.board.x + (x + 0.5) * self.size, self.board.y + (y + 0.5) * self.size

    def _paint_field(self, canvas: Canvas, x: int, y: int, what: int, ground: str, is_legible: bool) -> None:
        size, gap = self.size, self.size * 0.04
        tile = Box(self.board.x + x * size + gap, self.board.y + y * size + gap, size - 2 * gap, size - 2 * gap)
        canvas.rectangle(tile, _BURNT if what == HOLE else _SPECIAL.get(what, ground))
        letter, colour = LETTERS[what].upper(), mixed(INK, _SPECIAL.get(what, INK), 0.2)
        if 0 < what < EXPANSION:
            stone = PLAYERS[what - 1]
            canvas.disc(self._centre(x, y), size * 0.42, stone, mixed(stone, INK, 0.35), size * 0.03)
            colour = readable_on(stone)
        if is_legible and what not in (0, HOLE):
            canvas.text(self._centre(x, y), letter, size * 0.5, colour, "mm")

    def _paint_transitions(self, canvas: Canvas) -> None:
        """A short bar where a line leaves the field, in one colour at both ends."""
        for number, way in enumerate(self.game.chart.transitions):
            colour = _ENDS[number % len(_ENDS)]
            for x, y, direction in (way[:3], way[3:]):
                dx, dy = DX[direction], DY[direction]
                (at_x, at_y), near, far = self._centre(x, y), self.size * 0.34, self.size * 0.5
                ends = [(at_x + dx * reach, at_y + dy * reach) for reach in (near, far)]
                canvas.line(ends, colour, self.size * 0.14)

    def _mark_changes(self, canvas: Canvas, state: ReversiXtState, before: ReversiXtState) -> None:
        """A ring around each stone that has changed sides, a dot on the one that was laid."""
        for field in np.flatnonzero(state.cells != before.cells).tolist():
            what, old = int(state.cells[field]), int(before.cells[field])
            if 0 < what < EXPANSION:
                centre, colour = self._centre(*state.places[field].tolist()), readable_on(PLAYERS[what - 1])
                if 0 < old <= EXPANSION:
                    canvas.disc(centre, self.size * 0.36, None, colour, self.size * 0.05)
                else:
                    canvas.disc(centre, self.size * 0.49, None, INK, self.size * 0.07)

    def status(self, state: ReversiXtState, seat: int) -> str:
        if state.players[seat, GONE]:
            return "disqualified"
        stones = int(np.count_nonzero(state.cells == seat + 1))
        overrides, bombs = state.players.item(seat, OVERRIDES), state.players.item(seat, BOMBS)
        parts = [_counted(stones, "stone")]
        parts += [_counted(count, noun) for count, noun in ((overrides, "override"), (bombs, "bomb")) if count]
        return ", ".join(parts)

    def is_out(self, state: ReversiXtState, seat: int) -> bool:
        return bool(state.players[seat, GONE])


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"
