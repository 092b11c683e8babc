import base64
import zlib

import numpy as np
import pytest

from ludus.agents.layers import pack, path_layer, scaled, unpack
from ludus.core.errors import LudusError


def test_a_layer_comes_back_within_half_a_level() -> None:
    layer = np.random.default_rng(7).uniform(0.01, 1, (41, 80))
    assert unpack(pack(layer)).shape == (41, 80)
    assert np.abs(unpack(pack(layer)) - layer).max() <= 0.5 / 255 + 1e-12


def test_what_came_back_is_packed_into_the_same_text() -> None:
    text = pack(np.arange(256).reshape(16, 16) / 255)
    assert pack(unpack(text)) == text


def test_the_least_value_is_not_lost() -> None:
    assert unpack(pack(np.array([[0.0, 1e-9]]))).tolist() == [[0.0, 1 / 255]]


def test_values_outside_are_cut() -> None:
    assert unpack(pack(np.array([[-1.0, 2.0, np.nan]]))).tolist() == [[0.0, 1.0, 0.0]]


def test_the_text_needs_no_escapes_in_json() -> None:
    text = pack(np.random.default_rng(7).random((80, 80)))
    assert text.isascii()
    assert not {'"', "\\"} & set(text)


@pytest.mark.parametrize("text", ["", "ludus", "ä", pack(np.ones((2, 2)))[:-3], None, 7])
def test_anything_else_gets_one_sentence(text: object) -> None:
    with pytest.raises(LudusError, match="an invalid layer"):
        unpack(text)  # type: ignore[arg-type]


def test_a_text_that_would_fill_the_memory_is_refused() -> None:
    bomb = base64.b85encode(zlib.compress(b"\xff\xff\xff\xff" + bytes(1 << 26))).decode()
    with pytest.raises(LudusError, match="an invalid layer"):
        unpack(bomb)


def test_counts_become_shares_of_the_highest() -> None:
    assert scaled(np.array([[0, 5, 10]])).tolist() == [[0.0, 0.5, 1.0]]
    assert scaled(np.zeros((1, 2))).tolist() == [[0.0, 0.0]]


def test_a_path_is_strongest_at_its_next_cell() -> None:
    assert path_layer(2, 3, [(0, 1), (1, 1), (2, 1), (2, 0)]).tolist() == [[0.0, 0.0, 0.25], [1.0, 0.75, 0.5]]


def test_a_cell_that_a_path_crosses_twice_counts_for_the_first_time() -> None:
    assert path_layer(1, 2, [(0, 0), (1, 0), (0, 0), (1, 0)]).tolist() == [[1.0, 0.75]]
