import numpy as np
import pytest

from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.canvas import Box
from ludus.views.boards.colours import INK, rgb


def ink(canvas: Bitmap) -> int:
    """The number of pixels that are not white."""
    return int((np.asarray(canvas.image()) != 255).any(axis=2).sum())


def test_cells_are_as_sharp_as_the_picture() -> None:
    canvas = Bitmap(20, 20, 1.5)
    colours = np.zeros((2, 2, 3), np.uint8)
    colours[0, 1], colours[1, 0] = (200, 10, 20), (0, 90, 0)
    canvas.cells(Box(0, 0, 20, 20), colours)
    picture = np.asarray(canvas.image())
    assert picture.shape == (30, 30, 3)
    assert (picture[:15, 15:] == (200, 10, 20)).all()
    assert (picture[15:, :15] == (0, 90, 0)).all()


def test_a_disc_has_soft_edges() -> None:
    canvas = Bitmap(20, 20, 1)
    canvas.disc((10, 10), 8, "#000000")
    greys = np.unique(np.asarray(canvas.image())[..., 0])
    assert len(greys) > 2


def test_a_long_text_stays_within_its_width() -> None:
    canvas = Bitmap(400, 40, 1)
    canvas.text((10, 5), "speed.rollouts:" * 20, 20, INK, "la", 200)
    columns = np.flatnonzero((np.asarray(canvas.image()) != 255).any(axis=(0, 2)))
    assert 10 <= columns.min() < columns.max() <= 211


def test_a_text_that_is_little_too_long_is_written_smaller() -> None:
    canvas = Bitmap(400, 40, 1)
    wide = canvas.width_of("branch and bound", 20)
    canvas.text((0, 5), "branch and bound", 20, INK, "la", wide * 0.8)
    whole = np.asarray(canvas.image())
    other = Bitmap(400, 40, 1)
    other.text((0, 5), "branch and bound", 16, INK)
    assert (whole == np.asarray(other.image())).all()


@pytest.mark.parametrize("text", ["Mühle – ½", "Ελένη", "将棋", "\x00\ud800"])
def test_every_script_leaves_something_to_read(text: str) -> None:
    canvas = Bitmap(200, 40, 1)
    canvas.text((5, 5), text, 20, INK)
    assert ink(canvas) > 20


@pytest.mark.parametrize("letter", ["x", "│", "将", "\ud800"])
def test_every_letter_of_a_drawing_is_drawn(letter: str) -> None:
    canvas = Bitmap(40, 40, 1)
    canvas.letter((20, 30), letter, 20, INK)
    assert ink(canvas) > 5


def test_a_board_is_fitted_into_the_middle_of_its_box() -> None:
    assert Box(10, 10, 100, 50).fitted(4, 4) == Box(35, 10, 50, 50)
    assert Box(0, 0, 100, 100).fitted(4, 2) == Box(0, 25, 100, 50)


def test_colours_are_those_that_were_asked_for() -> None:
    canvas = Bitmap(10, 10, 2)
    canvas.rectangle(Box(0, 0, 10, 10), INK)
    assert canvas.image().getpixel((10, 10)) == rgb(INK)
