"""Ludus pits game-playing programs against each other and tells who is stronger."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludus.agents.agent import Agent, Choice, Clock, View
    from ludus.api import load, tournament
    from ludus.core.errors import LudusError
    from ludus.core.spec import Duration, param
    from ludus.episode.record import Limits
    from ludus.games.game import Facts, Game, Weight

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Choice",
    "Clock",
    "Duration",
    "Facts",
    "Game",
    "Limits",
    "LudusError",
    "View",
    "Weight",
    "load",
    "param",
    "tournament",
]

# Compilers, databases and tables take their time to import, and few programs need all of them.
_HOMES = {
    "ludus.agents.agent": ("Agent", "Choice", "Clock", "View"),
    "ludus.api": ("load", "tournament"),
    "ludus.core.errors": ("LudusError",),
    "ludus.games.game": ("Facts", "Game", "Weight"),
    "ludus.episode.record": ("Limits",),
    "ludus.core.spec": ("Duration", "param"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
