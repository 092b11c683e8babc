import time
from datetime import UTC, datetime, timedelta

import pytest

from contests.speed.scripted_server import KEY, Scripted, serving
from ludus.contests.speed.server import SpeedContest
from ludus.net import clock_sync
from ludus.net.client import door
from ludus.net.clock_sync import ServerClock

pytestmark = pytest.mark.slow

SPEED = SpeedContest()
HOUR = 3600 * 10**9
SLACK = 60 * 10**9
"""More than any machine takes for a test."""


def clock_of(url: str) -> ServerClock:
    return ServerClock(door(SPEED, url, KEY).time_url, SPEED.read_time)


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(hours=-1), timedelta()])
def test_deadlines_are_those_of_the_servers_clock(ahead: timedelta) -> None:
    script = Scripted(ahead=ahead)
    with serving(script) as url, clock_of(url) as clock:
        assert clock.warning == ""
        assert clock.trip > 0
        assert clock.offset == pytest.approx(ahead.total_seconds() * 1e9, abs=SLACK)
        assert 0 < clock.left(script.now + timedelta(hours=1)) <= HOUR + 10**6 + clock.trip  # it tells milliseconds


def test_a_reading_that_comes_while_the_time_is_told_does_not_count_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, now = ServerClock("http://localhost:1/spe_ed_time", SPEED.read_time), time.monotonic_ns()
    clock._reading = clock_sync.Reading(0, now - HOUR, 0)

    def read_meanwhile() -> int:
        clock._reading = clock_sync.Reading(HOUR, now, 0)
        return now

    monkeypatch.setattr(time, "monotonic_ns", read_meanwhile)
    assert clock.left(datetime(1970, 1, 1, 2, tzinfo=UTC)) == HOUR


def test_time_goes_on_without_asking_again() -> None:
    script = Scripted()
    with serving(script) as url, clock_of(url) as clock:
        deadline = script.now + timedelta(hours=1)
        before = clock.left(deadline)
        time.sleep(0.01)
        assert clock.left(deadline) <= before - 10**7


@pytest.mark.parametrize("url", ["http://localhost:1/spe_ed_time", "https://localhost:1/spe_ed_time"])
def test_a_clock_that_cannot_be_reached_is_our_own_with_a_warning(url: str) -> None:
    with ServerClock(url, SPEED.read_time) as clock:
        assert (
            clock.warning
            == f"The server's clock at {url} cannot be read, so this machine's clock is used: Connection refused."
        )
        assert (clock.trip, abs(clock.offset) < SLACK) == (0, True)
        assert clock.left(datetime.now(UTC) + timedelta(hours=1)) == pytest.approx(HOUR, abs=SLACK)


def test_one_reading_is_enough() -> None:
    with (
        serving(Scripted(ahead=timedelta(hours=1), misses=4)) as url,
        ServerClock(door(SPEED, url, KEY).time_url, SPEED.read_time) as clock,
    ):
        assert clock.warning == ""
        assert clock.offset == pytest.approx(HOUR, abs=SLACK)


def test_a_clock_that_could_not_be_read_at_first_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock_sync, "_SOON", 0.01)
    script = Scripted(ahead=timedelta(hours=1), tells_time=False)
    with serving(script) as url, clock_of(url) as clock:
        assert clock.offset < SLACK
        script.tells_time = True
        until = time.monotonic() + 60
        while clock.trip == 0 and time.monotonic() < until:
            time.sleep(0.01)
        assert clock.offset == pytest.approx(HOUR, abs=SLACK)


def test_a_server_that_tells_no_time_is_warned_of() -> None:
    with (
        serving(Scripted(tells_time=False)) as url,
        ServerClock(door(SPEED, url, KEY).time_url, SPEED.read_time) as clock,
    ):
        assert clock.warning.endswith("so this machine's clock is used: The answer was 404.")
