"""Games seen by one of their players: all known moves, as the record of an episode."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.core.version import __version__
from ludus.episode.opening import setting
from ludus.episode.record import FORMAT, Ending, Move, Opening, Record, Seat
from ludus.games.game import Game
from ludus.kernel.rules import State, duplicate, over, play


class Message(NamedTuple):
    """A message of a server to one player, counted from 0: the state, and the deadline for an answer.

    Names are sent only at the end, if at all.
    """

    state: State
    you: int
    running: bool
    deadline: datetime | None
    names: list[str] | None


class Sighting:
    """A game from the first message of a server on: `take` the following ones, then make the `record`.

    A contest whose messages contain more or less than the position derives its own class.
    """

    def __init__(self, game: Game, first: Message) -> None:
        self.game = game
        self.you = first.you
        self.names: list[str] | None = None
        self.remarks: list[str] = []
        self.cut_off = False
        """True if the record ends earlier than the game."""
        self.begin(first.state)

    def begin(self, state: State) -> None:
        """Begin the record with a state."""
        self.state = state
        self.steps: list[list[Move]] = []
        self._first_round = self.game.first_round(state)
        self.start = self.game.save(state)
        """The position with which the record begins, as text."""

    @property
    def round(self) -> int:
        """The number of the next round."""
        return self._first_round + len(self.steps)

    def take(self, message: Message, own: Move | None = None) -> list[int]:
        """Add the next message, after the player itself sent `own`; return the moves of all players, if known.

        This finds the one move that leads to its state, if one player moves at a time.
        """
        self.names = message.names
        game, shown = self.game, self.game.save(message.state)
        if shown == game.save(self.state):
            return []  # the game ends without a move
        (mover,) = game.movers(self.state)
        for move in game.moves(self.state, mover):
            after: State = duplicate(self.state)
            play(after, np.array([move]))
            if game.save(after) == shown:
                made = (
                    own if own is not None and mover == self.you else Move(mover, game.format(self.state, mover, move))
                )
                self.steps.append([made])
                self.state = after
                return [move]
        raise InvalidError(f"No move leads from {game.save(self.state)} to {shown}.")

    def record(self, seats: Sequence[Seat], played: datetime, why: str) -> Record:
        """The record, with notes at the player's own seat; without a result if it ends early, for the reason `why`."""
        ended = bool(over(self.state))
        if not ended and not self.cut_off:
            self.remarks.append(f"the record ends before the game: {why}")
        seats[self.you].remarks = [*seats[self.you].remarks, *self.remarks]
        return Record(
            format=FORMAT,
            ludus=__version__,
            played=played,
            game=setting(self.game).spec,
            seats=list(seats),
            seed=0,
            opening=Opening(self.start),
            scores=[score + 0.0 for score in self.game.scores(self.state)] if ended else [0.0] * self.game.seats,
            ending=Ending.RULES if ended else Ending.MACHINE,
            steps=self.steps,
        )
