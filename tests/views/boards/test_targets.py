import numpy as np
import pytest

from ludus.games.game import game_from
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import duplicate, play
from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.canvas import Box
from ludus.views.boards.painters import painter_for

BOX = Box(0, 0, 300, 300)

CLICKS = {
    "chess": 2,
    "connect-four": 1,
    "gomoku:size=7": 1,
    "goofspiel:prizes=descending": 1,
    "hex:size=5": 1,
    "nim": 1,
    "othello": 1,
    "tic-tac-toe": 1,
}


def inside(point: tuple[float, float], polygon: list[tuple[float, float]]) -> bool:
    """True if a point lies in a convex polygon."""
    (x, y), sides = point, zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    turns = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for (ax, ay), (bx, by) in sides]
    return all(turn >= -1e-6 for turn in turns) or all(turn <= 1e-6 for turn in turns)


@pytest.mark.parametrize("spec", CLICKS)
def test_every_legal_move_has_a_place_to_click_where_the_board_changes(spec: str) -> None:
    game = game_from(spec)
    painter, state = painter_for(game), game.start(new_rng(0))
    seat = game.movers(state)[0]
    moves = {game.format(state, seat, move): move for move in game.moves(state, seat)}
    targets = painter.targets(BOX, state, seat, moves)
    assert {text: len(clicks) for text, clicks in targets.items()} == dict.fromkeys(moves, CLICKS[spec])
    assert len({str(clicks) for clicks in targets.values()}) == len(moves)
    if game.simultaneous:
        return
    text, move = list(moves.items())[-1]
    after = duplicate(state)
    play(after, np.array([move], np.int64))
    pictures = []
    for position in (state, after):
        canvas = Bitmap(300, 300, 1)
        painter.paint(canvas, BOX, position, None, None)
        pictures.append(np.asarray(canvas.image()).astype(int))
    changed = np.argwhere(np.abs(pictures[0] - pictures[1]).sum(axis=2) > 60)
    for polygon in targets[text]:
        assert any(inside((x, y), list(polygon)) for y, x in changed.tolist())


def test_tiles_slide_to_the_side_that_is_clicked() -> None:
    game = game_from("2048")
    state = game.load("0-2-0-0/0-0-0-0/0-0-4-0/0-0-0-0")
    moves = {game.format(state, 0, move): move for move in game.moves(state, 0)}
    targets = painter_for(game).targets(BOX, state, 0, moves)
    points = {"up": (150, 60), "down": (150, 240), "left": (60, 150), "right": (240, 150)}
    for text, point in points.items():
        assert [other for other in targets if inside(point, list(targets[other][0]))] == [text]
