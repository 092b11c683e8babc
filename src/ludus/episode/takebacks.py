"""Moves that people take back: the episode goes on from before the move, and the record leaves the move out.

The steps before the move become the opening of another episode, so that every agent and bot knows them. When that
episode is over, they are steps of its record again.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import msgspec

from ludus.agents.agent import Agent
from ludus.core.text import plural
from ludus.episode.limits import Limits
from ludus.episode.person import Drawer, Human, TakeBack
from ludus.episode.record import Move, Opening, Record
from ludus.episode.referee import Watcher
from ludus.games.game import Game
from ludus.kernel.rules import State

Play = Callable[[Opening, Limits, Watcher, int], Record]
"""Plays an episode, and tells a watcher its steps; the number counts the moves that were taken back."""


class Takebacks:
    """One episode in which people may take back moves."""

    def __init__(self, game: Game, opening: Opening, limits: Limits) -> None:
        self._game = game
        self._opening = opening
        self._limits = limits
        self._kept: list[list[Move]] = []  # steps before the move that was taken back, those of the opening too
        self._steps: list[list[Move]] = []  # all so far
        self._taken: Counter[int] = Counter()

    def offer(self, agents: Iterable[Agent], draw: Drawer | None) -> None:
        """Let the people among these agents take back moves, and draw the board for them."""
        for agent in agents:
            if isinstance(agent, Human):
                agent.take_back = self.take_back
                agent.draw = draw or agent.draw

    def take_back(self, seat: int) -> str:
        """Take back the last move of a seat and all that followed; or else one sentence why that is not possible."""
        if self._limits.move is not None or self._limits.total is not None:
            return "A move cannot be taken back while a clock runs."
        if self._game.chance:
            return "A move cannot be taken back in a game of chance: nobody may try their luck again."
        if self._game.simultaneous:
            return "A move cannot be taken back where players move at once: they would know each other's moves."
        if any(move.fault for step in self._steps for move in step):
            return "A move cannot be taken back after a fault of a player."
        first = len(self._opening.moves)
        own = [place for place in range(first, len(self._steps)) if self._steps[place][0].seat == seat]
        if not own:
            return "You have no move to take back."
        gone = self._steps[own[-1] :]
        self._kept = self._steps[: own[-1]]
        self._taken[seat] += 1
        raise TakeBack([move.move for step in gone for move in step])

    def play(self, play: Play) -> Record:
        """Play the episode, again from where a move was taken back as often as that happens."""
        began = datetime.now(UTC)
        while True:
            self._steps = []
            try:
                record = play(*self._continued(), self._note, self._taken.total())
            except TakeBack:
                continue
            return self._whole(record, began) if self._taken else record

    def _played_before(self) -> list[list[Move]]:
        """The steps that are part of the opening for now."""
        return self._kept[len(self._opening.moves) :]

    def _continued(self) -> tuple[Opening, Limits]:
        """The opening and the limits of an episode that goes on after the steps that are kept."""
        steps = self._played_before()
        moves = [*self._opening.moves, *([move.move for move in step] for step in steps)]
        plies = self._limits.plies
        limits = msgspec.structs.replace(self._limits, plies=None if plies is None else plies - len(steps))
        return msgspec.structs.replace(self._opening, moves=moves), limits

    def _note(self, _state: State, step: list[Move]) -> None:
        place = len(self._steps)
        self._steps.append(self._kept[place] if place < len(self._kept) else step)

    def _whole(self, record: Record, began: datetime) -> Record:
        """The record of the whole episode, from that of its last part."""
        steps = self._played_before()
        for seat, count in self._taken.items():
            record.seats[seat].remarks.append(f"took back {plural(count, 'move')}")
        out = [msgspec.structs.replace(gone, step=gone.step + len(steps)) for gone in record.out]
        return msgspec.structs.replace(
            record, played=began, opening=self._opening, limits=self._limits, out=out, steps=[*steps, *record.steps]
        )
