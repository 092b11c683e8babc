"""Vega, which draws charts in files and pages, as the package of the extra `charts` carries it."""

import hashlib
import html
import os
import re
from contextlib import suppress
from types import ModuleType

from ludus.core.errors import LudusError
from ludus.core.paths import cache_folder


def vega() -> ModuleType:
    """The package that carries Vega, or one sentence on how to get it."""
    try:
        import vl_convert
    except ModuleNotFoundError:
        raise LudusError(
            "Charts in files and reports need the package vl-convert-python: pip install 'ludus[charts]'."
        ) from None
    return vl_convert


def bundle(own: str = "") -> str:
    """Vega, Vega-Lite and Vega-Embed as one script, with a script of one's own that uses them.

    It takes a second to make, so it is kept in the cache folder.
    """
    made = hashlib.sha256(f"{vega().__version__} {own}".encode()).hexdigest()[:16]
    file = cache_folder() / "scripts" / f"{made}.js"
    with suppress(OSError):
        return file.read_bytes().decode()
    script = str(vega().javascript_bundle(own or None))
    with suppress(OSError):  # without a file it is made again next time
        file.parent.mkdir(parents=True, exist_ok=True)
        whole = file.with_suffix(f".{os.getpid()}")
        whole.write_bytes(script.encode())
        whole.replace(file)
    return script


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
