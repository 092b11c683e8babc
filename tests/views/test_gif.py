"""A GIF holds the pictures that were written, pixel by pixel, and each as long as was asked for."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

from ludus.kernel.state import Array
from ludus.views.gif import GifWriter


def test_pictures_of_up_to_255_colours_are_exact(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    colours = rng.integers(0, 256, (250, 3), np.uint8)
    first = colours[rng.integers(0, 250, (40, 60))]
    second, third = first.copy(), first.copy()
    second[5:9, 30:] = colours[7]
    third[39, 0] = colours[8]
    shown = read(tmp_path, [first, second, second, third], [first])
    assert all(np.array_equal(*pair) for pair in zip(shown, [first, second, second, third], strict=True))


def test_other_colours_become_the_nearest_of_the_samples(tmp_path: Path) -> None:
    sample = np.array([[[0, 0, 0], [255, 255, 255], [250, 0, 0]]], np.uint8)
    other = np.array([[[9, 9, 9], [200, 200, 200], [255, 20, 20]]], np.uint8)
    assert np.array_equal(read(tmp_path, [other], [sample])[0], sample)


@pytest.mark.parametrize("speed", [3.0, 7.0, 30.0])
def test_rounding_does_not_add_up(tmp_path: Path, speed: float) -> None:
    file = tmp_path / "long.gif"
    picture = Image.new("RGB", (4, 4))
    with GifWriter(file, [picture]) as writer:
        for place in range(100):
            picture.putpixel((0, 0), (place, 0, 0))
            writer.write(picture, 1 / speed)
    with Image.open(file) as image:
        shown = sum(frame.info["duration"] for frame in ImageSequence.Iterator(image)) / 1000
    assert shown == pytest.approx(100 / speed, abs=0.01)


def read(folder: Path, pictures: list[Array], samples: list[Array]) -> list[Array]:
    """The pictures of a GIF as they are shown."""
    with GifWriter(folder / "x.gif", [Image.fromarray(sample) for sample in samples]) as writer:
        for picture in pictures:
            writer.write(Image.fromarray(picture), 0.5)
    with Image.open(folder / "x.gif") as image:
        return [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(image)]
