import pytest

from ludus.run.advice import advice
from ludus.run.setup import Stage
from ludus.run.worker_cores import Cores
from ludus.tournaments.plan import make_tournament
from ludus.tournaments.tournament import Entrant


def told(cores: Cores, timed: bool, agent: str = "mcts:time=10ms") -> list[str]:
    field = [Entrant(agent, agent), Entrant("random", "random")]
    return advice(Stage(make_tournament("tic-tac-toe", field)), cores, timed)


@pytest.mark.parametrize("timed", [False, True])
def test_one_core_is_not_offered_to_be_had_alone(timed: bool) -> None:
    (said,) = told(Cores(1, [0], None), timed)
    assert said == "There is one core only, which episodes share with Ludus itself: times are doubtful."


def test_as_many_workers_as_cores_may_disturb_who_thinks_by_time() -> None:
    (said,) = told(Cores(2, [None, None], None), timed=False)
    assert said.startswith("2 workers and Ludus itself share 2 cores")


def test_nothing_is_said_where_times_can_be_trusted_or_do_not_matter() -> None:
    assert not told(Cores(2, [None], None), timed=False)
    assert not told(Cores(2, [1], 0), timed=True)
    assert not told(Cores(1, [None], None), timed=False, agent="mcts:simulations=10")
