import io
from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest
import vl_convert
from PIL import Image

from ludus.core.registry import classes
from ludus.games.game import Game
from ludus.kernel.state import Array
from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.canvas import Box, Canvas
from ludus.views.boards.colours import INK
from ludus.views.boards.painter import Layer
from ludus.views.boards.painters import painter_for
from ludus.views.boards.svg import Svg
from support.seer import episode_of, record_of

SIZE = 300


def rendered(svg: Svg) -> Array:
    """The picture as a program shows it that knows SVG and nothing of Ludus."""
    with Image.open(io.BytesIO(vl_convert.svg_to_png(svg.source()))) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def both(draw: Callable[[Canvas], None]) -> tuple[Array, Array]:
    shapes, pixels = Svg(SIZE, SIZE), Bitmap(SIZE, SIZE, 1)
    draw(shapes)
    draw(pixels)
    return rendered(shapes), np.asarray(pixels.image()).astype(int)


@pytest.mark.parametrize("name", [name for name in classes(Game) if name != "openspiel"])
def test_shapes_look_as_pixels_do(name: str) -> None:
    episode = episode_of(record_of(name, *["random"] * (1 if name == "2048" else 2)))
    moment = episode.moments[len(episode.moments) // 2]
    painter = painter_for(episode.game)
    shapes, pixels = both(
        lambda canvas: painter.paint(canvas, Box(0, 0, SIZE, SIZE), moment.state, moment.before, None)
    )
    assert shapes.shape == pixels.shape
    assert np.ptp(pixels) > 100
    assert np.abs(shapes - pixels).mean() < 5


@pytest.mark.parametrize("name", ["heat", "path"])
def test_layers_look_as_pixels_do(name: str) -> None:
    episode = episode_of(record_of("gomoku:size=12", "random", "random"))
    values = np.linspace(0, 1, 144).reshape(12, 12)
    if name == "path":
        values[np.arange(12) != 5] = 0
    layer = Layer(name, values, 0)
    painter = painter_for(episode.game)
    shapes, pixels = both(lambda canvas: painter.paint(canvas, Box(0, 0, SIZE, SIZE), episode.last.state, None, layer))
    assert np.abs(shapes - pixels).mean() < 5


@pytest.mark.parametrize("anchor", ["la", "ma", "ra", "lm", "mm", "rm", "ls", "ms", "rs"])
def test_text_is_placed_by_its_anchor(anchor: str) -> None:
    shapes, pixels = both(lambda canvas: canvas.text((150, 150), "HHHH", 40, INK, anchor))
    for axis in (0, 1):
        found = [np.flatnonzero((picture.min(axis=2) < 128).any(axis=axis)) for picture in (shapes, pixels)]
        assert np.abs(np.ptp(np.array([[places.min(), places.max()] for places in found]), axis=0)).max() < 12


def test_whatever_a_name_holds_the_file_can_be_read() -> None:
    svg = Svg(SIZE, SIZE)
    svg.text((0, 20), "<b> & \x00 \ud800 \u202e 将棋", 12, INK)
    svg.letter((0, 40), "\x1b", 12, INK)
    texts = [text.text or "" for text in ElementTree.fromstring(svg.source()) if text.tag.endswith("text")]
    assert texts[0].startswith("<b> & ")
    assert texts[1] == "?"


def test_runs_of_one_colour_are_one_shape() -> None:
    svg = Svg(SIZE, SIZE)
    colours = np.full((3, 5, 3), 255, np.uint8)
    colours[1, 1:4] = (255, 0, 0)
    svg.cells(Box(0, 0, 50, 30), colours)
    assert svg.source().count("M") == 1
    assert 'd="M10 15h30" stroke="#ff0000" stroke-width="10"' in svg.source()
