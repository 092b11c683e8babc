"""First passage: when a Brownian motion between two bounds reaches one of them."""

import math

_IMAGES = range(-6, 7)
"""Reflections at the two bounds that count; by then the motion has long left the strip between them."""

_HALVINGS = 50


def passage(bound: float, other: float, time: float, drift: float) -> float:
    """The probability that the motion has reached `bound` by then, and not `-other` before it.

    The motion starts at 0 with this drift and the variance 1 per unit of time; both bounds are above 0. Its density is
    a sum over images of the bound; each of them integrates to two normal probabilities.
    """
    root = math.sqrt(time)
    total = 0.0
    for k in _IMAGES:
        image = bound + 2 * k * (bound + other)
        far = abs(image)
        total += math.copysign(1, image) * (
            math.exp(drift * (bound - far) + _log_normal((drift * time - far) / root))
            + math.exp(drift * (bound + far) + _log_normal((-drift * time - far) / root))
        )
    return min(max(total, 0.0), 1.0)


def drift(bound: float, other: float, time: float, chance: float) -> float:
    """The drift under which `passage` has this probability."""
    reach = 2.0
    while not (
        passage(bound, other, time, _from_end(bound, time, -reach))
        < chance
        < passage(bound, other, time, _from_end(bound, time, reach))
    ):
        reach *= 2
    low, high = _from_end(bound, time, -reach), _from_end(bound, time, reach)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if passage(bound, other, time, middle) < chance:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _from_end(bound: float, time: float, deviations: float) -> float:
    """The drift that ends this many deviations beyond the bound, without the bounds."""
    return bound / time + deviations / math.sqrt(time)


def _log_normal(deviations: float) -> float:
    """The logarithm of `normal_chance`, also where that is too small for a number."""
    if deviations > -30:
        return math.log(math.erfc(-deviations / math.sqrt(2)) / 2)
    return -(deviations**2) / 2 - math.log(-deviations * math.sqrt(2 * math.pi))
