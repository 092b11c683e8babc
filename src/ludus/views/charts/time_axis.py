"""Times as people read them, in words and on axes."""

import math

TIME_LABELS = (
    "datum.value == 0 ? '0' : datum.value >= 600 ? format(datum.value / 60, '~r') + ' min'"
    " : datum.value >= 1 ? format(datum.value, '~r') + ' s'"
    " : datum.value >= 1e-3 ? format(datum.value * 1e3, '~r') + ' ms'"
    " : datum.value >= 1e-6 ? format(datum.value * 1e6, '~r') + ' µs'"
    " : format(datum.value * 1e9, '~r') + ' ns'"
)
"""The labels of an axis in seconds, as an expression of Vega."""


def time_ticks(shortest: float, longest: float) -> list[float]:
    """Round times in seconds for a logarithmic axis: powers of ten, and 2 and 5 between them where it is short."""
    low, high = math.floor(math.log10(shortest)), math.ceil(math.log10(longest))
    steps = (1, 2, 5) if longest / shortest < 300 else (1, 3) if longest / shortest < 1e4 else (1,)
    return [step * 10.0**power for power in range(low, high + 1) for step in steps]
