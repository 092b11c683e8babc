"""Ratings that took long to work out, kept in the cache folder by what they follow from."""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import polars as pl

from ludus.core.paths import cache_folder
from ludus.core.version import __version__

_FEW = 20_000  # games that are rated faster than a file is worth


def remembered(work: Callable[[int, pl.DataFrame], pl.DataFrame], agents: int, games: pl.DataFrame) -> pl.DataFrame:
    """What `work` makes of the games of so many agents; where they are many, a second time it is read from a file."""
    if len(games) <= _FEW:
        return work(agents, games)
    file = _file(f"{work.__name__} {agents} {__version__}", games)
    with suppress(OSError, pl.exceptions.PolarsError):
        return pl.read_ipc(file)
    answer = work(agents, games)
    with suppress(OSError):  # then it takes as long the next time
        file.parent.mkdir(parents=True, exist_ok=True)
        whole = file.with_suffix(f".{os.getpid()}")
        answer.write_ipc(whole)
        whole.replace(file)
    return answer


def _file(what: str, games: pl.DataFrame) -> Path:
    digest = hashlib.blake2b(what.encode(), digest_size=16)
    for column in games:
        digest.update(column.to_numpy().tobytes())
    return cache_folder() / "ratings" / digest.hexdigest()
