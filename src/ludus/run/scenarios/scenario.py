"""A scenario: a position, the tested seat, and the condition for success.

A round is a step in which players move, as `ludus replay` numbers them: simultaneous moves are one round.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal

import msgspec

from ludus.core.errors import InvalidError
from ludus.core.text import listing
from ludus.episode.record import Move, Record
from ludus.games.game import Game
from ludus.kernel.rules import CHANCE, State
from ludus.tournaments.tournament import Entrant


class Success(msgspec.Struct, frozen=True):
    """The task of a player; each kind is a table with one key in a suite."""

    key: ClassVar[str] = ""

    def checked(self, game: Game, state: State, seat: int) -> "Success":
        """The same task with moves in the game's notation; InvalidError if it makes no sense in this position."""
        return self

    def rounds(self, game: Game) -> int | None:
        """Number of rounds after which it is decided; None if an episode must be played to its end."""
        return None

    def is_met(self, record: Record, seat: int) -> bool:
        """True if the player of that seat has succeeded in an episode of that many rounds."""
        raise NotImplementedError

    def in_words(self) -> str:
        """The task as the end of a sentence that starts with the player."""
        raise NotImplementedError


class _FirstMove(Success, frozen=True):
    moves: tuple[str, ...]

    def checked(self, game: Game, state: State, seat: int) -> Success:
        if seat not in game.movers(state):
            raise InvalidError(f"seat {seat + 1} is not to move in this position, so '{self.key}' cannot be decided.")
        numbers = [game.parse(state, seat, text) for text in self.moves]
        legal = game.moves(state, seat)
        if not set(numbers) < set(legal):
            raise InvalidError(f"'{self.key}' names every legal move, so it decides nothing.")
        return type(self)(tuple(game.format(state, seat, number) for number in dict.fromkeys(numbers)))

    def rounds(self, game: Game) -> int | None:
        return 1

    def _first(self, record: Record, seat: int) -> Move | None:
        """The player's own first move; None if it made none, or only a faulty one."""
        made = next((move for step in record.steps for move in step if move.seat == seat), None)
        return made if made is not None and made.fault is None else None


class Best(_FirstMove, frozen=True):
    """Start with one of these moves."""

    key: ClassVar[str] = "best"

    def is_met(self, record: Record, seat: int) -> bool:
        made = self._first(record, seat)
        return made is not None and made.move in self.moves

    def in_words(self) -> str:
        return f"must play {listing(self.moves, 'or')}"


class Avoid(_FirstMove, frozen=True):
    """Start with none of these moves."""

    key: ClassVar[str] = "avoid"

    def is_met(self, record: Record, seat: int) -> bool:
        made = self._first(record, seat)
        return made is not None and made.move not in self.moves

    def in_words(self) -> str:
        return f"must not play {listing(self.moves, 'or')}"


class Alive(Success, frozen=True):
    """Survive this many rounds.

    A player that moves again afterwards has survived, and so has one that won alone before; no other criterion exists
    in every game.
    """

    key: ClassVar[str] = "alive"
    after: int

    def checked(self, game: Game, state: State, seat: int) -> Success:
        if game.simultaneous and game.movers(state) != [CHANCE] and seat not in game.movers(state):
            raise InvalidError(f"seat {seat + 1} is out in this position.")
        return self

    def rounds(self, game: Game) -> int | None:
        everybody_moves = game.simultaneous or game.seats == 1
        return self.after + 1 if everybody_moves else None

    def is_met(self, record: Record, seat: int) -> bool:
        numbers = [number for number, step in enumerate(record.steps) if step[0].seat != CHANCE]
        left_at = {fallen.seat: fallen.step for fallen in record.out}.get(seat, len(record.steps))
        for number in numbers[self.after :]:
            if number <= left_at and any(move.seat == seat for move in record.steps[number]):
                return True
        return len(record.seats) > 1 and wins_alone(record.scores, seat)

    def in_words(self) -> str:
        return f"must be alive after {self.after:,} rounds"


class Result(Success, frozen=True):
    """Win alone, or at least share the first place."""

    key: ClassVar[str] = "result"
    least: Literal["win", "tie"]

    def checked(self, game: Game, state: State, seat: int) -> Success:
        if game.seats == 1:
            raise InvalidError(
                f"{game.name} has one player, which neither wins nor loses: write success = {{ points = … }}."
            )
        return self

    def is_met(self, record: Record, seat: int) -> bool:
        if self.least == "win":
            return wins_alone(record.scores, seat)
        return record.scores[seat] == max(record.scores)

    def in_words(self) -> str:
        return "must win" if self.least == "win" else "must win or tie"


class Points(Success, frozen=True):
    """Get at least this many points: the score of the record, from −1 to 1 with several players."""

    key: ClassVar[str] = "points"
    least: float

    def checked(self, game: Game, state: State, seat: int) -> Success:
        if game.seats > 1 and self.least > 1:
            raise InvalidError(f"{self.least:g} points are impossible in {game.name}: scores are from -1 to 1.")
        return self

    def is_met(self, record: Record, seat: int) -> bool:
        return record.scores[seat] >= self.least

    def in_words(self) -> str:
        return f"must get {self.least:,g} points or more"


KINDS: dict[str, type[Success]] = {kind.key: kind for kind in (Best, Avoid, Alive, Result, Points)}
"""Kinds of success by their keys in suites."""


def default_opponent(game: Game) -> Entrant:
    """The default player of the other seats of a scenario."""
    return Entrant(game.default_opponent, game.default_opponent)


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A position as its game saves it, the tested seat, and the players of the other seats in order."""

    name: str
    game: str
    position: str
    seat: int
    success: Success
    opponents: tuple[Entrant, ...] = ()
    note: str = ""


class Suite(msgspec.Struct, frozen=True):
    """Scenarios that are run together."""

    name: str
    note: str
    scenarios: tuple[Scenario, ...]


def wins_alone(scores: Sequence[float], seat: int) -> bool:
    """True if no other score is as high."""
    return all(score < scores[seat] for other, score in enumerate(scores) if other != seat)
