import polars as pl

from ludus.views.charts.chart_names import explained, shown_names
from ludus.views.charts.place_charts import places
from ludus.views.charts.rating_charts import course, strength_speed
from support.drawing import texts

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
