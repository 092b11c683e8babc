"""Labels that do not cover each other: positions in pixels, from the top left."""

import math
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

LONGEST = 220
"""Maximum width of a label in pixels."""

_LETTER, _LINE = 5.8, 13.0


class Span(NamedTuple):
    """The values along an axis and its length in pixels, for conversion in both directions."""

    low: float
    high: float
    pixels: float
    log: bool = False

    @classmethod
    def of(cls, values: Sequence[float], pixels: float, *, log: bool = False) -> "Span":
        """An axis with room for the values, and a margin at both ends; an arbitrary axis without values."""
        low, high = min(values, default=1.0), max(values, default=1.0)
        if log:
            room = (high / low) ** 0.06 if high > low else 2.0
            return cls(low / room, high * room, pixels, True)
        room = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
        return cls(low - room, high + room, pixels)

    def pixel(self, value: float) -> float:
        """The position of a value, from the low end."""
        if self.log:
            return self.pixels * math.log(value / self.low) / math.log(self.high / self.low)
        return self.pixels * (value - self.low) / (self.high - self.low)

    def value(self, pixel: float) -> float:
        """The value at this distance from the low end."""
        share = pixel / self.pixels
        return self.low * (self.high / self.low) ** share if self.log else self.low + share * (self.high - self.low)


class Place(NamedTuple):
    """The place of a label: the pixel of its anchor, the end of the text that this is, and True if it is far away."""

    x: float
    y: float
    align: Literal["left", "right"]
    far: bool


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


def _meetings(boxes: NDArray[np.float64], others: NDArray[np.float64]) -> list[int]:
    """For each box, the number of others that it overlaps."""
    left, top, right, bottom = np.moveaxis(boxes[:, None], -1, 0)
    overlap = (left < others[:, 2]) & (others[:, 0] < right) & (top < others[:, 3]) & (others[:, 1] < bottom)
    found: list[int] = overlap.sum(axis=1).tolist()
    return found


def spread(positions: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """The positions, moved as little as keeps them `gap` apart, in order and, if possible, within the bounds."""
    order = sorted(range(len(positions)), key=positions.__getitem__)
    groups: list[tuple[float, int]] = []  # centre and size of each group of touching labels
    for i in order:
        centre, size = positions[i], 1
        centre = _within(centre, size, gap, top, bottom)
        while groups and groups[-1][0] + groups[-1][1] * gap / 2 > centre - size * gap / 2:
            other, others = groups.pop()
            centre = (centre * size + other * others) / (size + others)
            size += others
            centre = _within(centre, size, gap, top, bottom)
        groups.append((centre, size))
    placed = [centre + (k - (size - 1) / 2) * gap for centre, size in groups for k in range(size)]
    moved = [0.0] * len(positions)
    for i, position in zip(order, placed, strict=True):
        moved[i] = position
    return moved


def _within(centre: float, size: int, gap: float, top: float, bottom: float) -> float:
    half = (size - 1) * gap / 2
    return max(min(centre, bottom - half), top + half)


def around(
    points: Sequence[tuple[float, float]],
    bars: Sequence[tuple[float, float]],
    texts: Sequence[str],
    width: float,
    height: float,
) -> list[Place | None]:
    """A place beside each point, the first ones first; None if a label would cover a point or another label.

    `bars` are the upper and lower ends of the error bar through each point, which labels avoid if possible.
    """
    dots = [_Box(x - 4, y - 4, x + 4, y + 4) for x, y in points]
    lines = np.array([_Box(x - 1, high, x + 1, low) for (x, _), (high, low) in zip(points, bars, strict=True)])
    taken: list[_Box] = []
    places: list[Place | None] = []
    for i, ((x, y), text) in enumerate(zip(points, texts, strict=True)):
        near = list(_places_near(x, y, min(len(text) * _LETTER, LONGEST)))
        boxes = np.array([box for _, box in near])
        covers = _meetings(boxes, np.array([*taken, *dots[:i], *dots[i + 1 :]]).reshape(-1, 4))
        crossed = _meetings(boxes, lines)
        free = [
            (crossed[turn], turn, place, box)
            for turn, (place, box) in enumerate(near)
            if box.left >= 0 and box.right <= width and box.top >= 0 and box.bottom <= height
            if not covers[turn]
        ]
        if free:
            _, _, place, box = min(free)
            taken.append(box)
            places.append(place)
        else:
            places.append(None)
    return places


def _places_near(x: float, y: float, length: float) -> Iterator[tuple[Place, _Box]]:
    """Places beside a point, the nearest first; those further away need a line to their point."""
    for far in (0, 14, 28, 44, 62):
        level = [(8 + far, 0), (-8 - far, 0)]
        slanting = [(side * (6 + far / 2), way * (9 + far)) for way in (-1, 1) for side in (1, -1)]
        for dx, dy in (*level, *slanting):
            left = x + dx if dx > 0 else x + dx - length
            box = _Box(left, y + dy - _LINE / 2, left + length, y + dy + _LINE / 2)
            yield Place(x + dx, y + dy, "left" if dx > 0 else "right", far > 0), box
