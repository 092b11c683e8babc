from itertools import combinations, pairwise

import numpy as np
import pytest

from ludus.kernel.rules import MOST_PLAYERS
from ludus.kernel.state import Array
from ludus.views.boards.colours import FIELD, INK, PAPER, PLAYERS, RAMP, mixed, on_ramp, readable_on, rgb

EYES = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""Linear red, green and blue as each kind of eye sees them (Machado, Oliveira and Fernandes 2009, full severity)."""


def lab(colour: str, eye: str = "usual") -> Array:
    """Lightness and two hues of CIELAB, in which the distance is how different two colours look."""
    share = np.array(rgb(colour)) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    seen = np.clip(EYES[eye] @ linear, 0, 1)
    matrix = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    x, y, z = (matrix @ seen) / np.array([0.9505, 1.0, 1.089])
    a, b, c = (np.cbrt(t) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return np.array([116 * b - 16, 500 * (a - b), 200 * (b - c)])


@pytest.mark.parametrize("eye", EYES)
def test_colours_of_players_differ_for_every_eye(eye: str) -> None:
    for one, other in combinations([*PLAYERS, FIELD, INK], 2):
        assert np.linalg.norm(lab(one, eye) - lab(other, eye)) > 15, (one, other)


def test_every_player_of_the_largest_game_has_a_colour() -> None:
    assert len(set(PLAYERS)) == MOST_PLAYERS


def test_higher_values_are_darker() -> None:
    lightness = [lab(on_ramp(level / 50))[0] for level in range(51)]
    assert all(later < earlier for earlier, later in pairwise(lightness))
    assert (on_ramp(0.0), on_ramp(1.0)) == (RAMP[0], RAMP[-1])


def test_letters_can_be_read_on_every_player() -> None:
    for colour in PLAYERS:
        assert abs(lab(readable_on(colour))[0] - lab(colour)[0]) > 40, colour


def test_a_mixed_colour_lies_between() -> None:
    assert (mixed(INK, PAPER, 0), mixed(INK, PAPER, 1), mixed("#000000", "#ffffff", 0.5)) == (INK, PAPER, "#808080")
