"""An episode as the source of pictures: its positions, with the requests and answers in each."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ludus.core.errors import NotFoundError
from ludus.episode.outcome import outcome
from ludus.episode.record import Ending, Move, Record
from ludus.episode.replay import replay
from ludus.games.game import Game
from ludus.kernel import rules


class Moment(NamedTuple):
    """A position, the one before it, and the step between them; `round` is the number of the next move."""

    state: rules.State
    before: rules.State | None
    step: list[Move]
    round: int


class Timeline:
    """The moments of a record, which is checked against the rules as they are collected.

    `source` is where it was played, such as the name of a tournament.
    """

    def __init__(
        self, record: Record, game: Game, tell: Callable[[Record], str] = outcome, *, source: str = ""
    ) -> None:
        self.record = record
        self.game = game
        self.source = source
        self.moments: list[Moment] = []
        before, number = None, 1
        for scene in replay(record, game):
            if before is None:
                number = game.first_round(scene.state)
            number += bool(scene.step) and scene.step[0].seat != rules.CHANCE
            self.moments.append(Moment(scene.state, before, scene.step, number))
            before = scene.state
        self.result = tell(record)
        """The result in a sentence."""

    @property
    def names(self) -> Sequence[str]:
        """Names of the players, seat by seat."""
        return [seat.name for seat in self.record.seats]

    @property
    def places(self) -> list[int]:
        """The place of each player, seat by seat; none without a result or with one player."""
        scores = self.record.scores
        if self.record.ending is Ending.MACHINE or len(scores) == 1:
            return []
        return [1 + sum(other > own for other in scores) for own in scores]

    @property
    def last(self) -> Moment:
        """The final moment."""
        return self.moments[-1]

    def after(self, number: int, word: str) -> int:
        """The index of the moment after a move or round; one less than the first is the start."""
        first, last = self.moments[0].round, self.last.round
        for place, moment in enumerate(self.moments):
            if moment.round == number + 1:
                return place
        raise NotFoundError(
            f"There is no {word} {number}: the episode has {word}s {first} to {last - 1}, and {first - 1} is its start."
        )

    def choosing(self, number: int | None, word: str) -> int:
        """The index of the moment in which a move was chosen; by default the last move, even if not carried out."""
        last = len(self.moments) - 1
        if number is None or (number == self.last.round and self.answers(last)):
            return last - (not self.answers(last))
        place = self.after(number, word)
        if place == 0:
            raise NotFoundError(f"Nobody chose a {word} before the start: name {word} {number + 1} or a later one.")
        return place - 1

    def answers(self, place: int) -> list[Move]:
        """The answers at a moment: also rejected ones, and none in the opening or at the end."""
        step = place - len(self.record.opening.moves)
        return self.record.steps[step] if 0 <= step < len(self.record.steps) else []

    def clocks(self) -> list[list[tuple[int, int | None]]]:
        """For each position, the nanoseconds that each player has used and those it has left, if they are limited."""
        limits = self.record.limits
        now: list[tuple[int, int | None]] = [(0, limits.total)] * len(self.names)
        clocks = []
        for place, moment in enumerate(self.moments):
            for move in moment.step if place > len(self.record.opening.moves) else []:
                if move.seat >= 0:
                    used, left = now[move.seat]
                    spent = move.on_the_clock
                    now[move.seat] = (used + spent, None if left is None else max(0, left - spent) + limits.increment)
            clocks.append(list(now))
        return clocks

    def history(self, place: int) -> list[list[int]]:
        """The moves before a moment, as numbers."""
        return [
            [self.game.parse(moment.before, move.seat, move.move) for move in moment.step]
            for moment in self.moments[1 : place + 1]
        ]
