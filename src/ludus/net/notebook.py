"""The journal of a joined game: the moves that a sighting found, for others to watch."""

from ludus.episode.cost import Cost
from ludus.episode.journal import Journal, Phase
from ludus.episode.opening import setting
from ludus.episode.rebuilt import GameCard, Ledger
from ludus.episode.record import Key, Opening, Seat
from ludus.net.remote import remote_seats
from ludus.net.sighting import Sighting


class Notebook:
    """Writes down a game as it is seen; if the sighting begins anew, because moves are missing, so does the journal."""

    def __init__(self, ledger: Ledger, number: int, own: Seat, sighting: Sighting) -> None:
        self._ledger = ledger
        self._number = number
        self._own = own
        self._sighting = sighting
        self._begin()

    def _begin(self) -> None:
        seen, game = self._sighting, self._sighting.game
        seats = remote_seats(seen.names, game.seats)
        seats[seen.you] = Seat(self._own.agent, self._own.name)
        self._start = seen.start
        self._noted = 0
        opening = Opening(seen.start)
        card = GameCard(game=setting(game).spec, seats=seats, opening=opening, number=self._number, seen=True)
        self._journal: Journal | None = self._ledger.open(card)
        if self._journal is not None:
            self._journal.phase(Phase.PLAYING, Key(0, 0, self._number))
            for seat in range(len(seats)):
                self._journal.answered(seat, None, None, Cost())

    def thinking(self, granted: int | None) -> None:
        """Note that the own agent is asked."""
        if self._journal is not None:
            self._journal.thinking(self._sighting.you, granted)

    def take(self, moves: list[int]) -> None:
        """Note the moves of the last step, if there is a new one."""
        seen = self._sighting
        if seen.start != self._start:
            self._begin()
        if len(seen.steps) == self._noted + 1 and self._journal is not None:
            for made, move in zip(seen.steps[-1], moves, strict=True):
                self._journal.answered(made.seat, move, made.fault, made)
        self._noted = len(seen.steps)

    def close(self) -> None:
        """End the journal with the game."""
        self._ledger.close(self._number)
