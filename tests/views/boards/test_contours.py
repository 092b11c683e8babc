import numpy as np
import pytest

from ludus.views.boards.bitmap import Bitmap
from ludus.views.boards.canvas import Box
from ludus.views.boards.colours import INK, rgb
from ludus.views.boards.contours import Contour


def test_a_curve_becomes_short_lines_between_its_ends() -> None:
    ((points, closed),) = Contour(10, "M0 0C0 5 5 10 10 10").outlines
    assert (points[0], points[-1], closed) == ((0.0, 0.0), (10.0, 10.0), False)
    assert points[len(points) // 2][0] < points[len(points) // 2][1]


def test_parts_may_be_open_and_closed() -> None:
    assert [(len(points), closed) for points, closed in Contour(10, "M0 0L5 0L5 5ZM1 -1L2.5 1").outlines] == [
        (3, True),
        (2, False),
    ]


@pytest.mark.parametrize("size", [40.0, 80.0])
def test_a_contour_fills_its_place(size: float) -> None:
    canvas = Bitmap(100, 100, 1)
    canvas.contour(Contour(10, "M0 0L10 0L10 10L0 10Z"), Box(10, 10, size, size), INK)
    inked = np.argwhere((np.asarray(canvas.image()) == rgb(INK)).all(axis=2))
    assert inked.min() == 10
    assert abs(inked.max() - (10 + size)) <= 1
