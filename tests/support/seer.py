"""An agent that keeps layers of a known look, and ways to play it."""

from pathlib import Path
from typing import ClassVar

import numpy as np

from ludus import Agent, Choice, Clock, Game, View, param
from ludus.agents.agent import agent_from
from ludus.agents.layers import pack, path_layer
from ludus.episode.driver import play_episode
from ludus.episode.local_player import player_for
from ludus.episode.opening import random_opening
from ludus.episode.record import Record
from ludus.games.game import game_from
from ludus.views.boards.timeline import Timeline

SEER = f"{Path(__file__)}:Seer"


class Seer(Agent):
    """The first legal move; it saw the corner at the top left, and means to go along the top."""

    name: ClassVar[str] = "seer"

    layers: bool = param(False, "keep what it saw")
    wrong: bool = param(False, "keep layers of a wrong size")
    fails: bool = param(False, "fail")
    slow: bool = param(False, "see nothing in its first move")

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._game = game
        self._begun = False

    def choose(self, view: View, clock: Clock) -> Choice:
        if self.fails:
            raise ZeroDivisionError("division by zero")
        move = self._game.moves(view.state, view.seat)[0]
        if not self.layers:
            return Choice(move, {"turns": len(view.since)})
        rows, columns = 6, 7
        heat = np.zeros((rows + self.wrong, columns))
        heat[0, 0] = float(self._begun or not self.slow)
        self._begun = True
        path = path_layer(rows, columns, [(x, 0) for x in range(columns)])
        return Choice(move, {"turns": len(view.since), "layers": {"heat": pack(heat), "path": pack(path)}})


def record_of(game: str, *agents: str, plies: int = 0, seed: int = 3) -> Record:
    """An episode between these agents, perhaps after random moves."""
    played = game_from(game, len(agents))
    players = [player_for(agent_from(agent), f"{agent.rpartition('/')[2]} {n}") for n, agent in enumerate(agents, 1)]
    return play_episode(played, players, seed=seed, opening=random_opening(played, plies, seed))


def episode_of(record: Record) -> Timeline:
    """It, as pictures are made of it."""
    return Timeline(record, game_from(record.game), lambda _: "Somebody wins.")
