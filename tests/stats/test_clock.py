from datetime import UTC, datetime
from pathlib import Path

import pytest

from ludus.core.paths import data_folder
from ludus.stats.clock import ClockTest, errors, keep_clock, kept_clock, shortest_reliable

STEADY = [1000, 1010, 990, 1005, 995] * 15
SHAKY = [500, 900, 100, 700, 300] * 15


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDUS_HOME", str(tmp_path))


def clock(tick: int = 1, **sorts: list[int]) -> ClockTest:
    return ClockTest(
        datetime(2026, 1, 1, tzinfo=UTC), tick, tick, {int(name[1:]): times for name, times in sorts.items()}
    )


def test_error_is_the_deviation_as_a_share_of_the_mean() -> None:
    found = errors({10: [90, 110]}).row(0, named=True)
    assert found["error"] == pytest.approx(200**0.5 / 100)
    assert found["kept_error"] == found["error"]


def test_outliers_count_in_one_error_and_not_in_the_other() -> None:
    found = errors({100: [*STEADY, 1_000_000]}).row(0, named=True)
    assert found["outliers"] == 1
    assert found["error"] > 1
    assert found["kept_error"] < 0.02


def test_shortest_steady_sorts_give_the_reliable_time() -> None:
    assert clock(n300=[9 * time for time in STEADY], n200=STEADY, n100=SHAKY).reliable == 1000


def test_time_of_a_few_ticks_is_not_reliable_however_steady() -> None:
    assert clock(tick=485, n300=[9 * time for time in STEADY], n200=STEADY).reliable == 9000


def test_machine_may_time_nothing_reliably() -> None:
    assert clock(n300=SHAKY).reliable is None
    keep_clock(clock(n300=SHAKY))
    assert shortest_reliable() == 0


def test_measurement_is_kept_until_the_next_one() -> None:
    assert (kept_clock(), shortest_reliable()) == (None, 0)
    first, second = clock(n100=STEADY), clock(n100=[2 * time for time in STEADY])
    keep_clock(first)
    assert (kept_clock(), shortest_reliable()) == (first, 1000)
    file = keep_clock(second)
    assert (kept_clock(), shortest_reliable()) == (second, 2000)
    assert file.is_relative_to(data_folder())


def test_damaged_measurement_is_none() -> None:
    keep_clock(clock(n100=STEADY)).write_text("{}")
    Path(data_folder() / "clock.json").write_text("{}")
    from ludus.stats import clock as module

    module._kept.cache_clear()
    assert kept_clock() is None
