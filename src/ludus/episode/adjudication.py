"""Adjudication: an early end of a game between two players, from their own scores of the position."""

from collections.abc import Iterable
from math import inf

from ludus.core.errors import InvalidError
from ludus.episode.limits import Limits
from ludus.episode.record import Move

_SCORE, _MATE = "score", "mate"
"""Metrics of a move that count: centipawns from the mover's side, or moves to a mate, negative for being mated."""


class Adjudicator:
    """Watches the moves of an episode; a move without a score interrupts every row."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._made = [0, 0]
        self._behind = [0, 0]  # moves in a row with a lost score
        self._even = [0, 0]
        self.scores = [0.0, 0.0]
        """The scores of the episode, once it has ended."""

    def ends_with(self, moves: Iterable[Move]) -> bool:
        """Take the moves of a step; True if they end the episode."""
        limits = self._limits
        for move in moves:
            seat, score = move.seat, None if move.fault else _score(move)
            self._made[seat] += 1
            is_lost = limits.resign is not None and score is not None and score <= -limits.resign
            is_even = limits.draw is not None and score is not None and abs(score) <= limits.draw
            self._behind[seat] = self._behind[seat] + 1 if is_lost else 0
            self._even[seat] = self._even[seat] + 1 if is_even else 0
            if is_lost and self._behind[seat] >= limits.resign_moves:
                self.scores = [-1.0, 1.0] if seat == 0 else [1.0, -1.0]
                return True
        return min(self._even) >= limits.draw_moves and min(self._made) >= limits.draw_after


def adjudicator(limits: Limits, seats: int) -> Adjudicator | None:
    """The adjudicator of an episode with these limits; None if they ask for none."""
    if limits.resign is None and limits.draw is None:
        return None
    if seats != 2:
        raise InvalidError("Only games of two players can be adjudicated: leave out --resign and --draw.")
    return Adjudicator(limits)


def _score(move: Move) -> float | None:
    """The mover's score of a position in centipawns; None if it reported none."""
    found = dict(move.numbers())
    if _MATE in found:
        return -inf if found[_MATE] <= 0 else inf
    return found.get(_SCORE)
