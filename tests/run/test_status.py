import tempfile

import numpy as np

from ludus.episode.cost import Cost
from ludus.episode.record import Fault, Key
from ludus.episode.request import Answer
from ludus.run.status import Phase, Status


def test_memory_is_read_for_agents_and_not_for_bots() -> None:
    with tempfile.TemporaryFile() as file:
        status, seen = Status(file, with_memory=True), Status(file)
        status.bots = [1]
        status.phase(Phase.PLAYING, Key(0, 0, 0))
        status.thinking(0, None)
        assert (seen.now().seat, seen.now().bot) == (0, False)
        assert seen.now().memory > 0
        status.answered(3, None, Cost(wall=1))
        status.thinking(1, None)
        assert (seen.now().seat, seen.now().bot, seen.now().memory) == (1, True, 0)
        status.answered(4, None, Cost(wall=1))
        assert (seen.now().seat, seen.now().bot) == (None, False)
        assert [answer.move for answer in seen.journal()] == [3, 4]


def test_memory_of_an_agent_counts_from_its_first_turn_though_a_bot_is_asked_with_it() -> None:
    with tempfile.TemporaryFile() as file:
        status = Status(file, with_memory=True)
        status.bots = [1]
        status.phase(Phase.PLAYING, Key(0, 0, 0))
        status.thinking(0, None)
        at_first = status.now().memory
        hoard = np.ones(40 << 17)
        status.thinking(1, None)
        status.answered(3, None, Cost(wall=1))
        status.answered(4, None, Cost(wall=1))
        status.thinking(0, None)
        assert abs(status.now().memory - at_first) < hoard.nbytes / 2


def test_journal_keeps_what_the_clock_did_not_count() -> None:
    with tempfile.TemporaryFile() as file:
        status = Status(file)
        status.phase(Phase.PLAYING, Key(0, 0, 0))
        status.thinking(0, 10**9)
        status.answered(3, None, Cost(wall=5_000, cpu=2_000, waited=1_000, memory=8))
        status.answered(None, Fault.FAILED, Cost(wall=7_000, cpu=6_000))
        assert status.journal() == [
            Answer(3, cost=Cost(wall=5_000, cpu=2_000, waited=1_000, memory=8)),
            Answer(None, fault=Fault.FAILED, cost=Cost(wall=7_000, cpu=6_000)),
        ]
