"""Agents that do what agents should not."""

import os
import time

from ludus.agents.agent import Agent, Choice, Clock, View
from ludus.contests.speed.game import CHANGE_NOTHING
from ludus.games.game import Game


class Fatal(Agent):
    """Ends its process in the second round."""

    name = "fatal"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        pass

    def choose(self, view: View, clock: Clock) -> Choice:
        if view.state.clock[0] == 2:
            os._exit(1)
        return Choice(CHANGE_NOTHING)


class Sleepy(Agent):
    """Sleeps through every deadline from the second round on."""

    name = "sleepy"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        pass

    def choose(self, view: View, clock: Clock) -> Choice:
        if view.state.clock[0] == 2:
            time.sleep(3600)
        return Choice(CHANGE_NOTHING, {"limit": clock.limit()})


class Talkative(Agent):
    """Answers with a word in the second round."""

    name = "talkative"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        pass

    def choose(self, view: View, clock: Clock) -> Choice:
        return Choice("left" if view.state.clock[0] == 2 else CHANGE_NOTHING)  # type: ignore[arg-type]


class Boundless(Agent):
    """Answers with what no message can hold in the second round."""

    name = "boundless"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        pass

    def choose(self, view: View, clock: Clock) -> Choice:
        return Choice(10**30 if view.state.clock[0] == 2 else CHANGE_NOTHING)
