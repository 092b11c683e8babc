import os
from pathlib import Path

import pytest

from ludus.episode.cores import can_pin, current_core, on_one_core, spread, usable_cores
from support.process_programs import python, start

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not can_pin(), reason="this system cannot pin processes to cores")]


def test_process_is_kept_to_a_core_and_let_go() -> None:
    before = os.sched_getaffinity(0)
    for core in before:
        with on_one_core(core):
            assert os.sched_getaffinity(0) == {core}
            assert current_core() == core
            assert usable_cores() == [core]
        assert os.sched_getaffinity(0) == before
    with on_one_core(None):
        assert os.sched_getaffinity(0) == before


def test_bot_has_the_core_of_its_parent_and_as_many_more_as_it_may_use(tmp_path: Path) -> None:
    usable = os.sched_getaffinity(0)
    for core in usable:
        with on_one_core(core):
            child = start(python("time.sleep(600)"), tmp_path)
            spread(child.pid, 2)
            has = os.sched_getaffinity(child.pid)
            spread(child.pid, 1000)
            has_all = os.sched_getaffinity(child.pid)
        child.end(0)
        assert core in has
        assert len(has) == min(2, len(usable))
        assert has_all == usable


def test_process_that_is_gone_is_not_spread(tmp_path: Path) -> None:
    child = start(python("pass"), tmp_path)
    child.end(30)
    spread(child.pid, 2)
