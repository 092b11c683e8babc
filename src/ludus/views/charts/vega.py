"""Vega, which draws charts in files and pages, as the package of the extra `charts` carries it."""

import html
import re
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


_TITLE = re.compile(r"role-title-.*?</g>", re.DOTALL)
_TEXT = re.compile(r'<text[^>]*?font-size="([\d.]+)px"[^>]*>([^<]*)</text>')
_WIDE = 0.65  # of the size: the mean width of a letter in a wide font, such as Verdana
_MARGIN = 16


def roomy(svg: str) -> str:
    """The picture, widened if its title would be clipped where another font than that of this machine is used."""
    width = float(re.findall(r'width="([\d.]+)"', svg)[0])
    lines = [match for title in _TITLE.findall(svg) for match in _TEXT.findall(title)]
    needed = max((len(html.unescape(text)) * float(size) * _WIDE for size, text in lines), default=0) + 2 * _MARGIN
    if needed <= width:
        return svg
    head, _, rest = svg.partition('<g fill="none"')  # the size, the box and the ground
    wider = re.sub(rf'(width="|viewBox="0 0 ){re.escape(f"{width:g}")}\b', rf"\g<1>{needed:.0f}", head)
    return f'{wider}<g fill="none"{rest}'
