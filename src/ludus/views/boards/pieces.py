"""Chessmen on a chequered board, for games whose positions as text begin like a FEN."""

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from ludus.agents.layers import PATH
from ludus.kernel.rules import State
from ludus.views.boards.canvas import Box, Canvas, Point
from ludus.views.boards.colours import QUIET, mixed, on_ramp
from ludus.views.boards.contours import Contour
from ludus.views.boards.painter import LEAST_SHOWN, Layer, Painter, cells_of_path, paint_path

_LIGHT, _DARK = "#e6eaee", "#93a8bf"
_MARK = "#f0c23c"
_EDGE = 0.5  # margin in squares for the names of files and ranks
_WHITE, _BLACK = "#fbfbf9", "#33383f"
_OUTLINES = ("#33383f", "#15181c")
_DETAILS = ("#33383f", "#d5dae0")

_FOOT = "M22 76L78 76C80 76 82 78 82 80L82 87L18 87L18 80C18 78 20 76 22 76Z"


class Man(NamedTuple):
    """The shape of a chessman, and the lines on it."""

    body: Contour
    details: Contour | None = None


def _man(body: str, details: str = "") -> Man:
    return Man(Contour(100, body + _FOOT), Contour(100, details) if details else None)


def _ball(x: float, y: float, radius: float) -> str:
    """A circle of four curves."""
    k = radius * 0.55
    points = (
        (x + k, y - radius, x + radius, y - k, x + radius, y),
        (x + radius, y + k, x + k, y + radius, x, y + radius),
        (x - k, y + radius, x - radius, y + k, x - radius, y),
        (x - radius, y - k, x - k, y - radius, x, y - radius),
    )
    curves = "".join("C" + " ".join(f"{number:g}" for number in curve) for curve in points)
    return f"M{x:g} {y - radius:g}{curves}Z"


_MEN = {
    "p": _man(
        "M43 50C43 60 36 68 30 76L70 76C64 68 57 60 57 50Z"
        "M37 44L63 44C65.5 44 66.5 46 66.5 47.5C66.5 49 65.5 51 63 51L37 51"
        "C34.5 51 33.5 49 33.5 47.5C33.5 46 34.5 44 37 44Z" + _ball(50, 30, 14.5)
    ),
    "r": _man(
        "M35 38L65 38L69 76L31 76Z"
        "M25 16L36 16L36 23L44.5 23L44.5 16L55.5 16L55.5 23L64 23L64 16L75 16L75 32L68 39L32 39L25 32Z",
        "M34 66L66 66",
    ),
    "n": _man(
        "M29 76C29 63 38 58 47 49C43 52 38 53.5 34 54C31 59 26 62 21 59C16 56 15.5 51 18 47C22 41 26 36 28 30"
        "C29 25 31 21 34 18L33 8L44 15C66 16 80 34 79 62C79 67 78 72 77 76Z",
        _ball(37.5, 31.5, 1.6) + "M22.5 52C23 50.5 24 50 25.5 50M48 19C62 25 70 40 70 64",
    ),
    "b": _man(
        "M41 66L59 66C60 71 64 74 68 76L32 76C36 74 40 71 41 66Z"
        "M50 17C61 25 69 36 67 47C66 53 62 57 58 59.5L42 59.5C38 57 34 53 33 47C31 36 39 25 50 17Z"
        "M37 59.5L63 59.5C65.5 59.5 66.5 61 66.5 63C66.5 65 65.5 66.5 63 66.5L37 66.5"
        "C34.5 66.5 33.5 65 33.5 63C33.5 61 34.5 59.5 37 59.5Z" + _ball(50, 12, 5.5),
        "M50 31L50 49M42 39L58 39",
    ),
    "q": _man(
        "M17 31L28 62L72 62L83 31L68 48L67 22L55 46L50 18L45 46L33 22L32 48Z"
        "M28 62L72 62C73.5 66 73 70 70 76L30 76C27 70 26.5 66 28 62Z"
        + _ball(17, 28, 4.8) + _ball(33, 19, 4.8) + _ball(50, 14.5, 5.2) + _ball(67, 19, 4.8) + _ball(83, 28, 4.8),
        "M31 69L69 69",
    ),
    "k": _man(
        "M47 5L53 5L53 10.5L59 10.5L59 16.5L53 16.5L53 26L47 26L47 16.5L41 16.5L41 10.5L47 10.5Z"
        "M50 25C57 25 60 30 60 35C67 29 83 29 85 43C86 52 77 58 72 64L28 64C23 58 14 52 15 43C17 29 33 29 40 35"
        "C40 30 43 25 50 25Z"
        "M28 64L72 64C73.5 68 73 71 70 76L30 76C27 71 26.5 68 28 64Z",
        "M40 35C44 41 49 50 50 64M60 35C56 41 51 50 50 64M31 70L69 70",
    ),
}  # fmt: skip


class PiecesPainter(Painter):
    """Draws chessmen, and tints the squares of the last move."""

    name: ClassVar[str] = "pieces"

    colours = (_WHITE, _BLACK)
    ground = (_DARK, _OUTLINES[0])

    def rows(self, state: State) -> list[str]:
        """The letters of each rank from the top, `.` for an empty square."""
        ranks = self.game.save(state).split()[0].split("/")
        return ["".join("." * int(sign) if sign.isdecimal() else sign for sign in rank) for rank in ranks]

    def shape(self, state: State) -> tuple[int, int]:
        rows = self.rows(state)
        return len(rows), len(rows[0])

    def paint(self, canvas: Canvas, box: Box, state: State, before: State | None, layer: Layer | None) -> None:
        rows = self.rows(state)
        old = rows if before is None else self.rows(before)
        board, size = _placed(box, len(rows), len(rows[0]))
        values = None if layer is None or layer.name == PATH else layer.values
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                colour = _DARK if (x + y) % 2 else _LIGHT
                if letter != old[y][x]:
                    colour = mixed(colour, _MARK, 0.55)
                if values is not None and values[y, x] > LEAST_SHOWN:
                    colour = on_ramp(float(values[y, x]))
                canvas.rectangle(_square(board, size, x, y), colour)
        for y, row in enumerate(rows):
            for x, letter in enumerate(row):
                if letter.lower() in _MEN:
                    _draw_man(canvas, _square(board, size, x, y), letter)
        letters = min(18.0, size * 0.25)
        for x in range(len(rows[0])):
            at = _square(board, size, x, len(rows) - 1)
            canvas.text((at.centre[0], at.y + size * 1.25), "abcdefghijklmnop"[x], letters, QUIET, "mm")
        for y in range(len(rows)):
            at = _square(board, size, 0, y)
            canvas.text((at.x - size * 0.25, at.centre[1]), str(len(rows) - y), letters, QUIET, "mm")
        if layer is not None and layer.name == PATH:
            paint_path(canvas, [_square(board, size, *cell).centre for cell in cells_of_path(layer.values)], size)

    def targets(self, box: Box, state: State, seat: int, moves: Mapping[str, int]) -> dict[str, list[Sequence[Point]]]:
        rows, columns = self.shape(state)
        board, size = _placed(box, rows, columns)
        found: dict[str, list[Sequence[Point]]] = {}
        for text in moves:
            found[text] = []
            for name in (text[:2], text[2:4]):
                x, y, width, height = _square(board, size, ord(name[0]) - ord("a"), rows - int(name[1]))
                found[text].append([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
        return found


def _placed(box: Box, rows: int, columns: int) -> tuple[Box, float]:
    """The board, and the size of a square."""
    whole = box.fitted(columns + 2 * _EDGE, rows + 2 * _EDGE)
    size = whole.width / (columns + 2 * _EDGE)
    return Box(whole.x + _EDGE * size, whole.y + _EDGE * size, columns * size, rows * size), size


def _square(board: Box, size: float, x: int, y: int) -> Box:
    return Box(board.x + x * size, board.y + y * size, size, size)


def _draw_man(canvas: Canvas, square: Box, letter: str) -> None:
    man, side = _MEN[letter.lower()], 0 if letter.isupper() else 1
    edge = square.width * 0.06
    place = Box(square.x + edge, square.y + edge, square.width - 2 * edge, square.height - 2 * edge)
    width = square.width * 0.032
    canvas.contour(man.body, place, (_WHITE, _BLACK)[side], _OUTLINES[side], width)
    if man.details is not None:
        canvas.contour(man.details, place, None, _DETAILS[side], width)
