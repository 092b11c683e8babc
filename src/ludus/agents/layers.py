"""Layers: an agent's view of the board when it chose a move, with a value from 0 to 1 for each cell, as a short text.

An agent puts them into the metrics of its choice: `{"layers": {"heat": pack(scaled(visits))}}`.
"""

import base64
import binascii
import struct
import zlib
from collections.abc import Iterable

import numpy as np

from ludus.core.errors import InvalidError
from ludus.kernel.state import Array

LAYERS = "layers"
"""The metric that holds layers by name."""
HEAT, PATH, PROBABILITY, GOAL, GOAL_AREA = "heat", "path", "probability", "goal", "goal-area"
MEANINGS = {
    HEAT: "visits of a cell by simulations, or its danger",
    PATH: "the planned way, the next cell strongest",
    PROBABILITY: "probability of others reaching a cell, or reaching it first",
    GOAL: "the cell to which the planned way leads",
    GOAL_AREA: "the area in which the goal was chosen",
}
_LEVELS = 255
_SHAPE = struct.Struct("<HH")
_MOST_CELLS = 1 << 20


def pack(layer: Array) -> str:
    """A layer of height × width as a text; values are clipped to 0…1, and only 0 becomes 0."""
    values = np.clip(np.nan_to_num(np.asarray(layer, np.float64)), 0.0, 1.0)
    levels = np.maximum(np.rint(values * _LEVELS), values > 0).astype(np.uint8)
    return base64.b85encode(zlib.compress(_SHAPE.pack(*levels.shape) + levels.tobytes(), 9)).decode()


def unpack(text: str) -> Array:
    """Parse a layer, as float64 of height × width; InvalidError if the text is not one."""
    try:
        inflating = zlib.decompressobj()
        data = inflating.decompress(base64.b85decode(text), _SHAPE.size + _MOST_CELLS)
        if not inflating.eof:
            raise ValueError
        height, width = _SHAPE.unpack_from(data)
        return np.frombuffer(data, np.uint8, offset=_SHAPE.size).reshape(height, width) / _LEVELS
    except (ValueError, TypeError, AttributeError, binascii.Error, zlib.error, struct.error):
        raise InvalidError("The record has an invalid layer, which was not written by Ludus.") from None


def scaled(counts: Array) -> Array:
    """Counts, such as visits, as fractions of their maximum."""
    values = np.asarray(counts, np.float64)
    return values / max(values.max(), 1e-300)


def path_layer(height: int, width: int, cells: Iterable[tuple[int, int]]) -> Array:
    """A path of cells (x, y), the next first, as a layer: 1 for the next cell, decreasing towards the end."""
    layer = np.zeros((height, width))
    path = list(cells)
    for step, (x, y) in reversed(list(enumerate(path))):
        layer[y, x] = 1.0 - step / len(path)
    return layer
