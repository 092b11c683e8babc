import random

import numpy as np
import pytest

from ludus.core.registry import classes
from ludus.games.game import Game
from ludus.views.boards.canvas import Box
from ludus.views.boards.colours import INK
from ludus.views.boards.painters import painter_for
from ludus.views.boards.scene import Film, Scene, edited, edits, runs
from ludus.views.boards.svg import Svg, markup
from support.seer import episode_of, record_of

BOX = Box(0, 0, 300, 300)


@pytest.mark.parametrize("name", [name for name in classes(Game) if name != "openspiel"])
def test_frames_of_a_film_are_the_pictures_of_the_positions(name: str) -> None:
    episode = episode_of(record_of(name, *["random"] * (1 if name == "2048" else 2)))
    painter, film = painter_for(episode.game), Film()
    frames, pictures = [], []
    for moment in episode.moments:
        scene, svg = Scene(300, 300), Svg(300, 300)
        for canvas in (scene, svg):
            painter.paint(canvas, BOX, moment.state, moment.before, None)
        frames.append(film.add(scene.shapes))
        pictures.append(svg.source())
    bare = Svg(300, 300).source().splitlines()
    for frame, picture in zip(frames, pictures, strict=True):
        drawn = [markup(film.shapes[number]) for number in frame]
        assert "\n".join([*bare[:2], *drawn, *bare[2:], ""]) == picture
    assert len(film.shapes) < sum(map(len, frames))


def test_frames_follow_from_each_other_by_their_edits() -> None:
    rng = random.Random(1)
    for _ in range(300):
        before = rng.sample(range(12), rng.randrange(13))
        after = rng.sample(range(12), rng.randrange(13))
        assert edited(before, edits(before, after)) == after
    assert edits([1, 2, 3], [1, 2, 3]) == []
    assert edits([], [4, 5]) == [[0, 0, 4, 5]]
    assert edits([1, 2, 3, 4], [1, 9, 3, 4, 5]) == [[1, 1, 9], [4, 0, 5]]


def test_a_shape_drawn_twice_is_two_elements() -> None:
    scene, film = Scene(10, 10), Film()
    for _ in range(2):
        scene.disc((5, 5), 2, INK)
    assert film.add(scene.shapes) == [0, 1]
    assert film.add(scene.shapes[:1]) == [0]
    assert film.plain() == [["circle", {"cx": "5", "cy": "5", "r": "2", "fill": INK}]] * 2
    assert film.plain(1) == film.plain()[1:]


def test_runs_are_consecutive_numbers() -> None:
    assert runs([0, 1, 2, 7, 8, 3]) == [[0, 2], [7, 8], [3, 3]]
    assert runs([]) == []


def test_a_move_on_a_board_of_cells_changes_one_row() -> None:
    film = Film()
    colours = np.full((40, 40, 3), 255, np.uint8)
    colours[3:30, 7] = (200, 0, 0)
    frames = []
    for column in (8, 9):
        colours[12, column] = (200, 0, 0)
        scene = Scene(400, 400)
        scene.cells(Box(0, 0, 400, 400), colours)
        frames.append(film.add(scene.shapes))
    (edit,) = edits(*frames)
    assert len(edit) == 3


def test_the_extent_is_what_was_drawn() -> None:
    scene = Scene(100, 100)
    assert scene.extent == Box(0, 0, 100, 100)
    scene.rectangle(Box(20, 30, 10, 10), INK)
    scene.disc((50, 50), 5, INK)
    assert scene.extent == Box(20, 30, 35, 25)
    scene.text((90, 90), "wide", 10, INK, "lm")
    assert scene.extent.x + scene.extent.width > 100
