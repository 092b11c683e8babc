import math

import pytest

from ludus.stats.metrics import metrics, numeric


def test_figures_of_each_agent_and_metric() -> None:
    reported = {("a", "Iterations"): [1.0, 2.0, 6.0], ("b", "Iterations"): [7.0], ("a", "value"): [-1.0, 0.5]}
    assert metrics(reported).rows() == [
        ("a", "Iterations", 3, 3.0, 2.0, 1.0, 6.0),
        ("b", "Iterations", 1, 7.0, 7.0, 7.0, 7.0),
        ("a", "value", 2, -0.25, -0.25, -1.0, 0.5),
    ]


def test_what_is_not_finite_spoils_no_figure() -> None:
    reported = {("a", "value"): [math.nan, 1.0, math.inf, 3.0], ("a", "bound"): [math.nan]}
    assert metrics(reported).rows() == [
        ("a", "value", 4, 2.0, 2.0, 1.0, 3.0),
        ("a", "bound", 1, None, None, None, None),
    ]


def test_where_nothing_is_reported_there_are_no_rows() -> None:
    assert metrics({}).columns == ["agent", "metric", "moves", "mean", "median", "lowest", "highest"]


@pytest.mark.parametrize("value", [True, None, "7", [1], {"a1": 3}])
def test_only_numbers_have_figures(value: object) -> None:
    assert list(numeric({"odd": value, "depth": 3})) == [("depth", 3.0)]
