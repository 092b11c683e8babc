"""spe_ed: trails in the colours of the players, heads that show the direction, and crosses for deaths."""

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ludus.agents.layers import PATH
from ludus.contests.speed.game import CRASH, DIRECTION, FELL, SPEED, TOP_SPEED, SpeedState, X, Y
from ludus.kernel.state import Array
from ludus.views.boards.canvas import Box, Canvas, Point
from ludus.views.boards.colours import FIELD, HAIRLINE, INK, ON_DARK, PAPER, PLAYERS, faded, mixed, on_ramp, rgb
from ludus.views.boards.painter import Layer, Painter, cells_of_path, paint_path
from ludus.views.boards.text_cells import Place

_LEAST_GAP = 5  # minimum pixels of a cell with gaps
_EDGE = 1 / 8  # width of an edge relative to the tile
_SMALLER = 0.6  # scale of a cross for each further one on the same cell
_AHEAD = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))


class SpeedPainter(Painter):
    """Draws trails."""

    name: ClassVar[str] = "trails"
    round_word = "round"

    def shape(self, state: SpeedState) -> tuple[int, int]:
        rows, columns = state.cells.shape
        return rows, columns

    def cells(self, state: SpeedState, lines: Sequence[str]) -> list[list[Place]]:
        rows, columns = self.shape(state)
        return [[(y, x) for x in range(columns)] for y in range(rows)]

    def owners(self, state: SpeedState, lines: Sequence[str]) -> dict[Place, int]:
        found = {(y, x): int(state.cells[y, x]) - 1 for y, x in np.argwhere(state.cells > 0).tolist()}
        heads = enumerate(state.players.tolist())
        return found | {(player[Y], player[X]): seat for seat, player in heads if not player[FELL]}

    def paint(
        self, canvas: Canvas, box: Box, state: SpeedState, before: SpeedState | None, layer: Layer | None
    ) -> None:
        rows, columns = self.shape(state)
        board = box.fitted(columns, rows)
        size = board.width / columns
        if layer is None or layer.name == PATH:
            canvas.cells(board, _coloured(state))
            if canvas.pixels(size) >= _LEAST_GAP:
                _draw_gaps(canvas, board, rows, columns, size)
        else:
            canvas.cells(board, _shaded(layer.values))
            _draw_tiles(canvas, board, size, state)
        canvas.rectangle(board, line=HAIRLINE)

        def centre(x: int, y: int) -> Point:
            inside_x, inside_y = min(max(x, 0), columns - 1), min(max(y, 0), rows - 1)
            return board.x + (inside_x + 0.5) * size, board.y + (inside_y + 0.5) * size

        for y, x in np.argwhere(state.cells == CRASH).tolist():
            canvas.cross(centre(x, y), size * 0.26, PAPER, size * 0.14)
        fallen: Counter[Point] = Counter()
        players = list(enumerate(state.players.tolist()))
        for number, player in sorted(players, key=lambda entry: not entry[1][FELL]):
            place = centre(player[X], player[Y])
            if player[FELL]:
                _draw_fallen(canvas, place, size * _SMALLER ** fallen[place], PLAYERS[number])
                fallen[place] += 1
            else:
                _draw_head(canvas, place, size, _AHEAD[player[DIRECTION]], PLAYERS[number])
        if layer is not None and layer.name == PATH:
            x, y = (int(part) for part in state.players[layer.seat, [X, Y]])
            paint_path(canvas, [centre(*cell) for cell in cells_of_path(layer.values, (x, y))], size)

    def status(self, state: SpeedState, seat: int) -> str:
        player = state.players[seat]
        return f"died in round {player[FELL]}" if player[FELL] else f"speed {player[SPEED]}"

    def gauge(self, state: SpeedState, seat: int) -> tuple[int, int] | None:
        player = state.players[seat]
        return None if player[FELL] else (int(player[SPEED]), TOP_SPEED)


def _coloured(state: SpeedState) -> Array:
    """Red, green and blue of each cell."""
    colours = np.empty((*state.cells.shape, 3), np.uint8)
    colours[:] = rgb(FIELD)
    for number, player in enumerate(state.players.tolist()):
        colour = faded(PLAYERS[number]) if player[FELL] else PLAYERS[number]
        colours[state.cells == number + 1] = rgb(colour)
    colours[state.cells == CRASH] = rgb(INK)
    return colours


def _shaded(values: Array) -> Array:
    """Red, green and blue of each cell of a layer."""
    ramp = np.array([rgb(on_ramp(level / 255)) for level in range(256)], np.uint8)
    return ramp[np.rint(values * 255).astype(np.intp)]


def _draw_tiles(canvas: Canvas, board: Box, size: float, state: SpeedState) -> None:
    """Draw trails as tiles with a white edge, to distinguish them from the layer."""
    colours = _coloured(state)
    edge = size * _EDGE
    for y, x in np.argwhere(state.cells != 0).tolist():
        tile = Box(board.x + x * size, board.y + y * size, size, size)
        red, green, blue = colours[y, x].tolist()
        canvas.rectangle(tile, PAPER)
        canvas.rectangle(
            Box(tile.x + edge, tile.y + edge, size - 2 * edge, size - 2 * edge), f"#{red:02x}{green:02x}{blue:02x}"
        )


def _draw_gaps(canvas: Canvas, board: Box, rows: int, columns: int, size: float) -> None:
    across = [board.x + column * size for column in range(1, columns)]
    down = [board.y + row * size for row in range(1, rows)]
    canvas.segments([((x, board.y), (x, board.y + board.height)) for x in across], PAPER, size * 0.06)
    canvas.segments([((board.x, y), (board.x + board.width, y)) for y in down], PAPER, size * 0.06)


def _draw_fallen(canvas: Canvas, place: Point, size: float, colour: str) -> None:
    canvas.cross(place, size * 0.75, PAPER, size * 0.62)
    canvas.cross(place, size * 0.7, mixed(colour, INK, 0.25), size * 0.36)


def _draw_head(canvas: Canvas, place: Point, size: float, ahead: Point, colour: str) -> None:
    (x, y), (dx, dy) = place, ahead
    half = size * 0.78
    canvas.rounded(
        Box(x - half - size * 0.16, y - half - size * 0.16, 2 * half + size * 0.32, 2 * half + size * 0.32),
        size * 0.55,
        PAPER,
    )
    canvas.rounded(Box(x - half, y - half, 2 * half, 2 * half), size * 0.42, mixed(colour, INK, 0.2))
    tip, back, side = size * 0.55, size * 0.36, size * 0.5
    canvas.polygon(
        [
            (x + dx * tip, y + dy * tip),
            (x - dx * back - dy * side, y - dy * back + dx * side),
            (x - dx * back + dy * side, y - dy * back - dx * side),
        ],
        ON_DARK,
    )
