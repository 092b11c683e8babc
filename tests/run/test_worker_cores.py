import os

import pytest

from ludus.core.errors import LudusError
from ludus.episode.cores import can_pin, current_core, on_one_core
from ludus.run.worker_cores import Cores

pytestmark = pytest.mark.skipif(not can_pin(), reason="this system cannot pin processes to cores")


def planned_on(core: int, workers: int | None, timed: bool) -> Cores:
    """What is planned by a process that is on this core and may use all."""
    usable = os.sched_getaffinity(0)
    while True:
        with on_one_core(core):
            os.sched_setaffinity(0, usable)
            planned = Cores.plan(workers, timed, together=True)
            if current_core() == core:  # and was not moved meanwhile
                return planned


def test_workers_with_bots_go_round_the_cores_from_the_one_that_this_process_is_on() -> None:
    cores = sorted(os.sched_getaffinity(0))
    for place, core in enumerate(cores):
        planned = planned_on(core, len(cores) + 1, timed=False)
        assert planned.workers == [*cores[place:], *cores[:place], core]


def test_process_without_workers_stays_where_it_is() -> None:
    for core in os.sched_getaffinity(0):
        assert planned_on(core, 0, timed=False).own == core


@pytest.mark.skipif(can_pin() and len(os.sched_getaffinity(0)) == 1, reason="there is one core only")
def test_timed_workers_have_the_cores_next_to_the_one_that_this_process_keeps() -> None:
    cores = sorted(os.sched_getaffinity(0))
    for place, core in enumerate(cores):
        planned = planned_on(core, None, timed=True)
        assert (planned.own, planned.workers) == (core, [*cores[place + 1 :], *cores[:place]])


def test_timed_episodes_need_workers() -> None:
    with pytest.raises(LudusError, match="at least one worker"):
        Cores.plan(0, timed=True)
