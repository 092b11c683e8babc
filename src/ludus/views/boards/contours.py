"""Contours: outlines of lines and curves, drawn at any place and size."""

import re
from functools import cached_property

_Point = tuple[float, float]

_PARTS = re.compile(r"[MLCZ]|-?[\d.]+")
_STEPS = 12  # straight parts of a curve


class Contour:
    """An outline in a square of `size` units, as a path of SVG with the commands M, L, C and Z."""

    def __init__(self, size: float, way: str) -> None:
        self.size = size
        self.way = way

    @cached_property
    def outlines(self) -> list[tuple[list[_Point], bool]]:
        """Each part as points, curves as many short lines, and True if it is closed."""
        found: list[tuple[list[_Point], bool]] = []
        command, numbers = "", list[float]()
        for part in _PARTS.findall(self.way):
            if part == "Z":
                found[-1] = found[-1][0], True
            elif part in "MLC":
                command = part
            else:
                numbers.append(float(part))
                if len(numbers) == (6 if command == "C" else 2):
                    if command == "M":
                        found.append(([(numbers[0], numbers[1])], False))
                    elif command == "L":
                        found[-1][0].append((numbers[0], numbers[1]))
                    else:
                        found[-1][0].extend(_curve(found[-1][0][-1], numbers))
                    numbers = []
        return found


def _curve(start: _Point, numbers: list[float]) -> list[_Point]:
    points = [start, *zip(numbers[::2], numbers[1::2], strict=True)]
    found = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        found.append(
            (
                sum(weight * x for weight, (x, _) in zip(weights, points, strict=True)),
                sum(weight * y for weight, (_, y) in zip(weights, points, strict=True)),
            )
        )
    return found
