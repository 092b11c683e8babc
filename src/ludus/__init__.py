"""Tournaments between game-playing programs: which is stronger, by how much, how certain that is, and why."""

import importlib
from typing import TYPE_CHECKING, Any

from ludus.core.version import __version__

if TYPE_CHECKING:
    from ludus.agents.agent import Agent, Choice, Clock, View
    from ludus.api import load, tournament
    from ludus.core.errors import BusyError, FileError, InvalidError, LudusError, NotFoundError
    from ludus.core.spec import Duration, param
    from ludus.episode.limits import Limits
    from ludus.games.game import Facts, Game, Weight

__all__ = [
    "Agent",
    "BusyError",
    "Choice",
    "Clock",
    "Duration",
    "Facts",
    "FileError",
    "Game",
    "InvalidError",
    "Limits",
    "LudusError",
    "NotFoundError",
    "View",
    "Weight",
    "__version__",
    "load",
    "param",
    "tournament",
]

# Compilers, databases and tables are slow to import, and few programs need all of them.
_HOMES = {
    "ludus.agents.agent": ("Agent", "Choice", "Clock", "View"),
    "ludus.api": ("load", "tournament"),
    "ludus.core.errors": ("BusyError", "FileError", "InvalidError", "LudusError", "NotFoundError"),
    "ludus.games.game": ("Facts", "Game", "Weight"),
    "ludus.episode.limits": ("Limits",),
    "ludus.core.spec": ("Duration", "param"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
