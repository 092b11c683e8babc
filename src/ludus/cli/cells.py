"""Numbers as the cells of tables; what is not known is a dash."""

import polars as pl

from ludus.cli.screen import spoken_number
from ludus.core.spec import spoken_time


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
    """A chance, which is never sure; nothing where there is none."""
    if value is None:
        return ""
    return ">99 %" if value >= 0.995 else "<1 %" if value < 0.005 else f"{100 * value:.0f} %"


def share(value: float | None) -> str:
    """A share of what was counted, which may be all; nothing where there is none."""
    return f"{100 * value:.0f} %" if value in (0, 1) else chance(value)


def signed(value: float, digits: int = 0) -> str:
    """A number with its sign; what is rounded to 0 has none."""
    text = f"{value:+.{digits}f}"
    return text.replace("-", "−") if float(text) else text[1:]


def decimals(value: float | None) -> str:
    """Three decimals."""
    return "–" if value is None else f"{value:.3f}"


def number(value: float | None) -> str:
    """A number, short and readable."""
    return "–" if value is None else spoken_number(value)


def times(values: pl.Series) -> list[str]:
    """Nanoseconds, each in the unit that suits it."""
    return ["–" if value is None else spoken_time(value) for value in values]


def with_error(values: pl.Series, errors: pl.Series, *, sign: bool = False, digits: int = 0) -> list[str]:
    """Numbers with what they may be off by, the signs ± below each other."""
    off = ["–" if error is None else f"{error:.{digits}f}" for error in errors]
    width = max(map(len, off), default=0)
    return [
        "–" if value is None else f"{_shown(value, sign, digits)} ± {error:>{width}}"
        for value, error in zip(values, off, strict=True)
    ]


def _shown(value: float, sign: bool, digits: int) -> str:
    return signed(value, digits) if sign else f"{value:.{digits}f}".replace("-", "−")


def span(low: int, high: int) -> str:
    """From one rank to another."""
    return str(low) if low == high else f"{low}–{high}"


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, …"""
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")
