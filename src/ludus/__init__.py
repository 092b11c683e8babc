"""Ludus pits game-playing programs against each other and tells who is stronger."""

from ludus.agents.base import Agent, Choice, Clock, View
from ludus.errors import LudusError
from ludus.games.base import Facts, Game, Weight
from ludus.spec import Duration, param

__version__ = "0.1.0"

__all__ = ["Agent", "Choice", "Clock", "Duration", "Facts", "Game", "LudusError", "View", "Weight", "param"]
