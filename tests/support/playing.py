"""Episodes that are really played, in this process."""

from typing import Any

from ludus import Agent
from ludus.agents.agent import agent_from
from ludus.episode.driver import play_episode
from ludus.episode.local_player import player_for
from ludus.episode.player import Player
from ludus.episode.record import Record
from ludus.games.game import game_from


def players_for(*agents: str | Agent) -> list[Player]:
    """A player for each agent or its spec."""
    return [player_for(agent_from(agent) if isinstance(agent, str) else agent) for agent in agents]


def played(game: str, *agents: str | Agent, **settings: Any) -> Record:
    """One episode of these agents, in this order, with the settings of `play_episode`."""
    return play_episode(game_from(game), players_for(*agents), **settings)
