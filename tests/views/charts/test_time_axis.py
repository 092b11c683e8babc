import pytest

from ludus.core.spec import spoken_time
from ludus.views.charts.time_axis import time_ticks


@pytest.mark.parametrize(
    ("nanoseconds", "spoken"),
    [(0, "0 ns"), (999, "999 ns"), (1500, "1.50 µs"), (2.5e7, "25.0 ms"), (4.2e8, "420 ms"), (1.5e12, "1,500 s")],
)
def test_times_are_spoken_in_the_unit_that_suits(nanoseconds: float, spoken: str) -> None:
    assert spoken_time(nanoseconds) == spoken


def test_long_log_axis_has_powers_of_ten_and_a_short_one_more() -> None:
    assert time_ticks(1e-6, 1) == pytest.approx([1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1])
    assert {0.1, 0.2, 0.5, 1.0} <= {round(tick, 6) for tick in time_ticks(0.05, 2)}
