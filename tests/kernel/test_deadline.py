"""The clock that compiled code reads."""

import time

import numpy as np
import pytest

from ludus.kernel.deadline import FOREVER, expired, new_watch, now


def test_now_is_the_monotonic_clock() -> None:
    before = time.monotonic_ns()
    moment = now(np.zeros(2, np.int64))
    assert before <= moment <= time.monotonic_ns()


def test_watch_expires_at_its_deadline_and_not_before() -> None:
    deadline = time.monotonic_ns() + 3_000_000
    watch = new_watch(deadline)
    while not expired(watch):
        pass
    assert time.monotonic_ns() >= deadline


def test_watch_whose_deadline_has_passed_expires_at_once() -> None:
    assert expired(new_watch(time.monotonic_ns() - 1))


@pytest.mark.parametrize("nodes", [10, 100_000])
def test_watch_without_a_deadline_never_expires(nodes: int) -> None:
    watch = new_watch(FOREVER)
    assert not any(expired(watch) for _ in range(nodes))
