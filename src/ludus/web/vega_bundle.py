"""Vega, which draws the charts in the browser, as one script from the package that carries it."""

import gzip
from threading import Lock

from ludus.core.version import __version__
from ludus.views.charts.vega import bundle, vega


class VegaBundle:
    """The script, compressed."""

    def __init__(self) -> None:
        self._packed = b""
        self._lock = Lock()

    def address(self) -> str:
        """The address of the script, another one for each version."""
        return f"/static/charts.js?v={vega().__version__}-{__version__}"

    def packed(self) -> bytes:
        """The script."""
        with self._lock:
            if not self._packed:
                self._packed = gzip.compress(bundle().encode())
            return self._packed
