"""GIF files, written one picture at a time: one palette for all, and only the part of a picture that changed."""

from pathlib import Path
from types import TracebackType

import numpy as np
from PIL import GifImagePlugin, Image

from ludus.core.paths import file_errors
from ludus.kernel.state import Array

_COLOURS = 255
_SAME = 255  # the pixel of the picture before shows through


class GifWriter:
    """Write a GIF in the colours of some sample pictures; the file appears when all went well.

    One palette serves all pictures: they have wide areas of one colour, which would flicker with a palette for each.
    """

    def __init__(self, file: Path, samples: list[Image.Image]) -> None:
        self._file = file
        self._part = file.with_name(f"{file.stem}.part{file.suffix}")
        pixels = np.concatenate([_codes(sample).ravel() for sample in samples])
        codes, counts = np.unique(pixels, return_counts=True)
        self._palette = np.resize(codes[np.argsort(-counts, kind="stable")], _COLOURS)
        self._places = np.full(1 << 24, -1, np.int16)  # of each colour in the palette, once it is known
        self._places[self._palette] = np.arange(_COLOURS)
        self._last: Array | None = None
        self._end = 0.0  # of what is written, in seconds
        with file_errors(file, "written"):
            self._stream = self._part.open("wb")

    def write(self, picture: Image.Image, seconds: float) -> None:
        """Add a picture that is shown for some time."""
        pixels = self._reduced(_codes(picture))
        top, bottom, left, right = _changed(self._last, pixels)
        duration = round((self._end + seconds) * 100) - round(self._end * 100)  # a GIF counts in hundredths
        self._end += seconds
        with file_errors(self._file, "written"):
            if self._last is None:
                header, _ = GifImagePlugin.getheader(self._image(pixels), info={"loop": 0})
                self._stream.writelines(header)
            part = self._image(_differing(self._last, pixels)[top:bottom, left:right])
            self._stream.writelines(
                GifImagePlugin.getdata(part, (left, top), duration=duration * 10, transparency=_SAME)
            )
        self._last = pixels

    def _reduced(self, codes: Array) -> Array:
        """The nearest colour of the palette for each pixel."""
        places = self._places[codes]
        if (missing := places < 0).any():
            unknown = np.unique(codes[missing])
            distance = ((_channels(unknown)[:, None] - _channels(self._palette)) ** 2).sum(axis=2)
            self._places[unknown] = distance.argmin(axis=1)
            places = self._places[codes]
        return places.astype(np.uint8)

    def _image(self, pixels: Array) -> Image.Image:
        image = Image.fromarray(np.ascontiguousarray(pixels), "P")
        image.putpalette(_channels(self._palette).astype(np.uint8).tobytes())
        return image

    def __enter__(self) -> "GifWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with file_errors(self._file, "written"):
                if kind is None:
                    self._stream.write(b";")
                self._stream.close()
                if kind is None:
                    self._part.replace(self._file)
        finally:
            self._part.unlink(missing_ok=True)


def _codes(picture: Image.Image) -> Array:
    """The colour of each pixel as one number."""
    red, green, blue = np.moveaxis(np.asarray(picture).astype(np.int32), 2, 0)
    return (red << 16) | (green << 8) | blue


def _channels(codes: Array) -> Array:
    """Red, green and blue of colours."""
    return np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=-1)


def _differing(before: Array | None, pixels: Array) -> Array:
    """The pixels that changed; the others are transparent, which takes less room."""
    return pixels if before is None else np.where(before != pixels, pixels, np.uint8(_SAME))


def _changed(before: Array | None, pixels: Array) -> tuple[int, int, int, int]:
    """Top, bottom, left and right of the smallest part with all changes, which holds at least one pixel."""
    if before is None:
        return 0, pixels.shape[0], 0, pixels.shape[1]
    differs = before != pixels
    rows, columns = np.flatnonzero(differs.any(axis=1)), np.flatnonzero(differs.any(axis=0))
    if not rows.size:
        return 0, 1, 0, 1
    return int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
