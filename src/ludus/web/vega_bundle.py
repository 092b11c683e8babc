"""Vega, which draws the charts in the browser, as one script from the package that carries it."""

import gzip
from threading import Lock

from ludus.core.paths import cache_folder, write_file
from ludus.core.version import __version__
from ludus.views.charts.vega import vega


class VegaBundle:
    """The script, compressed; it takes seconds to make, so that a file keeps it."""

    def __init__(self) -> None:
        self._packed = b""
        self._lock = Lock()

    def address(self) -> str:
        """The address of the script, another one for each version."""
        return f"/static/charts.js?v={self._version()}"

    def packed(self) -> bytes:
        """The script."""
        with self._lock:
            if not self._packed:
                self._packed = self._read()
            return self._packed

    def _read(self) -> bytes:
        file = cache_folder() / f"charts-{self._version()}.js.gz"
        if file.is_file():
            return file.read_bytes()
        packed = gzip.compress(str(vega().javascript_bundle()).encode(), 9)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, packed)
        return packed

    def _version(self) -> str:
        return f"{vega().__version__}-{__version__}"
