"""Vega, which draws charts in files and pages, as the package of the extra `charts` carries it."""

import hashlib
import os
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
