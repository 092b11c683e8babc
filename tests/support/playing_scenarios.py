"""Episodes for tests of scenarios, really played."""

from collections.abc import Sequence

from ludus import Agent
from ludus.agents.agent import agent_from
from ludus.episode.driver import play_episode
from ludus.episode.limits import Limits
from ludus.episode.local_player import player_for
from ludus.episode.record import Opening, Record
from ludus.games.game import game_from


def played(
    game: str, agents: Sequence[str | Agent], position: str | None = None, plies: int | None = None, seed: int = 0
) -> Record:
    """One episode of these agents, in this order, from a position or the start."""
    players = [player_for(agent_from(agent) if isinstance(agent, str) else agent) for agent in agents]
    opening = Opening(position, seed)
    return play_episode(game_from(game), players, limits=Limits(plies=plies), seed=seed, opening=opening)
