"""Columns of numbers as the cells of tables; what is not known is a dash."""

from collections.abc import Callable, Iterable

import polars as pl

from ludus.core.text import DASH, decimal, margin, signed


def cells(write: Callable[[float], str], values: Iterable[float | None], unknown: str = DASH) -> list[str]:
    """The values in words."""
    return [unknown if value is None else write(value) for value in values]


def with_error(values: pl.Series, errors: pl.Series, *, sign: bool = False, digits: int = 0) -> list[str]:
    """Numbers with what they may be off by, the signs ± below each other."""
    write = signed if sign else decimal
    off = ["–" if error is None else margin(error, digits).removeprefix("± ") for error in errors]
    width = max(map(len, off), default=0)
    return [
        DASH if value is None else f"{write(value, digits)} ± {error:>{width}}"
        for value, error in zip(values, off, strict=True)
    ]
