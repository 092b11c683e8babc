"""The random generator: known bits, fair numbers."""

import numpy as np

from ludus.core.seeds import seed_from
from ludus.kernel.jit import interpreted
from ludus.kernel.rng import below, bits, new_rng, unit

PUBLISHED = [  # SplitMix64 from the seed 1234567
    6457827717110365317,
    3203168211198807973,
    9817491932198370423,
    4593380528125082431,
    16408922859458223821,
]


def test_bits_are_those_of_splitmix64() -> None:
    rng = np.array([1234567], np.uint64)
    assert [int(bits(rng)) for _ in PUBLISHED] == PUBLISHED


def test_interpreted_code_draws_the_same_bits() -> None:
    rng = np.array([1234567], np.uint64)
    assert [int(interpreted(bits)(rng)) for _ in PUBLISHED] == PUBLISHED


def test_seed_depends_on_every_part_and_their_order() -> None:
    assert seed_from("a", 1) == seed_from("a", 1)
    assert len({seed_from("a", 1), seed_from(1, "a"), seed_from("a1"), seed_from("a", 1, 0)}) == 4
    assert 0 <= seed_from("a") < 2**63


def test_generators_of_one_seed_draw_alike() -> None:
    first, second, other = new_rng("match", 3), new_rng("match", 3), new_rng("match", 4)
    drawn = [int(bits(first)) for _ in range(5)]
    assert [int(bits(second)) for _ in range(5)] == drawn
    assert [int(bits(other)) for _ in range(5)] != drawn


def test_below_is_uniform() -> None:
    rng, sides, throws = new_rng(0), 7, 70_000
    counts = np.bincount([below(rng, sides) for _ in range(throws)], minlength=sides)
    expected = throws / sides
    assert len(counts) == sides
    assert ((counts - expected) ** 2 / expected).sum() < 22.5  # chi-square, 6 degrees of freedom, 99.9 %


def test_below_one_is_always_zero() -> None:
    rng = new_rng(0)
    assert {below(rng, 1) for _ in range(100)} == {0}


def test_unit_is_uniform_and_below_one() -> None:
    rng = new_rng(0)
    drawn = np.array([unit(rng) for _ in range(50_000)])
    assert 0.0 <= drawn.min() < drawn.max() < 1.0
    assert abs(drawn.mean() - 1 / 2) < 0.005
    assert abs(drawn.var() - 1 / 12) < 0.002
