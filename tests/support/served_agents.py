"""Agents that tell what they were asked."""

import os
from typing import ClassVar

from ludus import Agent, Choice, Clock, Game, View, param


class Witness(Agent):
    """Plays the first legal move and keeps all that it was told."""

    name: ClassVar[str] = "witness"

    def prepare(self, game: Game) -> None:
        self.prepared: list[str] = [*getattr(self, "prepared", []), game.spec()]

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.game, self.seat, self.seed = game, seat, seed
        self.begun = getattr(self, "begun", 0) + 1
        self.views: list[View] = []
        self.clocks: list[Clock] = []

    def choose(self, view: View, clock: Clock) -> Choice:
        self.views.append(view)
        self.clocks.append(clock)
        return Choice(self.game.moves(view.state, view.seat)[0], {"turn": len(self.views), "who": "witness"})

    @property
    def positions(self) -> list[str]:
        """The positions it was asked about."""
        return [self.game.save(view.state) for view in self.views]


class Talkative(Witness):
    """Writes to standard output while it thinks, by every way there is."""

    name: ClassVar[str] = "talkative"

    def choose(self, view: View, clock: Clock) -> Choice:
        print("hm, let me see")
        os.write(1, b"0,0\n")
        os.system("echo 1,1")
        return super().choose(view, clock)


class Broken(Witness):
    """Fails at its second move."""

    name: ClassVar[str] = "broken"

    does: str = param("raise", "how", choices=["raise", "exit", "cheat", "nothing"])

    def choose(self, view: View, clock: Clock) -> Choice:
        choice = super().choose(view, clock)
        if len(self.views) < 2:
            return choice
        if self.does == "raise":
            raise ValueError("I have no idea\nat all")
        if self.does == "exit":
            raise SystemExit("enough")
        return Choice(10**6) if self.does == "cheat" else None  # type: ignore[return-value]


class ForOne(Witness):
    """Plays alone."""

    name: ClassVar[str] = "for-one"
    most_players: ClassVar[int] = 1
