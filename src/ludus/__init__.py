"""Tournaments between game-playing programs: which is stronger, by how much, how certain that is, and why."""

import importlib
from typing import TYPE_CHECKING, Any

from ludus.core.version import __version__

if TYPE_CHECKING:
    from ludus.agents.agent import Agent, Choice, Clock, View
    from ludus.api.comparison_view import Comparison, compare
    from ludus.api.episode_view import Episode, Position, replay
    from ludus.api.ladders import ladder
    from ludus.api.series_view import Episodes, play
    from ludus.api.study_view import Study, study
    from ludus.api.sweep_view import Sweep, sweep
    from ludus.api.tournament_view import Results, load, tournament
    from ludus.core.errors import BusyError, FileError, InvalidError, LudusError, NotFoundError
    from ludus.core.spec import Duration, param
    from ludus.episode.record import Record
    from ludus.games.game import Facts, Game, Weight

__all__ = [
    "Agent",
    "BusyError",
    "Choice",
    "Clock",
    "Comparison",
    "Duration",
    "Episode",
    "Episodes",
    "Facts",
    "FileError",
    "Game",
    "InvalidError",
    "LudusError",
    "NotFoundError",
    "Position",
    "Record",
    "Results",
    "Study",
    "Sweep",
    "View",
    "Weight",
    "__version__",
    "compare",
    "ladder",
    "load",
    "param",
    "play",
    "replay",
    "study",
    "sweep",
    "tournament",
]

if not TYPE_CHECKING:  # a type checker reads the imports above, and refuses other names
    # Compilers, databases and tables are slow to import, and few programs need all of them.
    _HOMES = {
        "ludus.agents.agent": ("Agent", "Choice", "Clock", "View"),
        "ludus.api.comparison_view": ("Comparison", "compare"),
        "ludus.api.episode_view": ("Episode", "Position", "replay"),
        "ludus.api.ladders": ("ladder",),
        "ludus.api.series_view": ("Episodes", "play"),
        "ludus.api.study_view": ("Study", "study"),
        "ludus.api.sweep_view": ("Sweep", "sweep"),
        "ludus.api.tournament_view": ("Results", "load", "tournament"),
        "ludus.core.errors": ("BusyError", "FileError", "InvalidError", "LudusError", "NotFoundError"),
        "ludus.core.spec": ("Duration", "param"),
        "ludus.episode.record": ("Record",),
        "ludus.games.game": ("Facts", "Game", "Weight"),
    }

    def __getattr__(name: str) -> Any:
        for module, names in _HOMES.items():
            if name in names:
                return getattr(importlib.import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
