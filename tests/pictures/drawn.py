"""Pictures of an episode, as pixels."""

from PIL import Image

from ludus.pictures.base import Layer
from ludus.pictures.bitmap import Bitmap
from ludus.pictures.episode import Episode, Moment
from ludus.pictures.frames import HEIGHT, WIDTH, Frames


def title(episode: Episode, scale: float = 1) -> Image.Image:
    canvas = Bitmap(WIDTH, HEIGHT, scale)
    Frames(episode).draw_title(canvas)
    return canvas.image()


def picture(episode: Episode, moment: Moment, layer: Layer | None = None, scale: float = 1) -> Image.Image:
    canvas = Bitmap(WIDTH, HEIGHT, scale)
    Frames(episode).draw(canvas, moment, layer)
    return canvas.image()
