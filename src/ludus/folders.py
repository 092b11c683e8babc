"""Where Ludus keeps things."""

import os
from pathlib import Path

import platformdirs


def data_folder() -> Path:
    """What is the user's: under LUDUS_HOME if that is set, else in the user's data folder."""
    return _home() or platformdirs.user_data_path("ludus")


def cache_folder() -> Path:
    """What can be made again: under LUDUS_HOME if that is set, else in the user's cache folder."""
    home = _home()
    return home / "cache" if home else platformdirs.user_cache_path("ludus")


def _home() -> Path | None:
    home = os.environ.get("LUDUS_HOME")
    return Path(home) if home else None
