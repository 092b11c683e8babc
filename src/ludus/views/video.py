"""Videos: pictures written one after the other to a file, by ffmpeg."""

import math
import os
import subprocess
import tempfile
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import NamedTuple

import imageio_ffmpeg
import numpy as np
from PIL import Image

from ludus.core.errors import FileError, LudusError
from ludus.core.paths import file_errors
from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.painters import painter_for
from ludus.views.boards.picture import HEIGHT, WIDTH, Frames
from ludus.views.boards.seen_layers import recorded
from ludus.views.boards.timeline import Episode

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
    options: tuple[str, ...]


FORMATS = {
    ".mp4": Format(1.0, ("-c:v", "libx264", "-preset", "faster", "-crf", "18", *_YUV, "-movflags", "+faststart")),
    ".webm": Format(1.0, ("-c:v", "libvpx-vp9", "-crf", "28", "-b:v", "0", "-cpu-used", "5", "-row-mt", "1", *_YUV)),
    ".gif": Format(0.75, ("-lavfi", "[0:v][1:v]paletteuse=dither=none:diff_mode=rectangle", "-loop", "0")),
}
"""Formats by the ending of the file."""


def usual_speed(moves: int) -> float:
    """Default number of moves per second: an episode takes about 20 seconds, within limits for each move."""
    return min(max(moves / _WANTED, _SLOWEST_WANTED), _FASTEST_WANTED)


def write_video(
    episode: Episode, file: Path, speed: float, layer: str | None = None, seat: int | None = None
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
    repeats = 1 if kind == ".gif" else math.ceil(_SMOOTH / speed)
    rate = speed * repeats
    with tempfile.TemporaryDirectory() as folder:
        more: list[str] = []
        if kind == ".gif":
            palette = Path(folder) / "palette.png"
            _palette([title, picture(last // 2), picture(last)]).save(palette)
            more = ["-i", str(palette)]
        with _Writer(file, title.size, rate, more) as writer:
            writer.write(title, math.ceil(_TITLE * rate))
            for place in range(last + 1):
                writer.write(picture(place), repeats if place < last else math.ceil(_END * rate))
                yield place + 1


def _palette(pictures: Sequence[Image.Image]) -> Image.Image:
    """The 256 most frequent colours, as 16 × 16 pixels, for a whole video: its pictures have large areas of one colour,
    which would flicker with a palette for each picture.
    """
    pixels = np.concatenate([np.asarray(picture).reshape(-1, 3) for picture in pictures])
    codes, counts = np.unique(pixels @ np.array([1 << 16, 1 << 8, 1]), return_counts=True)
    chosen = np.resize(codes[np.argsort(-counts, kind="stable")], 256)
    colours = np.stack([chosen >> 16, chosen >> 8 & 255, chosen & 255], axis=1)
    return Image.fromarray(colours.astype(np.uint8).reshape(16, 16, 3))


class _Writer:
    """ffmpeg, which receives the pictures; the file appears only on success."""

    def __init__(self, file: Path, size: tuple[int, int], rate: float, more: Sequence[str]) -> None:
        self._file = file
        self._part = file.with_name(f"{file.stem}.part{file.suffix}")
        self._said = tempfile.TemporaryFile()  # noqa: SIM115
        width, height = size
        words = ["-y", "-hide_banner", "-loglevel", "error"]
        words += ["-f", "rawvideo", "-pixel_format", "rgb24", "-video_size", f"{width}x{height}"]
        words += ["-framerate", f"{rate:.6f}", "-i", "-", *more, *FORMATS[file.suffix.lower()].options]
        try:
            program = imageio_ffmpeg.get_ffmpeg_exe()
            self._process = subprocess.Popen(
                [program, *words, f"file:{os.path.abspath(self._part)}"],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self._said,
            )
        except (OSError, RuntimeError) as error:
            raise LudusError(f"ffmpeg is missing, which writes videos: {error}") from None

    def write(self, picture: Image.Image, times: int) -> None:
        """Add a picture."""
        assert self._process.stdin is not None
        data = picture.tobytes()
        try:
            for _ in range(times):
                self._process.stdin.write(data)
        except BrokenPipeError:
            raise self._failure() from None

    def __enter__(self) -> "_Writer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        try:
            if kind is not None:
                self._process.kill()
            with file_errors(self._file, "written"):
                self._process.communicate()
                if kind is None and self._process.returncode:
                    raise self._failure()
                if kind is None:
                    os.replace(self._part, self._file)
        finally:
            self._part.unlink(missing_ok=True)
            self._said.close()

    def _failure(self) -> LudusError:
        self._process.wait()
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        return FileError(
            f"{self._file} cannot be written: ffmpeg reports '{(lines or ['no error'])[0].rstrip('.')}'.", self._file
        )
