import math

import numpy as np
import pytest

from ludus.store.histogram import BUCKETS, counts, merge, pack, quantile, unpack


@pytest.mark.parametrize("middle", [30, 2_000, 5_000_000, 3_000_000_000, 10**13])
@pytest.mark.parametrize("spread", [0.0, 0.3, 3.0])
def test_quantiles_are_within_three_percent(middle: int, spread: float) -> None:
    values = np.random.default_rng(middle).lognormal(math.log(middle), spread, 5000).astype(np.int64).clip(1)
    for q in (0.0, 0.1, 0.25, 0.5, 0.75, 0.99, 1.0):
        assert quantile(counts(values), q) == pytest.approx(np.quantile(values, q), rel=0.03)


def test_median_of_two_lies_between_them() -> None:
    assert quantile(counts([1_000, 3_000]), 0.5) == pytest.approx(2_000, rel=0.03)


def test_every_value_of_63_bits_has_a_bucket() -> None:
    found = counts([0, 1, 2**63 - 1])
    assert (found.sum(), found[0], found[BUCKETS - 1]) == (3, 2, 1)


def test_a_histogram_comes_back_from_its_bytes() -> None:
    found = counts([5, 5, 5, 80, 10**9])
    assert (unpack(pack(found)) == found).all()
    assert len(pack(found)) == 3 * 6


def test_merging_is_counting_all() -> None:
    first, second = [1, 50, 70_000], [50, 50, 10**12]
    merged = merge([pack(counts(first)), pack(counts(second))])
    assert (merged == counts(first + second)).all()


def test_without_values_there_is_no_quantile() -> None:
    assert math.isnan(quantile(merge([]), 0.5))
