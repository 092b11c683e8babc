import polars as pl

from ludus.cli.cells import cells, with_error
from ludus.core.text import whole


def test_what_is_not_known_is_a_dash_unless_told_otherwise() -> None:
    assert cells(whole, [1200, None]) == ["1,200", "–"]
    assert cells(whole, [None], "") == [""]


def test_margins_stand_below_each_other() -> None:
    assert with_error(pl.Series([-0.2, 5.0]), pl.Series([3.0, 12.0]), sign=True) == ["0 ±  3", "+5 ± 12"]
    assert with_error(pl.Series([-1.25]), pl.Series([None]), digits=1) == ["−1.2 ± –"]
