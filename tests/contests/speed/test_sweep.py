from ludus.run.sweep import plan_sweep
from ludus.tournaments.tournament import NO_OPENINGS


def test_episodes_differ_by_their_start_and_need_no_openings() -> None:
    planned = plan_sweep("speed", "mcts:simulations=5", ["c=1"], ["random"]).tournament(1)
    assert planned.tournament.openings == NO_OPENINGS
