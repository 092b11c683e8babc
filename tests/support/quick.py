"""The guard of `make quick`: only tests marked `slow` or `nightly` start processes or servers.

It watches every run, so that a forgotten mark fails at once and not only in somebody's quick run.
"""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

MARK = "slow"
LEFT_OUT = (MARK, "nightly")
"""Marks of the tests that `make quick` leaves out."""

_EVENTS = {
    "subprocess.Popen": "a process",
    "os.fork": "a process",
    "os.forkpty": "a process",
    "os.posix_spawn": "a process",
    "os.system": "a process",
    "socket.bind": "a server",
}
"""The audit events of Python that a quick test must not cause."""

_watched: pytest.Item | None = None
_complaint: str | None = None


def pytest_configure() -> None:
    sys.addaudithook(_audit)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[Any]:
    global _watched
    _watched = None if any(item.get_closest_marker(mark) for mark in LEFT_OUT) else item
    try:
        return (yield)
    finally:
        _watched = None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup() -> Iterator[None]:
    yield from _failing_at_the_end()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    yield from _failing_at_the_end()


def _failing_at_the_end() -> Iterator[None]:
    """Let the test do what it does, so that nothing waits for what was not started, and fail it then."""
    global _complaint
    _complaint = None
    try:
        yield
    finally:
        if _complaint:
            pytest.fail(_complaint, pytrace=False)


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    global _complaint
    if _watched is not None and event in _EVENTS:
        _complaint = f"{_watched.nodeid} starts {_EVENTS[event]} in a quick test: mark it with @pytest.mark.{MARK}."
