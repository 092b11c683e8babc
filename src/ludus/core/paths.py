"""Where Ludus keeps things."""

import importlib.metadata
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


def shipped(sources: str, installed: str) -> list[Path]:
    """Files that come with Ludus, by patterns: in its sources, or else below `share/ludus` where it was installed."""
    if found := list(Path(__file__).parents[3].glob(sources)):
        return sorted(found)
    listed = importlib.metadata.files("ludus") or []
    return sorted(Path(str(file.locate())) for file in listed if file.match(f"share/ludus/{installed}"))


def _home() -> Path | None:
    home = os.environ.get("LUDUS_HOME")
    return Path(home) if home else None
