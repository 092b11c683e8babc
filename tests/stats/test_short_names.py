from ludus.stats.short_names import short_names


def test_values_that_differ_name_agents_of_one_kind() -> None:
    names = ["maxn:depth=4", "maxn:depth=10", "mc:rollout_depth=20", "mc:iterations=2000,rollout_depth=10", "random"]
    assert short_names(names) == ["maxn 4", "maxn 10", "mc 1000/20", "mc 2000/10", "random"]


def test_values_that_all_share_are_left_out() -> None:
    names = ["mcts:simulations=2000,rollout_depth=10", "mcts:simulations=2000,rollout_depth=none"]
    assert short_names(names) == ["mcts 10", "mcts none"]


def test_agent_that_is_alone_of_its_kind_keeps_its_name() -> None:
    assert short_names(["mc:iterations=50", "random"]) == ["mc:iterations=50", "random"]


def test_names_that_somebody_gave_stay() -> None:
    names = [
        "Bot4",
        "mine.py:Mine:x=1",
        "a, b: c = d",
        "mcts:simulations=5",
        "mcts:simulations=6",
        ":",
        "mcts:nonsense=1",
        "mcts:simulations=5 (opponent)",
    ]
    assert short_names(names) == [*names[:3], "mcts 5", "mcts 6", *names[5:]]


def test_names_stay_different() -> None:
    assert short_names(["mcts:simulations=5", "mcts:simulations=6", "mcts 5"]) == [
        "mcts:simulations=5", "mcts:simulations=6", "mcts 5",
    ]  # fmt: skip
