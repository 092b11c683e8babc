import os
from pathlib import Path
from typing import Any

import pytest

from ludus.core.errors import InvalidError, LudusError
from ludus.episode.cores import can_pin, current_core, on_one_core
from ludus.run.conditions import Cores, advice, overlooked_openings, refuse_unsuited
from ludus.run.setup import Stage
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.run_options import RunOptions
from ludus.tournaments.tournament import Entrant
from support.checked_bots import write_bot
from support.sentences import missing

PINNED = pytest.mark.skipif(not can_pin(), reason="this system cannot pin processes to cores")


def planned_on(core: int, workers: int | None, timed: bool) -> Cores:
    """The plan of a process that is on this core and may use all."""
    usable = os.sched_getaffinity(0)
    while True:
        with on_one_core(core):
            os.sched_setaffinity(0, usable)
            planned = Cores.plan(RunOptions(workers=workers, timed=timed), together=True)
            if current_core() == core:  # and was not moved meanwhile
                return planned


@PINNED
def test_workers_with_bots_go_round_the_cores_from_the_one_that_this_process_is_on() -> None:
    cores = sorted(os.sched_getaffinity(0))
    for place, core in enumerate(cores):
        planned = planned_on(core, len(cores) + 1, timed=False)
        assert planned.workers == [*cores[place:], *cores[:place], core]


@PINNED
def test_process_without_workers_stays_where_it_is() -> None:
    for core in os.sched_getaffinity(0):
        assert planned_on(core, 0, timed=False).own == core


@PINNED
@pytest.mark.skipif(can_pin() and len(os.sched_getaffinity(0)) == 1, reason="there is only one core")
def test_timed_workers_have_the_cores_next_to_the_one_that_this_process_keeps() -> None:
    cores = sorted(os.sched_getaffinity(0))
    for place, core in enumerate(cores):
        planned = planned_on(core, None, timed=True)
        assert (planned.own, planned.workers) == (core, [*cores[place + 1 :], *cores[:place]])


@PINNED
def test_timed_episodes_need_workers() -> None:
    with pytest.raises(LudusError, match="at least one worker"):
        Cores.plan(RunOptions(workers=0, timed=True))


def told(cores: Cores, timed: bool, agent: str = "mcts:time=10ms") -> list[str]:
    field = [Entrant(agent, agent), Entrant("random", "random")]
    return advice(Stage(make_tournament("tic-tac-toe", field)), cores, RunOptions(timed=timed))


@pytest.mark.parametrize("timed", [False, True])
def test_one_core_is_not_offered_to_be_had_alone(timed: bool) -> None:
    (said,) = told(Cores(1, [0], None), timed)
    assert said == "There is only one core, which episodes share with Ludus itself: timings are unreliable."


def test_as_many_workers_as_cores_may_disturb_who_thinks_by_time() -> None:
    (said,) = told(Cores(2, [None, None], None), timed=False)
    assert said.startswith("2 workers and Ludus itself share 2 cores")


def test_nothing_is_said_where_times_can_be_trusted_or_do_not_matter() -> None:
    assert not told(Cores(2, [None], None), timed=False)
    assert not told(Cores(2, [1], 0), timed=True)
    assert not told(Cores(1, [None], None), timed=False, agent="mcts:simulations=10")


def refused_openings(field: list[str], **content: Any) -> str:
    """The refusal of openings for these agents; empty if they are played."""
    stage = Stage(make_tournament("connect-four", field, **content))
    try:
        refuse_unsuited(stage, Cores(2, [None], None), RunOptions())
    except InvalidError as error:
        return str(error)
    return ""


def test_bots_that_never_mention_the_start_position_are_refused_where_games_have_openings(tmp_path: Path) -> None:
    for name in ("seeing", "blind"):
        (tmp_path / name).mkdir()
    seeing = f"stdio:{write_bot(tmp_path / 'seeing')}"
    blind = "stdio:" + write_bot(tmp_path / "blind", ('"initial_board"', '"start_board"'))
    assert refused_openings([seeing, blind]) == ""
    refusal = refused_openings([seeing, blind], opening_plies=2)
    assert missing(refusal, f"{blind} --opening-plies boards=yes") == []
    assert seeing not in refusal
    assert refused_openings([seeing, blind], position="......./......./......./......./......./..xo...")
    assert refused_openings([seeing, blind.replace("stdio", "stdio,boards=yes", 1)], opening_plies=2) == ""
    assert refused_openings([seeing.replace("stdio", "stdio,boards=no", 1), "random"], opening_plies=2)
    (tmp_path / "blind" / "lib").mkdir()
    (tmp_path / "blind" / "lib" / "board.txt").write_text("KEY = 'initial_board'")
    assert refused_openings([seeing, blind, "random"], opening_plies=2) == ""


def test_compiled_bots_that_do_not_mention_the_start_position_are_only_named(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_bytes(b"\x7fELF\0\0 compiled")
    file.chmod(0o755)
    field = [f"stdio:{file}", "random"]
    assert refused_openings(field, opening_plies=2) == ""
    (sentence,) = overlooked_openings(Stage(make_tournament("connect-four", field, opening_plies=2)))
    assert str(file) in sentence
    assert not overlooked_openings(Stage(make_tournament("connect-four", field)))
