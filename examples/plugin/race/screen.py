"""The plugin's output: a picture of the board, and a command."""

from ludus.kernel.rules import State
from ludus.views.boards.canvas import Box, Canvas
from ludus.views.boards.colours import FIELD
from ludus.views.boards.painter import Layer, Painter
from race.game import GOAL, MOST, TOTAL


class Track(Painter):
    name = "track"

    def paint(self, canvas: Canvas, box: Box, state: State, before: State | None, layer: Layer | None) -> None:
        track = box.fitted(GOAL, 1)
        canvas.rectangle(Box(track.x, track.y, track.width * state.race[TOTAL] / GOAL, track.height), FIELD)


def race(total: int) -> None:
    """Show what to add at a total."""
    print((GOAL - total) % (MOST + 1) or "Nothing wins here.")
