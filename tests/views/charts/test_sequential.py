from ludus.views.charts.sequential import path
from support.drawing import domains, rows, vega


def test_path_lies_between_both_bounds() -> None:
    chart = path([0.5, -0.25, 3.1], -2.94, 2.94, -10, 0)
    assert rows(chart, "pairs", "llr")[:3] == [(1, 0.5), (2, -0.25), (3, 3.1)]
    assert rows(chart, "llr", "says") == [
        (2.94, "the test accepts +0 Elo points"),
        (-2.94, "the test accepts −10 Elo points"),
    ]
    (domain,) = domains(chart, "y")
    assert domain[0] < -2.94
    assert domain[1] >= 3.1


def test_long_path_is_thinned_but_keeps_its_end() -> None:
    chart = path([k / 100_000 for k in range(100_000)], -2.94, 2.94, 0, 10)
    drawn = max(vega(chart)["data"], key=lambda data: len(data.get("values", [])))["values"]
    assert len(drawn) < 2100
    assert drawn[-1]["pairs"] == 100_000


def test_path_without_pairs_is_drawn() -> None:
    assert len(rows(path([], -2.94, 2.94, 0, 10), "llr", "says")) == 2
