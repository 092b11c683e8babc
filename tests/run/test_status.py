import tempfile

import numpy as np

from ludus.episode.cost import Cost
from ludus.episode.journal import Phase
from ludus.episode.record import Key
from ludus.run.status import Status


def test_memory_is_read_for_agents_and_not_for_bots() -> None:
    with tempfile.TemporaryFile() as file:
        status, seen = Status(file, with_memory=True), Status(file)
        status.bots = [1]
        status.phase(Phase.PLAYING, Key(0, 0, 0))
        status.thinking(0, None)
        assert (seen.now().seat, seen.now().bot) == (0, False)
        assert seen.now().memory > 0
        status.answered(0, 3, None, Cost(wall=1))
        status.thinking(1, None)
        assert (seen.now().seat, seen.now().bot, seen.now().memory) == (1, True, 0)
        status.answered(1, 4, None, Cost(wall=1))
        assert (seen.now().seat, seen.now().bot) == (None, False)
        assert [answer.move for _, answer in seen.journal()] == [3, 4]


def test_memory_of_an_agent_counts_from_its_first_turn_though_a_bot_is_asked_with_it() -> None:
    with tempfile.TemporaryFile() as file:
        status = Status(file, with_memory=True)
        status.bots = [1]
        status.phase(Phase.PLAYING, Key(0, 0, 0))
        status.thinking(0, None)
        at_first = status.now().memory
        hoard = np.ones(40 << 17)
        status.thinking(1, None)
        status.answered(0, 3, None, Cost(wall=1))
        status.answered(1, 4, None, Cost(wall=1))
        status.thinking(0, None)
        assert abs(status.now().memory - at_first) < hoard.nbytes / 2
