import pytest

from ludus.kernel.rng import below, new_rng
from ludus.tournaments.formats.lots import Lots


@pytest.mark.parametrize("n", [1, 2, 7, 1000, 2**32 - 1])
def test_lots_are_the_random_numbers_of_games(n: int) -> None:
    lots, rng = Lots("a seed", 5), new_rng("a seed", 5)
    assert [lots.below(n) for _ in range(200)] == [int(below(rng, n)) for _ in range(200)]


def test_shuffled_things_are_the_same_things() -> None:
    order = Lots(1).shuffled(range(50))
    assert order != list(range(50))
    assert sorted(order) == list(range(50))
    assert Lots(1).shuffled(range(50), 3) == order[:3]
