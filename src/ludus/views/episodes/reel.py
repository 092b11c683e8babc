"""The film of an episode, drawn piece by piece: shapes, text drawings and the players' status for each position."""

from collections.abc import Iterable
from threading import Lock
from typing import Any

from ludus.core.text import printable
from ludus.games.game import Game
from ludus.kernel.rules import State, over
from ludus.views.boards.canvas import Box
from ludus.views.boards.painter import Layer
from ludus.views.boards.painters import painter_for
from ludus.views.boards.scene import Film, Frame, Scene, edits
from ludus.views.boards.timeline import Timeline

SIZE = 720
"""The largest width and height of a board, in units."""
PIECE = 250
"""The positions of one piece."""

_MARGIN = 6
BOARD = Box(_MARGIN, _MARGIN, SIZE - 2 * _MARGIN, SIZE - 2 * _MARGIN)
"""The place of the board in its drawing."""


def drawn(game: Game, state: State, before: State | None, layer: Layer | None = None) -> Scene:
    """The scene of a position."""
    scene = Scene(SIZE, SIZE)
    painter_for(game).paint(scene, BOARD, state, before, layer)
    return scene


def view(extent: Box) -> list[float]:
    """The part of the drawing that a board shows: its left, top, width and height."""
    sides = (
        extent.x - _MARGIN,
        extent.y - _MARGIN,
        max(1.0, extent.width) + 2 * _MARGIN,
        max(1.0, extent.height) + 2 * _MARGIN,
    )
    return [round(side, 1) for side in sides]


class Lines:
    """Drawings as text: each different line once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._numbers: dict[str, int] = {}

    def add(self, drawing: str) -> Frame:
        """The numbers of the lines of a drawing."""
        frame = []
        for line in drawing.expandtabs().split("\n"):
            number = self._numbers.get(line)
            if number is None:
                number = self._numbers[line] = len(self.lines)
                self.lines.append(printable(line))
            frame.append(number)
        return frame


class Drawer:
    """Draws the film of a game, position after position.

    In a piece, each frame follows from the one before it, also across pieces: `frames` and `texts` are edits
    `[at, gone, come, …]`; `states` has the movers and what is said of each player, or null if that is as before.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._film, self._lines = Film(), Lines()
        self._last: tuple[Frame, Frame, list[Any]] = [], [], []

    def draw(self, positions: Iterable[tuple[State, State | None]]) -> dict[str, Any]:
        """The next piece, of these states, each with the one before."""
        shapes, lines = len(self._film.shapes), len(self._lines.lines)
        frames, texts, states, extents = [], [], [], []
        old_frame, old_text, old_said = self._last
        for state, before in positions:
            scene = drawn(self._game, state, before)
            frame = self._film.add(scene.shapes)
            text = self._lines.add(self._game.draw(state))
            said = said_of(self._game, state)
            frames.append(edits(old_frame, frame))
            texts.append(edits(old_text, text))
            states.append(None if said == old_said else said)
            extents.append(scene.extent)
            old_frame, old_text, old_said = frame, text, said
        self._last = old_frame, old_text, old_said
        return {
            "view": view(around(extents)),
            "shapes": self._film.plain(shapes),
            "frames": frames,
            "lines": self._lines.lines[lines:],
            "texts": texts,
            "states": states,
        }


class Reel:
    """The film of an episode: pieces are drawn when they are first asked for, and kept."""

    def __init__(self, episode: Timeline) -> None:
        self.episode = episode
        self._drawer = Drawer(episode.game)
        self._pieces: list[dict[str, Any]] = []
        self._lock = Lock()

    def piece(self, number: int) -> dict[str, Any]:
        """A piece of the film, counted from 0."""
        with self._lock:
            while len(self._pieces) <= number:
                first = len(self._pieces) * PIECE
                moments = self.episode.moments[first : first + PIECE]
                piece = self._drawer.draw((moment.state, moment.before) for moment in moments)
                self._pieces.append({"first": first, **piece})
            return self._pieces[number]


def said_of(game: Game, state: State) -> list[Any]:
    """The players to move, and for each player its status, its gauge, and whether it is out."""
    painter = painter_for(game)
    return [
        [] if over(state) else [int(seat) for seat in game.movers(state)],
        *(
            [painter.status(state, seat), painter.gauge(state, seat), bool(game.is_out(state, seat))]
            for seat in range(game.seats)
        ),
    ]


def around(extents: list[Box]) -> Box:
    """The smallest box around all of these."""
    left, top = min(box.x for box in extents), min(box.y for box in extents)
    right = max(box.x + box.width for box in extents)
    bottom = max(box.y + box.height for box in extents)
    return Box(left, top, right - left, bottom - top)
