"""Files of games that other programs write and read, such as PGN and SGF.

A game that has such files returns a `Notation` from `Game.notation`; nothing else of Ludus knows their form.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from ludus.core.errors import InvalidError
from ludus.kernel.rng import new_rng
from ludus.kernel.rules import State, over, play

if TYPE_CHECKING:
    from ludus.games.game import Game


class NotationError(InvalidError):
    """A line of a file that is wrong, and why."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(line, why)  # both, for pickling
        self.line = line
        self.why = why

    def __str__(self) -> str:
        return f"line {self.line}: {self.why}"


@dataclass(frozen=True, kw_only=True)
class Transcript:
    """One game in such a file. What a file leaves out is empty or None."""

    game: str
    """The spec of the game, with the parameters that the file states."""
    moves: Sequence[tuple[int, str]] = ()
    """The seat and the text of each move, as `Game.format` writes it."""
    position: str | None = None
    """The start position, as `Game.save` writes it."""
    names: Sequence[str] = ()
    scores: Sequence[float] | None = None
    """Scores by seat: 1, 0 and −1."""
    ending: str = ""
    """The ending, as in records."""
    played: datetime | None = None
    event: str = ""
    round: str = ""
    walls: Sequence[int] = ()
    """Nanoseconds of each move; 0 if unknown."""
    line: int = 1
    """The line of the file where the game begins."""


class Notation(ABC):
    """The files of one game."""

    endings: ClassVar[Sequence[str]]
    """Endings of names of files that can be read."""
    written: ClassVar[str]
    """The ending of files that are written."""

    @abstractmethod
    def read(self, text: str, ending: str) -> Iterator[Transcript | NotationError]:
        """Read the games in the text of a file with this ending; for one that is wrong, yield its error.

        Games of another kind, which the same form may hold, are left out.
        """

    @abstractmethod
    def write(self, game: "Game", transcript: Transcript) -> str:
        """The text of one game; texts in a row make a file of several games."""


class Played(NamedTuple):
    """A move of a transcript: its seat, its text, and its nanoseconds."""

    seat: int
    text: str
    wall: int


def start_of(transcript: Transcript, game: "Game") -> State:
    """A new state at the start of a transcript."""
    return game.start(new_rng(0)) if transcript.position is None else game.load(transcript.position)


def moves_of(transcript: Transcript, game: "Game", state: State) -> Iterator[Played]:
    """Play the moves of a transcript from its start on, and yield each before it is carried out.

    Forced moves that the file leaves out, such as a pass in Othello, are put in. InvalidError if a move contradicts the
    rules.
    """
    walls = transcript.walls or [0] * len(transcript.moves)
    for number, ((seat, text), wall) in enumerate(zip(transcript.moves, walls, strict=True), 1):
        while not over(state) and (mover := game.movers(state)[0]) != seat:
            forced, *others = game.moves(state, mover)
            if others:
                raise InvalidError(f"move {number}, {text}, is out of turn: player {mover + 1} is to move.")
            yield Played(mover, game.format(state, mover, forced), 0)
            play(state, np.array([forced], np.int64))
        if over(state):
            raise InvalidError(f"move {number}, {text}, comes after the end of the game by the rules of {game.name}.")
        move = game.parse(state, seat, text)
        yield Played(seat, game.format(state, seat, move), wall)
        play(state, np.array([move], np.int64))
