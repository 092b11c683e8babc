import polars as pl

from ludus.views.charts.rating_charts import course, places, strength_speed
from ludus.views.short_names import explained, short_names, shown_names
from support.drawing import texts


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


LONG = [f"mcts:simulations=2000,tree_depth={depth},rollout_depth=300" for depth in (10, 40)]


def test_long_specs_are_shown_by_what_sets_them_apart() -> None:
    assert list(shown_names([*LONG, "random"]).values()) == ["mcts 10", "mcts 40", "random"]


def test_names_that_fit_stay() -> None:
    assert shown_names(["mc:iterations=10", "mc:iterations=40"]) == {
        "mc:iterations=10": "mc:iterations=10",
        "mc:iterations=40": "mc:iterations=40",
    }


def test_short_names_are_explained() -> None:
    other = "mcts:simulations=2000,tree_depth=40,rollout_depth=8"
    assert explained([*LONG, other, "random"]) == "mcts tree_depth/rollout_depth"
    assert explained(["mc:iterations=10", "mc:iterations=40"]) == ""


def test_axes_write_short_names_beside_names_with_quotes() -> None:
    names = [*LONG, 'quo"te', "apo'strophe"]
    table = pl.DataFrame({"agent": names, "episodes": 1, "place_1": 1, "place_2": 0})
    assert {"mcts 10", "mcts 40", *names[2:]} <= set(texts(places(table)))


def test_labels_in_charts_are_short() -> None:
    speed = pl.DataFrame({"agent": LONG, "rating": [1.0, -1.0], "low": 0.0, "high": 0.0, "match_time": [1e6, 2e6]})
    over_time = pl.DataFrame({"matches": [1, 1], "agent": LONG, "rating": [1.0, -1.0]})
    for chart in (strength_speed(speed), course(over_time)):
        assert {"mcts 10", "mcts 40"} <= set(texts(chart))
