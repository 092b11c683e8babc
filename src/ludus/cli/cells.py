"""Numbers as the cells of tables; what is not known is a dash."""

import polars as pl

from ludus.cli.screen import spoken_number
from ludus.spec import spoken_time


def whole(values: pl.Series) -> list[str]:
    """Whole numbers."""
    return ["–" if value is None else f"{value:,.0f}" for value in values]


def rounded(values: pl.Series) -> list[str]:
    """Numbers of four digits or less, such as ratings."""
    return ["–" if value is None else f"{value:.0f}" for value in values]


def percent(value: float | None) -> str:
    """A share with one decimal."""
    return "–" if value is None else f"{100 * value:.1f} %"


def chance(value: float | None) -> str:
    """A chance; nothing where there is none."""
    if value is None:
        return ""
    return ">99 %" if 0.995 <= value < 1 else f"{100 * value:.0f} %"


def signed(value: float) -> str:
    """A whole number with its sign."""
    return f"{value:+.0f}".replace("-", "−")


def decimals(value: float | None) -> str:
    """Three decimals."""
    return "–" if value is None else f"{value:.3f}"


def number(value: float | None) -> str:
    """A number, short and readable."""
    return "–" if value is None else spoken_number(value)


def times(values: pl.Series) -> list[str]:
    """Nanoseconds, each in the unit that suits it."""
    return ["–" if value is None else spoken_time(value) for value in values]


def with_error(values: pl.Series, errors: pl.Series, *, signed: bool = False, digits: int = 0) -> list[str]:
    """Numbers with what they may be off by, the signs ± below each other."""
    off = ["–" if error is None else f"{error:.{digits}f}" for error in errors]
    width = max(map(len, off), default=0)
    sign = "+" if signed else ""
    return [
        "–" if value is None else f"{value:{sign}.{digits}f} ± {error:>{width}}".replace("-", "−")
        for value, error in zip(values, off, strict=True)
    ]


def span(low: int, high: int) -> str:
    """From one rank to another."""
    return str(low) if low == high else f"{low}–{high}"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, …"""
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")
