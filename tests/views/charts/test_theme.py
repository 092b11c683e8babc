import pytest

from ludus.views.charts.theme import time_ticks


def test_long_log_axis_has_powers_of_ten_and_a_short_one_more() -> None:
    assert time_ticks(1e-6, 1) == pytest.approx([1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1])
    assert {0.1, 0.2, 0.5, 1.0} <= {round(tick, 6) for tick in time_ticks(0.05, 2)}
