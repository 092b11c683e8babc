"""Videos: the pictures of an episode one after the other, as MP4, WebM or GIF."""

import math
from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

from PIL import Image

from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.painters import painter_for
from ludus.views.boards.picture import HEIGHT, WIDTH, Frames
from ludus.views.boards.seen_layers import recorded
from ludus.views.boards.timeline import Timeline
from ludus.views.ffmpeg import FfmpegWriter
from ludus.views.gif import GifWriter

FASTEST = 50.0
"""Maximum moves per second, limited by GIF viewers."""

_WANTED = 20.0  # default duration in seconds of all moves of an episode
_SLOWEST_WANTED, _FASTEST_WANTED = 1.0, 30.0
_SMOOTH = 10  # pictures per second below which video players may stutter
_TITLE, _END = 2.5, 4.0  # seconds
_HD = "scale=out_color_matrix=bt709:out_range=tv"
_TAGS = ("-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv")
_YUV = ("-vf", _HD, "-pix_fmt", "yuv420p", *_TAGS)


class Format(NamedTuple):
    """The settings of a file type."""

    scale: float
    options: tuple[str, ...] = ()  # of ffmpeg


FORMATS = {
    ".mp4": Format(1.0, ("-c:v", "libx264", "-preset", "faster", "-crf", "18", *_YUV, "-movflags", "+faststart")),
    ".webm": Format(1.0, ("-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-cpu-used", "5", "-row-mt", "1", *_YUV)),
    ".gif": Format(0.75),
}
"""Formats by the ending of the file."""


def usual_speed(moves: int) -> float:
    """Default number of moves per second: an episode takes about 20 seconds, within limits for each move."""
    return min(max(moves / _WANTED, _SLOWEST_WANTED), _FASTEST_WANTED)


def write_video(
    episode: Timeline, file: Path, speed: float, layer: str | None = None, seat: int | None = None
) -> Generator[int, None, None]:
    """Write an episode as a video with this many moves per second; yields the number of moments written.

    Moments whose record has that layer, of that seat or of any, are shown with it.
    """
    kind = file.suffix.lower()
    frames, painter = Frames(episode), painter_for(episode.game)

    def new_canvas() -> Bitmap:
        return Bitmap(WIDTH, HEIGHT, FORMATS[kind].scale)

    def picture(place: int) -> Image.Image:
        canvas = new_canvas()
        moment = episode.moments[place]
        seen = None if layer is None else recorded(episode, place, layer, seat)
        if seen is not None:
            painter.check(seen, moment.state)
        frames.draw(canvas, moment, seen)
        return canvas.image()

    card = new_canvas()
    frames.draw_title(card)
    title, last = card.image(), len(episode.moments) - 1
    writer: FfmpegWriter | GifWriter
    if kind == ".gif":
        writer = GifWriter(file, [title, picture(last // 2), picture(last)])
    else:
        writer = FfmpegWriter(file, title.size, speed * math.ceil(_SMOOTH / speed), FORMATS[kind].options)
    with writer:
        writer.write(title, _TITLE)
        for place in range(last + 1):
            writer.write(picture(place), 1 / speed if place < last else _END)
            yield place + 1
