from ludus.run.sweep import plan_sweep


def test_episodes_differ_by_their_start_and_need_no_openings() -> None:
    assert plan_sweep("speed", "mcts:simulations=5", ["c=1"], ["random"]).opening_plies == 0
