import polars as pl

from ludus.cli.cells import chance, share, signed, with_error


def test_what_is_rounded_to_nothing_has_no_sign() -> None:
    assert [signed(value) for value in (0.4, -0.4, 0.0, 12.0, -12.4)] == ["0", "0", "0", "+12", "−12"]
    assert with_error(pl.Series([-0.2, 5.0]), pl.Series([3.0, 12.0]), sign=True) == ["0 ±  3", "+5 ± 12"]
    assert with_error(pl.Series([-1.25]), pl.Series([None]), digits=1) == ["−1.2 ± –"]


def test_no_chance_is_sure() -> None:
    assert [chance(value) for value in (0.0, 0.5, 0.994, 0.996, 1.0, None)] == [
        "<1 %",
        "50 %",
        "99 %",
        ">99 %",
        ">99 %",
        "",
    ]


def test_a_share_may_be_all_or_nothing() -> None:
    assert [share(value) for value in (0.0, 0.5, 0.999, 1.0, None)] == ["0 %", "50 %", ">99 %", "100 %", ""]
