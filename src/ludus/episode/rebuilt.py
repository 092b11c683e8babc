"""Episodes rebuilt while they are being played, from their cards and journals."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec
import numpy as np

from ludus.core.errors import InvalidError, LudusError
from ludus.episode.journal import Journal, Noted, preparations
from ludus.episode.limits import UNLIMITED, Limits
from ludus.episode.opening import start_state
from ludus.episode.record import FROM_THE_START, Move, Opening, Record, Seat
from ludus.episode.referee import Referee
from ludus.episode.replay import Scene
from ludus.games.game import Game
from ludus.kernel import rules


class GameCard(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The facts of an episode that are fixed before its first move.

    An episode is `seen` if its moves come from another server: they are played as they are, without a referee.
    """

    game: str
    seats: list[Seat]
    opening: Opening = FROM_THE_START
    seed: int = 0
    limits: Limits = UNLIMITED
    number: int = 0
    seen: bool = False


class Ledger(Protocol):
    """A keeper of journals of games, for others to watch."""

    def open(self, card: GameCard) -> Journal | None:
        """A journal for a game, by the number on its card, in place of an earlier one; None if nobody can watch."""

    def close(self, number: int) -> None:
        """Give up the journal of a game that is over."""


class Left(NamedTuple):
    """Nanoseconds left to each seat for all its moves, and for its next one; None if unlimited."""

    total: list[int] | None
    move: int | None


class Rebuilt:
    """An episode as far as its journal says: `add` answers, and read its scenes."""

    def __init__(self, card: GameCard, game: Game) -> None:
        if len(card.seats) != game.seats:
            raise InvalidError(f"{game.spec()} has {game.seats} seats, but {len(card.seats)} are taken.")
        self.card = card
        self.game = game
        self.scenes = [Scene(start_state(game, card.opening), [])]
        """The positions so far, each with the step that led to it."""
        self.known = 0
        """Number of answers that have been added."""
        self.record: Record | None = None
        """The record, once the end has come; an episode that is only seen has none."""
        self._prepared: list[Noted] = []
        self._step: list[tuple[Move, int]] = []
        self._referee = None if card.seen else self._new_referee()

    def _new_referee(self) -> Referee:
        card, seats = self.card, [Seat(seat.agent, seat.name, limits=seat.limits) for seat in self.card.seats]
        return Referee(self.game, seats, limits=card.limits, seed=card.seed, opening=card.opening, watch=self._note)

    @property
    def over(self) -> bool:
        """True if no moves will follow."""
        return self.record is not None or bool(rules.over(self.scenes[-1].state))

    @property
    def left(self) -> Left:
        """The clocks of the players."""
        requests = self._referee.requests() if self._referee is not None else []
        if not requests:
            return Left(None, None)
        return Left(requests[0].left or None, requests[0].clock.limit())

    def add(self, noted: Sequence[Noted]) -> None:
        """Continue with these answers; InvalidError if they do not fit the rules, as if a file was edited meanwhile."""
        try:
            for each in noted:
                if len(self._prepared) < len(self.card.seats):
                    self._prepare(each)
                elif self._referee is not None:
                    self._referee.answer(each.seat, each.answer)
                else:
                    self._play(each)
                self.known += 1
        except (LudusError, ValueError, IndexError, KeyError) as error:
            raise InvalidError(f"The moves of a game of {self.game.name} do not fit its rules: {error}") from error
        if self._referee is not None and self._referee.over:
            self.record = self._referee.record

    def _prepare(self, noted: Noted) -> None:
        self._prepared.append(noted)
        if len(self._prepared) == len(self.card.seats) and self._referee is not None:
            self._referee.begin(preparations(self._prepared, len(self._prepared)))

    def _note(self, state: rules.State, step: list[Move]) -> None:
        self.scenes.append(Scene(rules.duplicate(state), step))

    def _play(self, noted: Noted) -> None:
        """Add a move to the step being collected, and play it when all movers have theirs."""
        state, (seat, answer) = self.scenes[-1].state, noted
        move = int(answer.move)
        self._step.append((Move(seat, self.game.format(state, seat, move), fault=answer.fault), move))
        movers = self.game.movers(state)
        if len(self._step) < len(movers):
            return
        step, numbers = zip(*self._step, strict=True)
        if [made.seat for made in step] != movers:
            raise InvalidError("other players were to move.")
        self._step = []
        after: rules.State = rules.duplicate(state)
        rules.play(after, np.array(numbers, np.int64))
        self.scenes.append(Scene(after, list(step)))
