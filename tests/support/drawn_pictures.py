"""Pictures of an episode, as pixels."""

from PIL import Image

from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.painter import Layer
from ludus.views.boards.picture import HEIGHT, WIDTH, Frames
from ludus.views.boards.timeline import Moment, Timeline


def title(episode: Timeline, scale: float = 1) -> Image.Image:
    canvas = Bitmap(WIDTH, HEIGHT, scale)
    Frames(episode).draw_title(canvas)
    return canvas.image()


def picture(episode: Timeline, moment: Moment, layer: Layer | None = None, scale: float = 1) -> Image.Image:
    canvas = Bitmap(WIDTH, HEIGHT, scale)
    Frames(episode).draw(canvas, moment, layer)
    return canvas.image()
