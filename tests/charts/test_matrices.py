import polars as pl

from charts.drawing import domains, rows, texts
from ludus.charts.matrices import both_relations, first_mover, same_agent, scores

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
    fields = ("row", "column", "w_ab", "w_ba", "value")
    by_seat = rows(first_mover(SYMMETRY, ["a", "b", "c"]), *fields)
    by_agent = rows(same_agent(SYMMETRY, ["a", "b", "c"]), *fields)
    assert ("a", "b", 1.0, 0.875, 0.125) in by_seat
    assert ("b", "a", 0.875, 1.0, 0.125) in by_seat
    assert ("c", "a", 0.125, 1.0, 0.125) in by_agent
    assert len(by_seat) == len(by_agent) == 6


def test_both_relations_share_one_map_across_the_diagonal() -> None:
    chart = both_relations(SYMMETRY, ["a", "b", "c"])
    cells = {(row, column): value for row, column, value in rows(chart, "row", "column", "value")}
    assert cells == {
        ("a", "b"): 0.125,
        ("a", "c"): 0.875,
        ("b", "c"): 0.0,
        ("b", "a"): 0.875,
        ("c", "a"): 0.125,
        ("c", "b"): 0.5,
    }
    for domain in domains(chart, "color"):
        assert (domain[0], domain[-1]) == (0, 1)
