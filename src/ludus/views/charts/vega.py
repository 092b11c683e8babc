"""Vega, which draws charts in files and pages, as the package of the extra `charts` carries it."""

from types import ModuleType

from ludus.core.errors import LudusError


def vega() -> ModuleType:
    """The package that carries Vega, or one sentence on how to get it."""
    try:
        import vl_convert
    except ModuleNotFoundError:
        raise LudusError(
            "Charts in files and reports need the package vl-convert-python: pip install 'ludus[charts]'."
        ) from None
    return vl_convert
