import polars as pl

from ludus.views.charts.chart_list import Drawn
from ludus.views.charts.matrices import both_relations, first_mover, same_agent, scores
from support.drawing import domains, marks, rows, texts

CROSSTABLE = pl.DataFrame(
    [
        ("a", "b", 4, 4, 0, 0, 1.0),
        ("b", "a", 4, 1, 1, 2, 0.375),
        ("a", "c", 1000, 996, 0, 4, 0.996),
        ("c", "b", 4, 0, 0, 4, 0.0),
    ],
    ["first", "second", "episodes", "wins", "ties", "losses", "score"],
    orient="row",
)
SYMMETRY = pl.DataFrame(
    [("a", "b", 1.0, 0.875, 0.125, 0.875), ("a", "c", 1.0, 0.125, 0.875, 0.125), ("b", "c", 0.75, 0.75, 0.0, 0.5)],
    ["a", "b", "w_ab", "w_ba", "by_seat", "by_agent"],
    orient="row",
)


def _figures(chart: Drawn) -> dict[tuple[str, str], str]:
    """The figure in each cell, by row and column."""
    told = [dict(part.split(": ", 1) for part in mark.split("; ")) for mark in marks(chart, "text")]
    return {(cell["row"], cell["column"]): cell["figure"] for cell in told}


def test_scores_are_those_of_the_crosstable() -> None:
    drawn = rows(scores(CROSSTABLE, ["c", "a", "b"]), "row", "column", "value", "outcome", "episodes")
    assert ("b", "a", 0.375, "1 – 1 – 2", 4) in drawn
    assert {cell[:3] for cell in drawn} == set(CROSSTABLE.select("first", "second", "score").rows())


def test_rows_and_columns_follow_the_order_given() -> None:
    chart = scores(CROSSTABLE, ["c", "a", "b"])
    assert domains(chart, "x") == domains(chart, "y") == [["c", "a", "b"]]


def test_scale_of_scores_is_fixed_whatever_was_scored() -> None:
    close = CROSSTABLE.with_columns(score=pl.lit(0.5))
    for table in (CROSSTABLE, close):
        ((low, *_, high),) = domains(scores(table, ["a", "b", "c"]), "color")
        assert (low, high) == (0, 1)


def test_only_what_is_exactly_one_is_shown_as_one() -> None:
    shown = texts(scores(CROSSTABLE, ["a", "b", "c"]))
    assert {"1", "0", ".38", ".99"} <= set(shown)


def test_figures_are_left_out_where_cells_are_small() -> None:
    many = [*"abc", *map(str, range(40))]
    assert ".38" not in texts(scores(CROSSTABLE, many))


def test_symmetry_maps_show_each_pair_from_both_sides() -> None:
    fields = ("row", "column", "w_ab", "w_ba", "by_seat", "by_agent")
    order = ["a", "b", "c"]
    by_seat, by_agent = first_mover(SYMMETRY, order), same_agent(SYMMETRY, order)
    cells = rows(by_seat, *fields)
    assert ("a", "b", 1.0, 0.875, 0.125, 0.875) in cells
    assert ("b", "a", 0.875, 1.0, 0.125, 0.875) in cells
    assert len(cells) == 6
    assert _figures(by_seat)[("b", "c")] == _figures(by_seat)[("c", "b")] == "0"
    assert _figures(by_agent)[("b", "c")] == _figures(by_agent)[("c", "b")] == ".50"


def test_maps_in_other_orders_have_the_same_data() -> None:
    maps = [scores(CROSSTABLE, order).to_dict() for order in (["a", "b", "c"], ["c", "a", "b"])]
    assert maps[0]["datasets"].keys() == maps[1]["datasets"].keys()
    order = ["a", "b", "c"]
    relations = [map(SYMMETRY, order).to_dict()["datasets"] for map in (first_mover, same_agent, both_relations)]
    assert relations[0].keys() == relations[1].keys() == relations[2].keys()


def test_cells_are_empty_where_nobody_met() -> None:
    chart = scores(CROSSTABLE, ["a", "b", "c"])
    (empty,) = [values for values in chart.to_dict()["datasets"].values() if set(values[0]) == {"row", "column"}]
    assert {(cell["row"], cell["column"]) for cell in empty} == {
        ("a", "a"),
        ("b", "b"),
        ("c", "c"),
        ("b", "c"),
        ("c", "a"),
    }


def test_both_relations_share_one_map_across_the_diagonal() -> None:
    chart = both_relations(SYMMETRY, ["a", "b", "c"])
    assert _figures(chart) == {
        ("a", "b"): ".13",
        ("a", "c"): ".88",
        ("b", "c"): "0",
        ("b", "a"): ".88",
        ("c", "a"): ".13",
        ("c", "b"): ".50",
    }
    for domain in domains(chart, "color"):
        assert (domain[0], domain[-1]) == (0, 1)
