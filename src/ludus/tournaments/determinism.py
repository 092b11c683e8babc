"""Agents of a tournament that leave nothing to chance: equal episodes among them are one piece of evidence."""

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from ludus.core.errors import LudusError
from ludus.tournaments.tournament import Tournament

if TYPE_CHECKING:
    from ludus.agents.agent import Agent
    from ludus.games.game import Game
    from ludus.tournaments.field import Pick


def declared(game: "Game", field: "Iterable[Pick]") -> tuple[str, ...]:
    """The specs of the agents that are deterministic in this game; none if the game itself has chance."""
    return tuple(entrant.spec for entrant, agent in field if _is_deterministic(agent, game))


def deterministic_agents(tournament: Tournament) -> list[int]:
    """The numbers of these agents.

    If the tournament does not say, as one stored by Ludus 0.1, its agents are asked now; an agent that can no longer be
    loaded counts as random.
    """
    known = tournament.deterministic
    if known is None:
        known = tuple(entrant.spec for entrant in tournament.agents if _declares(entrant.spec, tournament.game))
    return [number for number, entrant in enumerate(tournament.agents) if entrant.spec in known]


@cache
def _declares(agent: str, game: str) -> bool:
    from ludus.agents.agent import agent_from  # imports the compiler, which is slow
    from ludus.games.game import game_from

    try:
        return _is_deterministic(agent_from(agent), game_from(game))
    except LudusError:
        return False


def _is_deterministic(agent: "Agent", game: "Game") -> bool:
    return not game.chance and agent.is_deterministic(game)
