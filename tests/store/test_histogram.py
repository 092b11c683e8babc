import math

import numpy as np
import pytest

from ludus.store.histogram import BUCKETS, counts, pack, quantiles, unpack


@pytest.mark.parametrize("middle", [30, 2_000, 5_000_000, 3_000_000_000, 10**13])
@pytest.mark.parametrize("spread", [0.0, 0.3, 3.0])
def test_quantiles_are_within_three_percent(middle: int, spread: float) -> None:
    values = np.random.default_rng(middle).lognormal(math.log(middle), spread, 5000).astype(np.int64).clip(1)
    shares = (0.0, 0.1, 0.25, 0.5, 0.75, 0.99, 1.0)
    assert quantiles([pack(counts(values))], shares)[0] == pytest.approx(np.quantile(values, shares), rel=0.03)


def test_median_of_two_lies_between_them() -> None:
    assert quantiles([pack(counts([1_000, 3_000]))], [0.5])[0, 0] == pytest.approx(2_000, rel=0.03)


def test_every_value_of_63_bits_has_a_bucket() -> None:
    found = counts([0, 1, 2**63 - 1])
    assert (found.sum(), found[0], found[BUCKETS - 1]) == (3, 2, 1)


def test_a_histogram_comes_back_from_its_bytes() -> None:
    found = counts([5, 5, 5, 80, 10**9])
    assert (unpack(pack(found)) == found).all()
    assert len(pack(found)) == 3 * 6


def test_merging_is_counting_all() -> None:
    first, second = [1, 50, 70_000], [50, 50, 10**12]
    joined = pack(counts(first)) + pack(counts(second))
    assert (unpack(joined) == counts(first + second)).all()
    shares = np.linspace(0, 1, 7).tolist()
    assert (quantiles([joined], shares) == quantiles([pack(counts(first + second))], shares)).all()


def test_each_histogram_has_its_own_quantiles() -> None:
    packed = [pack(counts(values)) for values in ([7, 9], [], [10**9] * 5, [3])]
    together = quantiles(packed, [0.25, 0.5])
    assert np.array_equal(together, np.vstack([quantiles([one], [0.25, 0.5]) for one in packed]), equal_nan=True)


def test_without_values_there_is_no_quantile() -> None:
    assert np.isnan(quantiles([b""], [0.5])).all()
    assert quantiles([], [0.5]).shape == (0, 1)
