import itertools

import numpy as np
import pytest

from ludus.views.charts.labels import Span, around, spread


@pytest.mark.parametrize("seed", range(20))
def test_spread_labels_are_apart_in_order_and_within_bounds(seed: int) -> None:
    positions = np.random.default_rng(seed).uniform(0, 300, 20).tolist()
    moved = spread(positions, 13, 0, 300)
    ordered = [moved[i] for i in np.argsort(positions)]
    assert all(after - before >= 13 - 1e-9 for before, after in itertools.pairwise(ordered))
    assert min(moved) >= -1e-9
    assert max(moved) <= 300 + 1e-9


def test_labels_that_have_room_stay_where_they_are() -> None:
    assert spread([10, 50, 30], 13, 0, 100) == [10, 50, 30]


@pytest.mark.parametrize("log", [False, True])
def test_axis_goes_from_values_to_pixels_and_back(log: bool) -> None:
    span = Span.of([0.002, 5.0, 300.0], 700, log=log)
    for value in (0.002, 5.0, 300.0):
        assert 0 < span.pixel(value) < 700
        assert span.value(span.pixel(value)) == pytest.approx(value)


def test_axis_of_a_single_value_has_room_around_it() -> None:
    for log in (False, True):
        assert 0 < Span.of([7.0], 100, log=log).pixel(7.0) < 100


@pytest.mark.parametrize("seed", range(10))
def test_labels_around_points_cover_neither_points_nor_each_other(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = [(float(x), float(y)) for x, y in rng.uniform(50, 450, (30, 2))]
    texts = ["agent"] * len(points)
    places = around(points, [(y - 10, y + 10) for _, y in points], texts, 500, 500)
    boxes = []
    for place in places:
        if place:
            left = place.x if place.align == "left" else place.x - 5 * 5.8
            boxes.append((left, place.y - 6.5, left + 5 * 5.8, place.y + 6.5))
    assert len(boxes) > 20
    for one, other in itertools.combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
    for box, (x, y) in itertools.product(boxes, points):
        assert not (box[0] < x < box[2] and box[1] < y < box[3])
