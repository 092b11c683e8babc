"""Ludus pits game-playing programs against each other and tells who is stronger."""

from typing import TYPE_CHECKING, Any

from ludus.agents.base import Agent, Choice, Clock, View
from ludus.errors import LudusError
from ludus.games.base import Facts, Game, Weight
from ludus.record import Limits
from ludus.spec import Duration, param

if TYPE_CHECKING:
    from ludus.api import load, tournament

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


def __getattr__(name: str) -> Any:
    # Databases and tables take their time to import, and most programs that use Ludus need none.
    if name not in ("load", "tournament"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from ludus import api

    return getattr(api, name)
